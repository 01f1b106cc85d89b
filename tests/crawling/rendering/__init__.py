"""Tests of pages that scripts make."""
