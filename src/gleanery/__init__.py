"""Gleanery: one clean, sourced record of every event, funding programme, service, place and organisation found."""

from importlib.metadata import version

__version__ = version("gleanery")
