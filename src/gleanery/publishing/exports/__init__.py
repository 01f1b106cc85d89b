"""Exports: published records as files of open formats, one module for each format."""
