"""A sample web of invented sites, two search engines over it, and what is true of it: nothing here is real."""
