"""The public pages: what everybody sees, without a login and without JavaScript."""
