"""Near duplicates in files, without a database."""
