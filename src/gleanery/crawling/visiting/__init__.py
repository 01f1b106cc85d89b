"""Visiting sites: one request at a time per site, evaluating each response and storing results in batches."""
