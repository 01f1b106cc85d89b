"""Decisions about records: merge, unmerge, delete, restore, edit, publish, verdicts."""
