"""Work in child processes that can be killed."""
