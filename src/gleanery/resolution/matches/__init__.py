"""Near duplicates: normal forms, cheap keys, field points, and the sentences that explain them."""
