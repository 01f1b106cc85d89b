"""iCalendar extractor: components, property values, recurrence and locations. Pure."""
