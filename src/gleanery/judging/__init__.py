"""Judging of search results: confidence that a domain is a first-hand source, and the candidates that result."""
