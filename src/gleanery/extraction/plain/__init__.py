"""Extractor for pages without structured data, by their words, labels and layout. Pure."""
