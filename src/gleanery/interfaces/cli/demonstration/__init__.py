"""The demo: its story and its summary."""
