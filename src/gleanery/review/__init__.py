"""Review: what people and agents decide, sources first; one queue for all of it."""
