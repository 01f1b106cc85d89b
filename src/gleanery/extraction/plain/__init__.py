"""Pages without markup, read by their words, labels and layout. Pure."""
