"""Pages that list things: entries found by structure and by what each must have, and what speaks for all of them."""
