"""Domains: names, registry, lifecycle, approval, blacklist, submissions."""
