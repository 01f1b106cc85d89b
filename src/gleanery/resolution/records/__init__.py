"""Rules about single records: values, identity, projection, quality, states. Pure."""
