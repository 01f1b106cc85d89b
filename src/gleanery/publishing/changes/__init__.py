"""The change feed: what became public, changed or left, in the order of commit."""
