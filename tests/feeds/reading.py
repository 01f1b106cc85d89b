"""What the tests of platforms share: pages as platforms look at them, and answers of our own in their manner."""

from __future__ import annotations

from datetime import date
from typing import Any

from gleanery.feeds.finding.markup import markup_of
from gleanery.feeds.platform import Answer, Markup, Platform, Reading, Sign
from gleanery.feeds.platforms import BY_NAME, shown_on

TODAY = date(2026, 11, 19)
PAGE = "https://mill.example/events/"


def markup(html: str, url: str = PAGE, **headers: str) -> Markup:
    return markup_of(html, url, {name.replace("_", "-"): value for name, value in headers.items()})


def shown(html: str, url: str = PAGE, **headers: str) -> dict[str, list[Sign]]:
    """The signs on a page by the name of the platform, as the whole tuple finds them."""
    found: dict[str, list[Sign]] = {}
    for platform, sign in shown_on(markup(html, url, **headers)):
        found.setdefault(platform.name, []).append(sign)
    return found


def urls(html: str, name: str, url: str = PAGE, **headers: str) -> list[str]:
    return [sign.url for sign in shown(html, url, **headers).get(name, [])]


def answer(text: str, url: str = "https://mill.example/feed", *, media_type: str = "", **facts: Any) -> Answer:
    return Answer(url=url, media_type=media_type, text=text, fetched=TODAY, **facts)


def read(platform: str | Platform, text: str, url: str = "https://mill.example/feed", **facts: Any) -> Reading:
    known = BY_NAME[platform] if isinstance(platform, str) else platform
    return known.read(answer(text, url, **facts))


def told(reading: Reading) -> list[dict[str, Any]]:
    """What the drafts say, with their ids."""
    return [{"id": draft.external_id, **draft.fields} for draft in reading.drafts]
