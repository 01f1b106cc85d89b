"""Pages of the live site made ready for a static copy: relative links, and nothing that only a server can do. Pure."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from selectolax.lexbor import LexborHTMLParser, LexborNode

from gleanery.publishing.static_site import addresses

LINKS: Final = (("a", "href"), ("link", "href"), ("img", "src"), ("script", "src"), ("form", "action"))
LINKED: Final = ", ".join(f"{tag}[{name}]" for tag, name in LINKS)
EMPTY_WITHOUT: Final = ("li", "p", "nav")  # elements that go with the last link in them
Target = Callable[[str], str]  # the link of the live site -> an address of the copy, a whole address, or nothing


def rewritten(page: str, html: str, target: Target) -> str:
    """`target` gives an address that begins with / for what the copy has; what it gives nothing for is taken out."""
    tree = LexborHTMLParser(html)
    names = dict(LINKS)
    for node in tree.css(LINKED):
        name = names[node.tag or ""]
        link = node.attributes.get(name) or ""
        if not (addresses.is_internal(link) or link.startswith("?")):
            continue
        if found := target(link):
            node.attrs[name] = addresses.relative(found, page) if found.startswith("/") else found
        else:
            _take_out(node)
    return f"<!doctype html>\n{tree.root.html if tree.root else ''}\n"


def _take_out(node: LexborNode) -> None:
    parent = node.parent
    node.decompose()
    if parent is not None and parent.tag in EMPTY_WITHOUT and not parent.text(strip=True):
        parent.decompose()
