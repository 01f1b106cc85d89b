"""Elements that are marked for machines: which of them is within which, and what each says."""

from __future__ import annotations

from selectolax.lexbor import LexborNode

from gleanery.extraction.structured.page import Page, text_of

MOST_MARKED = 20_000
DEEPEST = 1_000

# Where these elements carry their value.
VALUES = {
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
# Of a link these properties want the address; others mean the words that can be clicked.
ADDRESSED = frozenset(str.split("url sameAs image logo photo item mainEntityOfPage contentUrl thumbnailUrl serviceUrl"))
REACHED = {"email": "mailto:", "telephone": "tel:"}


def marked_value(page: Page, node: LexborNode, attributes: dict[str, str | None], name: str) -> str:
    """What the element says for a property that is no thing of its own."""
    if (content := attributes.get("content")) is not None:
        return content
    carrier = VALUES.get(node.tag or "")
    if carrier and (said := attributes.get(carrier)) is not None:
        return page.identity(said) if carrier in ADDRESSES else said
    if node.tag == "a" and (href := attributes.get("href")):
        if name in ADDRESSED:
            return page.identity(href)
        if name in REACHED and href.lower().startswith(REACHED[name]):
            return href
    return text_of(node)


class Owners:
    """For each element the nearest one around it that is a thing; every step up is taken once."""

    def __init__(self, scopes: set[int]) -> None:
        self._scopes = scopes
        self._known: dict[int, int] = {}

    def of(self, node: LexborNode) -> int:
        """The mem_id of the thing around it, 0 if there is none."""
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
