"""The horizon: how far ahead the days of a series or of a rule in words are followed. Pure."""

from __future__ import annotations

DAYS_AHEAD = 180
