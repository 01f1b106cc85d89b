"""An export format: what it is called, what it can hold, how it is written."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import BinaryIO

from gleanery.kinds import KINDS
from gleanery.publishing.exports.contents import Contents


@dataclass(frozen=True, slots=True, kw_only=True)
class Format:
    """`write` writes all contents to a file from its beginning to its end, and never goes back in it."""

    name: str
    label: str
    ending: str
    media_type: str
    write: Callable[[Contents, BinaryIO], None]
    kinds: frozenset[str] = frozenset(KINDS)
    extra: str = ""  # the optional dependency that it needs
    whole_name: str = ""  # of the one file that visitors download, where there is not one for each kind
    reads_back: bool = False  # whether `gleanery import` reads it
