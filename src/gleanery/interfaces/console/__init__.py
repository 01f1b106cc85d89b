"""The console under /admin/."""
