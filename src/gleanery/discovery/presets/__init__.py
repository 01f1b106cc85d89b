"""Topics to begin with, as TOML files, and how a place makes one of them somebody's own."""

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
    """The fields of a topic made from a preset; everything may be changed afterwards.

    Without languages those of the place, as far as it is known; else English.
    """
    if preset not in NAMES:
        raise NotFound(f"There is no preset {preset!r}; there are {', '.join(NAMES)}.")
    place = clean_text(place, limit=100)
    said = _read(f"{preset}.toml")
    known = _known_place(place)
    asked = list(dict.fromkeys(languages)) or known.get("languages") or _spoken(place)
    queries = said.pop("queries")
    if missing := sorted(set(asked) - set(queries)):
        raise Invalid(
            f"The preset {preset} asks nothing in {missing[0]!r}, only in {', '.join(queries)}; "
            "make the topic without it, and write queries of your own in the console."
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
    """The first ones of every language before the second ones; those after the first language name their themes."""
    rows = [[[template] for template in queries[0]["templates"]]]
    for each in queries[1:]:
        rows.append([[one.replace("{theme}", theme) for theme in each["themes"]] for one in each["templates"]])
    return [template for at in zip_longest(*rows, fillvalue=[]) for templates in at for template in templates]


def _known_place(place: str) -> dict[str, Any]:
    """By either spelling; what follows the first two names are other words for it."""
    for entry in _read("places.toml").values():
        if place.casefold() in {name.casefold() for name in entry["names"][:2]}:
            return dict(entry)
    return {}


def _spoken(place: str) -> list[str]:
    """Of a place that is not known: whoever writes it in Cyrillic letters looks for Bulgarian sources too."""
    return [ENGLISH, BULGARIAN] if CYRILLIC.search(place) else [ENGLISH]


def _without_place(templates: list[str]) -> list[str]:
    return list(dict.fromkeys(re.sub(r"\s*(in )?\{place\}", "", template).strip() for template in templates))


def slug(text: str) -> str:
    return re.sub(r"[^a-z0-9]+", "-", text.casefold()).strip("-")[:60] or "topic"


def _read(file: str) -> dict[str, Any]:
    return tomllib.loads((files(__package__) / file).read_text(encoding="utf-8"))
