"""Near duplicates of records: warnings for reviewers, and automatic merges of sure matches."""
