"""Search for near duplicates in files, without a database."""
