"""Open data in the shapes of others: HSDS and CommonGrants, for anybody to read."""
