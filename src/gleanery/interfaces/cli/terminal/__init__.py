"""Output of all commands: tables, sentences, JSON."""
