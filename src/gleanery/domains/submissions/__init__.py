"""Submissions: anybody proposes a source, gets a clear answer and can follow it."""
