"""Answers of feeds: iCalendar, RSS and Atom, JSON, each read into events, whichever platform gave them. Pure."""
