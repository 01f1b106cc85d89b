"""Parsers for values in text, in several languages: dates, sums, phones, addresses, names. Pure."""
