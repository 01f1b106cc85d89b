"""Records as staff see them: lists, one record with its sources, why two may be one."""
