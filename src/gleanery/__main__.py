"""Entry point of `python -m gleanery`, the same as the command `gleanery`."""

from gleanery.interfaces.cli.main import main

main()
