"""Batches of pages, extracted in processes that can be killed."""
