"""Users, roles, API keys, login links, and the journal of every decision."""
