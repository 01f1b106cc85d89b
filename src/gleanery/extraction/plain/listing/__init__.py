"""Extraction from lists: entries found by structure, their titles and dates, and details shared by all. Pure."""
