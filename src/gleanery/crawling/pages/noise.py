"""Parts of a page that are not content: controls, hidden elements, clocks, counters, cookie banners."""

from __future__ import annotations

import re
from functools import lru_cache

from selectolax.lexbor import LexborNode

DROPPED = frozenset(
    str.split(
        "script style template noscript svg nav iframe object embed applet canvas audio video picture img map "
        "input select textarea button datalist output progress meter head title base link meta"
    )
)
ROLES = frozenset({"navigation", "search", "menu", "menubar", "toolbar", "alert", "timer", "progressbar"})
FRAME_ROLES = frozenset({"banner", "contentinfo", "complementary"})

# These hold much of a page, so a class such as "no-cookies" on them says nothing about their text.
WHOLE = frozenset({"main", "article", "form"})

_HIDING = frozenset({"hidden", "aria-hidden", "style", "role"})
_UNSEEN = re.compile(r"(?:display\s*:\s*none|visibility\s*:\s*hidden)", re.IGNORECASE)
_WORDS = re.compile(r"[A-Z]?[a-z]+|[A-Z]+|\d+")

# Words in ids and classes that mark noise, and the longest text they apply to: "visitors" may also be a chapter for
# visitors of a museum. Icon classes name their picture: fa-clock stands before opening hours.
MARKERS = {
    **dict.fromkeys(("clock", "counter", "countdown", "hits", "visits", "visitors", "hitcounter", "timer"), 200),
    **dict.fromkeys(("cookie", "cookies", "consent", "gdpr", "cookiebar", "cookieconsent"), 4_000),
    **dict.fromkeys(("captcha", "recaptcha", "adsbygoogle", "advert", "advertisement"), 1_000),
}
ICONS = frozenset({"icon", "icons", "fa", "fas", "far", "bi", "ti", "mdi", "glyphicon", "dashicons", "ico"})


def is_unwanted(node: LexborNode, tag: str, articles: int) -> bool:
    attributes = node.attributes
    if not attributes:
        return tag == "dialog"
    if "class" in attributes or "id" in attributes:
        longest = _longest(attributes.get("id"), attributes.get("class"))
        if longest and tag not in WHOLE and _is_short(node, longest):
            return True
    if tag == "dialog" and "open" not in attributes:
        return True
    return not _HIDING.isdisjoint(attributes) and tag != "main" and _is_hidden(attributes, articles)


def _is_hidden(attributes: dict[str, str | None], articles: int) -> bool:
    style = attributes.get("style")
    role = attributes.get("role")
    return (
        "hidden" in attributes
        or attributes.get("aria-hidden") == "true"
        or bool(style and _UNSEEN.search(style))
        or role in ROLES
        or (role in FRAME_ROLES and not articles)
    )


@lru_cache(maxsize=4096)
def _longest(identity: str | None, classes: str | None) -> int:
    """Return the longest noise text that these names mark, 0 if none; cached, since sites reuse few classes."""
    words = {word.lower() for word in _WORDS.findall(f"{identity or ''} {classes or ''}"[:500])}
    return 0 if words & ICONS else max((MARKERS[word] for word in words & MARKERS.keys()), default=0)


def _is_short(node: LexborNode, longest: int) -> bool:
    """Return True if the element is short enough to be noise, so that no page is lost to a class name."""
    text = node.text()
    if len(text) > 10 * longest or len(" ".join(text.split())) > longest:
        return False
    return not node.css_matches("h1, main, article")
