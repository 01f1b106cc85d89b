"""Feeds of a search: which records they list, those records read in bulk, their title, Atom."""
