"""Problems that visitors report: each is a warning on the review item of its record."""
