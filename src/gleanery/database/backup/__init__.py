"""Backup and restore: one file that holds the whole store, independent of the server."""
