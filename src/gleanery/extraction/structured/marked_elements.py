"""Elements with microdata or RDFa attributes: their nesting and their values."""

from __future__ import annotations

from selectolax.lexbor import LexborNode

from gleanery.extraction.structured.html_page import HtmlPage, text_of

MOST_MARKED = 20_000
DEEPEST = 1_000

# Attribute that holds the value of an element.
VALUE_ATTRIBUTES = {
    "link": "href",
    "area": "href",
    "img": "src",
    "audio": "src",
    "embed": "src",
    "iframe": "src",
    "source": "src",
    "track": "src",
    "video": "src",
    "object": "data",
    "data": "value",
    "meter": "value",
    "time": "datetime",
}
ADDRESSES = frozenset({"href", "src", "data"})
# Properties that take the address of a link; others take its text.
ADDRESS_PROPERTIES = frozenset(
    str.split("url sameAs image logo photo item mainEntityOfPage contentUrl thumbnailUrl serviceUrl")
)
CONTACT_PREFIXES = {"email": "mailto:", "telephone": "tel:"}


def marked_value(page: HtmlPage, node: LexborNode, attributes: dict[str, str | None], name: str) -> str:
    """Return the value of a property that is not a nested item."""
    if (content := attributes.get("content")) is not None:
        return content
    carrier = VALUE_ATTRIBUTES.get(node.tag or "")
    if carrier and (stated := attributes.get(carrier)) is not None:
        return page.identity(stated) if carrier in ADDRESSES else stated
    if node.tag == "a" and (href := attributes.get("href")):
        if name in ADDRESS_PROPERTIES:
            return page.identity(href)
        if name in CONTACT_PREFIXES and href.lower().startswith(CONTACT_PREFIXES[name]):
            return href
    return text_of(node)


class Owners:
    """Finds the nearest enclosing item of an element, with results cached along the way up."""

    def __init__(self, scopes: set[int]) -> None:
        self._scopes = scopes
        self._known: dict[int, int] = {}

    def of(self, node: LexborNode) -> int:
        """Return the mem_id of the enclosing item, or 0."""
        passed: list[int] = []
        above = node.parent
        owner = 0
        while above is not None and len(passed) < DEEPEST:
            here = above.mem_id
            if here in self._scopes:
                owner = here
                break
            if here in self._known:
                owner = self._known[here]
                break
            passed.append(here)
            above = above.parent
        for each in passed:
            self._known[each] = owner
        return owner
