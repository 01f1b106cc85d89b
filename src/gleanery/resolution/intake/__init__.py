"""From observations to stored records: drafts, look-ups, storage, publication, and what recomputes them."""
