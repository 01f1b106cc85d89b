"""Scheduled crawls, and when each page is visited again."""
