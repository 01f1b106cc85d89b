"""`python -m gleanery` is the command `gleanery`."""

from gleanery.interfaces.cli.main import main

main()
