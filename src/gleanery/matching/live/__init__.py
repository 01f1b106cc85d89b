"""What is kept of records so that their near duplicates are found in SQL, among a million of them."""
