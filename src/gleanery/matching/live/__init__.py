"""Index of live records in the database, which finds near duplicates among a million of them with SQL."""
