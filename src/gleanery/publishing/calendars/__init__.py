"""iCalendar files of published records."""
