"""Detects pages whose content is built by scripts."""

from __future__ import annotations

import re

from selectolax.lexbor import LexborHTMLParser

# plain: the text is in the page as sent. wanted: only scripts would add the text. rendered: a browser ran the scripts.
PLAIN, WANTED, RENDERED = RENDERINGS = ("plain", "wanted", "rendered")
NEEDS_BROWSER = "It has hardly any text and loads scripts: only a browser shows more."

FEWEST_LETTERS = 200

_LETTER = re.compile(r"[^\W\d_]")


def rendering_of(tree: LexborHTMLParser, text: str) -> str:
    """Return PLAIN or WANTED for a page with this main text."""
    long = len(text) > 3 * FEWEST_LETTERS or len(_LETTER.findall(text)) >= FEWEST_LETTERS
    return PLAIN if long or tree.css_first("script[src]") is None else WANTED
