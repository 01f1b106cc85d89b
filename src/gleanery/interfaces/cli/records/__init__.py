"""Commands about records: import, review, merge, near duplicates."""
