"""The accent colour of the site: a hex colour dark enough to be read on white. Pure but for Django's way to refuse."""

from __future__ import annotations

import re

from django.core.exceptions import ValidationError

DEFAULT = "#2c6a41"
LEAST_CONTRAST = 4.7  # of text on white by WCAG 2.2 AA it is 4.5, and our paper is a little darker than white
_HEX = re.compile(r"#[0-9a-f]{6}")


def checked(colour: str) -> None:
    """Refuse what is no colour, and one that could not be read."""
    if not _HEX.fullmatch(colour):
        raise ValidationError("A colour is written as # and six digits from 0 to f in small letters, such as #2c6a41.")
    if (contrast := contrast_to_white(colour)) < LEAST_CONTRAST:
        raise ValidationError(
            f"This colour is too light to be read on white: its contrast is {contrast:.1f}, at least {LEAST_CONTRAST} "
            "is needed. Choose a darker one."
        )


def contrast_to_white(colour: str) -> float:
    """As WCAG defines it: between 1, which cannot be seen, and 21."""
    red, green, blue = (_linear(int(colour[start : start + 2], 16) / 255) for start in (1, 3, 5))
    return 1.05 / (0.2126 * red + 0.7152 * green + 0.0722 * blue + 0.05)


def _linear(channel: float) -> float:
    low = 0.04045
    return float(channel / 12.92 if channel <= low else ((channel + 0.055) / 1.055) ** 2.4)
