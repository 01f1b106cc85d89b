"""Files that somebody imports: tables, JSON Lines and calendars, row by row."""
