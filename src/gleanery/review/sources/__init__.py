"""Decisions about sources, and the dossier and warnings that support them."""
