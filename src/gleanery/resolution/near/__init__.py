"""What follows from near duplicates: flags for people, merges of what is surely one."""
