"""Duplicates within tables: which rows are compared, and which belong together. Pure except for processes."""
