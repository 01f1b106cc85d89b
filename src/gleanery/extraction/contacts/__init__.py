"""Contacts of a domain: deduplication and classification."""
