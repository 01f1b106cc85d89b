"""Extraction by a language model, within daily caps; only values that appear on the page are kept."""
