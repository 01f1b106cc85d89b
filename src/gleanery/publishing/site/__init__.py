"""The public site itself: its name, colour and language."""
