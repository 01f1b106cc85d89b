"""How a page shows that scripts make it."""

from __future__ import annotations

import re

from selectolax.lexbor import LexborHTMLParser

# How the text of a page came to be: as it was sent, only by scripts that did not run, by scripts that a browser ran.
PLAIN, WANTED, RENDERED = RENDERINGS = ("plain", "wanted", "rendered")
SENTENCE = "It has hardly any text and loads scripts: only a browser shows more."

FEWEST_LETTERS = 200

_LETTER = re.compile(r"[^\W\d_]")


def rendering_of(tree: LexborHTMLParser, text: str) -> str:
    """`text` is the main text of the page."""
    long = len(text) > 3 * FEWEST_LETTERS or len(_LETTER.findall(text)) >= FEWEST_LETTERS
    return PLAIN if long or tree.css_first("script[src]") is None else WANTED
