"""Possible duplicates with a common cause, decided together."""
