"""Recognisers of events, funding, services, opportunities and places on pages without markup. Pure."""
