"""Crawling: approved domains are looked at page by page, politely, and every answer is kept once."""
