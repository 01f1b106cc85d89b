"""People, their roles and keys, and the journal of every decision."""
