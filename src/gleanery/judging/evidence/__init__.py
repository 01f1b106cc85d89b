"""Evidence for the judges: the words, names, host and place of a result, read once."""
