"""Work in child processes, so that it can be killed."""
