"""Finding feeds: signs on the pages of a source, and which of them are kept."""
