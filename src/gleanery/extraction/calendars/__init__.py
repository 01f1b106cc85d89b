"""iCalendar files: their text, their values, their series. Pure."""
