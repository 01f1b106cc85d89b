"""Intake: turns observations into stored records, and recomputes records when something changes."""
