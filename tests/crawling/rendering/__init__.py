"""Tests of pages built by scripts."""
