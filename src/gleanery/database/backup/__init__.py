"""Backup and restore: one file that holds the whole store, for our own server and any other alike."""
