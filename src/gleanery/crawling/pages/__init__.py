"""From the bytes of a page to its text, links and facts; PDFs and sitemaps too."""
