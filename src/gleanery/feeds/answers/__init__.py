"""Parsers for the formats of feeds (iCalendar, RSS, Atom, JSON), shared by the platforms. Pure."""
