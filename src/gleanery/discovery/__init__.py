"""Topics, queries, providers, sessions and spam: how sources are found."""
