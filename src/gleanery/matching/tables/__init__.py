"""Rows of a table: which of them are compared, and which are one, all told; pure but for processes."""
