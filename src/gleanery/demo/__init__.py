"""The sample web: invented sites, two search engines for them, and the expected results (ground truth)."""
