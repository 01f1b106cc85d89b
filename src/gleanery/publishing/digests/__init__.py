"""E-mails about saved searches: subscriptions, what they list, how each is sent once."""
