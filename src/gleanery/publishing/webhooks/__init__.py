"""Webhooks: changes of the feed, delivered to addresses that an admin added."""
