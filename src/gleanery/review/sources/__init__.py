"""Decisions about sources, and everything that helps to make them."""
