"""Structured data of pages (JSON-LD, microdata, RDFa, Open Graph), read as schema.org types. Pure."""
