"""Runs extractors over batches of pages, in child processes that can be killed."""
