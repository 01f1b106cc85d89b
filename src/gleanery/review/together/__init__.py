"""Possible duplicates that have one cause, decided together after a look at them."""
