"""Contacts: which are one, what they are for, and those of a domain."""
