"""Pages that scripts make, shown by a browser that can reach nothing but us."""
