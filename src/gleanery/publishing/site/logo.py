"""The logo of the site: a small picture, known by its first bytes. Pure but for Django's way to refuse."""

from __future__ import annotations

from typing import Final, NamedTuple

from django.core.exceptions import ValidationError

LARGEST = 200_000


class Format(NamedTuple):
    media_type: str
    starts: bytes
    at: int  # where these bytes stand
    begins: bytes = b""  # what else the file begins with


# No SVG: it may hold scripts and ask other hosts.
FORMATS: Final = (
    Format("image/png", b"\x89PNG\r\n\x1a\n", 0),
    Format("image/jpeg", b"\xff\xd8\xff", 0),
    Format("image/webp", b"WEBP", 8, begins=b"RIFF"),
)


def checked(content: bytes) -> str:
    """Return its media type; refuse what is too large or no such picture."""
    if len(content) > LARGEST:
        raise ValidationError(f"The logo is larger than {LARGEST // 1000} kB. Save it smaller and try again.")
    for each in FORMATS:
        if content.startswith(each.begins) and content[each.at :].startswith(each.starts):
            return each.media_type
    raise ValidationError("The logo must be a PNG, WebP or JPEG picture. Save it as one of these and try again.")
