"""The embedded PostgreSQL server: creation, start, sharing and stop; checks of any server; backups."""
