"""CommonGrants: funding programmes as the opportunities of an open protocol."""
