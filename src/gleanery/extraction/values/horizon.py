"""Horizon: how many days ahead recurring events are computed. Pure."""

from __future__ import annotations

DAYS_AHEAD = 180
