"""What the judges look at: a result read once, its words, names, host and place."""
