"""Frames around the content: menus and adverts are dropped, headers, footers and asides are marked."""

from __future__ import annotations

import re
from functools import lru_cache

from selectolax.lexbor import LexborNode

DROPPED = frozenset(
    str.split(
        "script style template noscript svg nav iframe object embed canvas audio video map input select textarea "
        "button datalist output progress meter head title base link meta del s strike dialog"
    )
)
TAGS = {"header": "header", "footer": "footer", "aside": "aside"}
NOISY = str.split("navigation search menu alert dialog")
ROLES = {"banner": "header", "contentinfo": "footer", "complementary": "aside", **dict.fromkeys(NOISY, "noise")}
# Words in classes and ids, in several languages.
WORDS = {
    "footer": "footer foot fuss fuß pied pie bottom bot jos copyright colophon ft credits",
    "header": "header masthead kopf cabecera brand logo topbar hd sus head",
    "aside": "sidebar aside related teaser similar recommended also more recent latest archive testimonials reviews "
    "quotes partners sponsors noutati",
    "noise": "nav navbar navigation menu breadcrumb breadcrumbs crumb crumbs fil cookie cookies consent gdpr advert "
    "advertisement byline meta posted ad ads adv reclama werbung publicite publicidad popup "
    "modal share social pager pagination comments "
    "comment cm paywall preloader newsletter banner promo skip hidden",
}
WORD_FRAMES = {word: frame for frame, words in WORDS.items() for word in words.split()}
# A box with more of the page than this is content, whatever its name.
LARGEST_SHARE = 0.5
# Some frameworks wrap a whole page in a form; real forms hold little text.
LARGEST_FORM = 0.3

_WORD = re.compile(r"[^\W\d_]+")
_UNSEEN = re.compile(r"display\s*:\s*none|visibility\s*:\s*hidden", re.IGNORECASE)


def is_hidden(node: LexborNode) -> bool:
    attributes = node.attributes
    if not attributes:
        return False
    return (
        "hidden" in attributes
        or attributes.get("aria-hidden") == "true"
        or bool((style := attributes.get("style")) and _UNSEEN.search(style))
    )


def frame_of(node: LexborNode, tag: str, size: int) -> str:
    """Return header, footer, aside or noise, or "" for content."""
    if tag == "form":
        return "noise" if _share(node, size) <= LARGEST_FORM else ""
    frame = TAGS.get(tag, "")
    if attributes := node.attributes:
        named = f"{attributes.get('id') or ''} {attributes.get('class') or ''}"
        frame = ROLES.get(attributes.get("role") or "", frame) or _named(named[:200])
    if frame and tag not in ("main", "body", "article") and _share(node, size) <= LARGEST_SHARE:
        return frame
    return ""


@lru_cache(maxsize=1024)  # few names, hundreds of elements
def _named(named: str) -> str:
    words = (word.lower() for word in _WORD.findall(named))
    return next((WORD_FRAMES[word] for word in words if word in WORD_FRAMES), "")


def _share(node: LexborNode, size: int) -> float:
    return len(node.text()) / size if size else 0.0
