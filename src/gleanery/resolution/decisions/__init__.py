"""Use cases for decisions about records: merge, unmerge, delete, restore, edit, publish, verdicts."""
