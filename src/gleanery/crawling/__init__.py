"""Crawling: fetch the pages of approved domains politely and keep each distinct content once."""
