"""A static copy of the public site: its pages as files that any web server can give out."""
