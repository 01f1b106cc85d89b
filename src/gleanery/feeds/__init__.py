"""Feeds of sources (calendars, APIs, RSS): found on pages, approved with their source, read regularly."""
