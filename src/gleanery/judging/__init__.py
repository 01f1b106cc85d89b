"""Judging: how much each search result speaks for its domain as a source, and the candidates that come of it."""
