"""Topics to begin with, as TOML files, and how a place makes one of them somebody's own."""

from __future__ import annotations

import re
import tomllib
from importlib.resources import files
from typing import Any

from gleanery.errors import NotFound
from gleanery.text import clean_text

NAMES = ("funding", "events", "services")


def topic_fields(preset: str, place: str, name: str = "") -> dict[str, Any]:
    """The fields of a topic made from a preset; everything may be changed afterwards."""
    if preset not in NAMES:
        raise NotFound(f"There is no preset {preset!r}; there are {', '.join(NAMES)}.")
    place = clean_text(place, limit=100)
    said = _read(f"{preset}.toml")
    known = _known_place(place)
    return {
        **said,
        "name": name or slug(f"{preset}-{known.get('names', [place])[0]}"),
        "preset": preset,
        "title": said["title"].format(place=place or "general").strip(),
        "places": [place] if place else [],
        "query_templates": said["query_templates"] if place else _without_place(said["query_templates"]),
        "geography": known.get("names", [place] if place else []),
        "country": known.get("country", ""),
    }


def _known_place(place: str) -> dict[str, Any]:
    """By either spelling; what follows the first two names are other words for it."""
    for entry in _read("places.toml").values():
        if place.casefold() in {name.casefold() for name in entry["names"][:2]}:
            return dict(entry)
    return {}


def _without_place(templates: list[str]) -> list[str]:
    return list(dict.fromkeys(re.sub(r"\s*(in )?\{place\}", "", template).strip() for template in templates))


def slug(text: str) -> str:
    return re.sub(r"[^a-z0-9]+", "-", text.casefold()).strip("-")[:60] or "topic"


def _read(file: str) -> dict[str, Any]:
    return tomllib.loads((files(__package__) / file).read_text(encoding="utf-8"))
