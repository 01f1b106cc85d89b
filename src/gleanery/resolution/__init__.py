"""Resolution: what many sources say about one thing becomes one record; anything can be undone."""
