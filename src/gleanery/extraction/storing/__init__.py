"""What pages and feeds say, compared with what is known and stored set by set."""
