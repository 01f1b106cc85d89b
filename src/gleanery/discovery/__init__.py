"""Discovery of sources: topics, queries, search providers, sessions and spam rules."""
