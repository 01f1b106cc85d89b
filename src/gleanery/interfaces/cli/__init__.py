"""The command `gleanery`."""
