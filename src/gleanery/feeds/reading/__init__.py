"""Reading feeds: politely asked, parsed where it can be killed; and the rounds of the worker that does it."""
