"""Turns crawled pages into observations, each field with the place on the page where it was found."""
