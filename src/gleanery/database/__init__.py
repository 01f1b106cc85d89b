"""The embedded PostgreSQL: how it is made, started, shared and stopped; and whether any server will do."""
