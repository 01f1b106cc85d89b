"""Compares extracted drafts with stored observations and writes new versions in sets."""
