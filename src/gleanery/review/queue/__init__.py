"""The review queue: items, filters, claims and warnings."""
