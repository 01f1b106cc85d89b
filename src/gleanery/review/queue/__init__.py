"""The queue as people and programs see it: items, filters, claims, warnings."""
