"""Rendering of pages built by scripts, in a browser that has no network access of its own."""
