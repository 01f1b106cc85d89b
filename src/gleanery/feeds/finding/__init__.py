"""Finds feeds on the pages of a source."""
