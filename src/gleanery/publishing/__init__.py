"""Publishing: what was gleaned, as visitors read and search it. Reads published records only."""
