"""Labels, facts, rows and sections of a page, found by words and layout. Pure."""
