"""Import of files row by row: tables, JSON Lines and calendars."""
