"""What a language model reads from a page: within its caps, by a form, believed only where the page says it too."""
