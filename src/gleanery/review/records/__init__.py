"""Decisions about records that wait, and the reasons for which they wait."""
