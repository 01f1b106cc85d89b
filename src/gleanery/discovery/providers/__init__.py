"""Search providers behind one interface, and files of results."""
