"""A worker at a site: one request at a time, what an answer means, and how all of it is written down together."""
