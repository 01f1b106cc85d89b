"""Review: one queue of sources and records that people and agents decide about."""
