"""The frontier: addresses still to visit, the leases that allow requests, crawler traps and SQL statements."""
