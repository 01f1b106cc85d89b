"""A record by itself: kinds, values, identity, projection, quality, life. Pure."""
