"""Search of published records: filters, statements, the start page, the sitemap."""
