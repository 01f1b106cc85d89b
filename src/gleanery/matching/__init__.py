"""Detection of duplicates: normalised features, comparisons, and points that add up to a probability."""
