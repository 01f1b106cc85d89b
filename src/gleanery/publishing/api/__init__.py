"""The public API: published records as JSON, for anybody."""
