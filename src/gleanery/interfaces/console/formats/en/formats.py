"""The formats that Django looks up by these names."""

DATETIME_FORMAT = "j M Y, H:i"
DATE_FORMAT = "j M Y"
