"""How the tables are emptied after a test that committed: Django finds the command here before its own."""
