"""Extraction: from what a page says to observations, each with the place on the page where it stood."""
