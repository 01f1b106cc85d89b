"""Preset topics, as TOML files, and their adaptation to a place."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping, Sequence
from importlib.resources import files
from itertools import zip_longest
from typing import Any

from gleanery.errors import Invalid, NotFound
from gleanery.text import clean_text

NAMES = ("funding", "events", "services")
ENGLISH, BULGARIAN = "en", "bg"
CYRILLIC = re.compile("[А-Яа-я]")


def topic_fields(preset: str, place: str, name: str = "", languages: Sequence[str] = ()) -> dict[str, Any]:
    """Return the fields of a topic made from a preset; all can be changed later.

    Without `languages`, those of the place if it is known, else English.
    """
    if preset not in NAMES:
        raise NotFound(f"There is no preset {preset!r}. The presets are {', '.join(NAMES)}.")
    place = clean_text(place, limit=100)
    said = _read(f"{preset}.toml")
    known = _known_place(place)
    asked = list(dict.fromkeys(languages)) or known.get("languages") or _spoken(place)
    queries = said.pop("queries")
    if missing := sorted(set(asked) - set(queries)):
        raise Invalid(
            f"The preset {preset} has no queries in {missing[0]!r}, only in {', '.join(queries)}. "
            "Create the topic without it, and add your own queries in the console."
        )
    templates = _templates([queries[each] for each in asked])
    return {
        **said,
        "themes": queries[asked[0]]["themes"],
        "name": name or slug(f"{preset}-{known.get('names', [place])[0]}"),
        "preset": preset,
        "title": said["title"].format(place=place or "general").strip(),
        "places": [place] if place else [],
        "query_templates": templates if place else _without_place(templates),
        "geography": known.get("names", [place] if place else []),
        "country": known.get("country", ""),
    }


def _templates(queries: Sequence[Mapping[str, list[str]]]) -> list[str]:
    """Return templates alternating between languages; those after the first language have themes filled in."""
    rows = [[[template] for template in queries[0]["templates"]]]
    for each in queries[1:]:
        rows.append([[one.replace("{theme}", theme) for theme in each["themes"]] for one in each["templates"]])
    return [template for at in zip_longest(*rows, fillvalue=[]) for templates in at for template in templates]


def _known_place(place: str) -> dict[str, Any]:
    """Return a known place by one of its first two names; the other names are synonyms."""
    for entry in _read("places.toml").values():
        if place.casefold() in {name.casefold() for name in entry["names"][:2]}:
            return dict(entry)
    return {}


def _spoken(place: str) -> list[str]:
    """Return languages for an unknown place: also Bulgarian if it is written in Cyrillic."""
    return [ENGLISH, BULGARIAN] if CYRILLIC.search(place) else [ENGLISH]


def _without_place(templates: list[str]) -> list[str]:
    return list(dict.fromkeys(re.sub(r"\s*(in )?\{place\}", "", template).strip() for template in templates))


def slug(text: str) -> str:
    return re.sub(r"[^a-z0-9]+", "-", text.casefold()).strip("-")[:60] or "topic"


def _read(file: str) -> dict[str, Any]:
    return tomllib.loads((files(__package__) / file).read_text(encoding="utf-8"))
