"""Dates, prices, status and venue of one event, read from text. Pure."""
