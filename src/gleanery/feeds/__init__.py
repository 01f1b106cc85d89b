"""Calendars, APIs and syndication that sources offer: found on their pages, approved with them, read before them."""
