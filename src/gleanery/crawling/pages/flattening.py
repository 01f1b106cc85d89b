"""Limits the depth and number of elements of HTML in linear time, without losing text."""

from __future__ import annotations

import re
from collections import Counter

DEEPEST = 200
MOST_ELEMENTS = 20_000
LONGEST_TAG = 4_096  # thousands of attributes on one element take the parser quadratic time

VOID = frozenset(str.split("area base br col embed hr img input link meta source track wbr"))
# One of these closes an open element of the same name.
SELF_ENDING = frozenset(str.split("p li tr td th dt dd option"))
INLINE = frozenset(str.split("a abbr b big cite code em font i kbd mark q s small span strike strong sub sup tt u"))

_HREF = re.compile(r"""\bhref\s{0,9}=\s{0,9}(?:"[^"]{0,4000}"|'[^']{0,4000}'|[^\s>"']{1,4000})""", re.IGNORECASE)
_REST = r"""(?:[^>"']|"[^"]{0,4000}"|'[^']{0,4000}'|["'])*+(?:>|\Z)"""
# Every alternative consumes all that it scanned, to the end of the text if need be, so the time stays linear.
_TOKEN = re.compile(
    rf"""<!--.*?(?:-->|\Z)
    |<(?P<opaque>script|style|title|textarea|xmp|iframe|noembed|noframes)(?=[\s/>]){_REST}.*?(?:</(?P=opaque)\s*>|\Z)
    |<(?P<end>/?)(?P<name>[a-z][^\s/>\0]{{0,99}}){_REST}""",
    re.IGNORECASE | re.DOTALL | re.VERBOSE,
)


def flattened(html: str) -> str:
    """Drop tags beyond the limits with their end tags, and close elements that are still open."""
    return _TOKEN.sub(Stack().take, html)


class Stack:
    """The open elements while flattening."""

    def __init__(self) -> None:
        self._open: list[str] = []
        self._kinds: Counter[str] = Counter()
        self._left_out: Counter[str] = Counter()
        self._elements = 0

    def take(self, token: re.Match[str]) -> str:
        """Return the replacement of this token."""
        if token["name"] is None:
            return token[0] if token["opaque"] else ""
        name = token["name"].lower()
        if token["end"]:
            return self._close(name)
        tag = token[0] if len(token[0]) <= LONGEST_TAG else _shortened(name, token[0])
        return self._void(tag) if name in VOID else self._enter(name, tag)

    def _void(self, tag: str) -> str:
        self._elements += 1
        return tag if self._elements <= MOST_ELEMENTS else "\n"

    def _enter(self, name: str, tag: str) -> str:
        before = ""
        if name == "a" and self._kinds["a"]:
            before = self._close("a")
        elif name in SELF_ENDING and self._open and self._open[-1] == name:
            before = self._pop()
        if self._elements >= MOST_ELEMENTS or len(self._open) >= DEEPEST:
            return before + self._leave_out(name, tag)
        self._elements += 1
        self._open.append(name)
        self._kinds[name] += 1
        return before + tag

    def _leave_out(self, name: str, tag: str) -> str:
        if name == "a":  # the link is kept, empty
            return self._void(f"{tag}</a>")
        self._left_out[name] += 1
        return _space(name)

    def _close(self, name: str) -> str:
        if self._left_out[name]:
            self._left_out[name] -= 1
            return _space(name)
        if not self._kinds[name]:
            return _space(name)
        # Closing each element by name keeps the parser from reopening bold and the like in every later paragraph.
        ends = [self._pop()]
        while self._kinds[name] and ends[-1] != f"</{name}>":
            ends.append(self._pop())
        return "".join(ends)

    def _pop(self) -> str:
        name = self._open.pop()
        self._kinds[name] -= 1
        return f"</{name}>"


def _shortened(name: str, tag: str) -> str:
    found = _HREF.search(tag)
    return f"<{name} {found[0]}>" if found else f"<{name}>"


def _space(name: str) -> str:
    """Return the separator a dropped tag leaves: blocks separate words."""
    return "" if name in INLINE else "\n"
