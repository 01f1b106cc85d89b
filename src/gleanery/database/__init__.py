"""The embedded PostgreSQL: where it lies, how it is made, started, shared and stopped; and whether any server will do."""
