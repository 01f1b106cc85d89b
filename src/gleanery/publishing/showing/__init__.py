"""A record as visitors read it: its facts, moments, cards, page and JSON-LD."""
