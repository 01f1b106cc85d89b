"""Records as shown to staff: lists, details, and comparisons of two records."""
