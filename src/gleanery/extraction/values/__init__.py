"""Values as text writes them, in several languages: dates, sums, phones, addresses, names. Pure."""
