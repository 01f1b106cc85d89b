"""Console under /admin/."""
