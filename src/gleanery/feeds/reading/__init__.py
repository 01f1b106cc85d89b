"""Reads feeds: polite requests, parsing in killable processes, and the worker loop."""
