"""The search providers behind one question and one answer, and files of results."""
