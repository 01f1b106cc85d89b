"""Parsing of pages, PDFs and sitemaps: text, links, structured data."""
