"""Shortcuts for tests of platforms: markup, signs, answers and parsed fields."""

from __future__ import annotations

from datetime import date
from typing import Any

from gleanery.feeds.finding.markup import markup_of
from gleanery.feeds.platform import Answer, AnswerContent, Markup, Platform, Sign
from gleanery.feeds.platforms import BY_NAME, shown_on

TODAY = date(2026, 11, 19)
PAGE = "https://mill.example/events/"


def markup(html: str, url: str = PAGE, **headers: str) -> Markup:
    return markup_of(html, url, {name.replace("_", "-"): value for name, value in headers.items()})


def signs_on(html: str, url: str = PAGE, **headers: str) -> dict[str, list[Sign]]:
    """Return the signs on a page by platform."""
    found: dict[str, list[Sign]] = {}
    for platform, sign in shown_on(markup(html, url, **headers)):
        found.setdefault(platform.name, []).append(sign)
    return found


def urls(html: str, name: str, url: str = PAGE, **headers: str) -> list[str]:
    return [sign.url for sign in signs_on(html, url, **headers).get(name, [])]


def answer(text: str, url: str = "https://mill.example/feed", *, media_type: str = "", **facts: Any) -> Answer:
    return Answer(url=url, media_type=media_type, text=text, fetched=TODAY, **facts)


def read(platform: str | Platform, text: str, url: str = "https://mill.example/feed", **facts: Any) -> AnswerContent:
    known = BY_NAME[platform] if isinstance(platform, str) else platform
    return known.read(answer(text, url, **facts))


def fields_of(reading: AnswerContent) -> list[dict[str, Any]]:
    """Return the fields of the drafts with their ids."""
    return [{"id": draft.external_id, **draft.fields} for draft in reading.drafts]
