"""Submissions: anybody can propose a source, gets an answer and can follow it."""
