"""Parser for e-mail addresses in text, plain or obfuscated."""

from __future__ import annotations

import re
from typing import NamedTuple

LONGEST = 50_000
MOST = 200

_PLAIN = re.compile(
    r"(?<![\w.+%-])[a-z0-9](?:[\w.+%-]{0,62}[\w+%-])?@(?:[a-z0-9](?:[a-z0-9-]{0,62}[a-z0-9])?\.){1,6}[a-z]{2,24}"
    r"(?![\w@-])",
    re.IGNORECASE | re.ASCII,
)
_AT = (
    r"\s?(?:\[\s?(?:at|ät|@|ет|арт|кльомба|маймунско\s?а|arroba)\s?\]|\(\s?(?:at|@|ет|кльомба|arroba|"
    r"arobase)\s?\)|\{at\}|<at>)\s?"
)
_DOT = (
    r"\s?(?:\[\s?(?:dot|\.|точка|punkt|point|punto|punct)\s?\]|\(\s?(?:dot|\.|точка|punkt|point|punto|"
    r"punct)\s?\)|\{dot\})\s?"
)
_BRACKET = re.compile(r"[\[({<]")
_SPELT_AT = re.compile(_AT, re.IGNORECASE)
_SPELT_DOT = re.compile(_DOT, re.IGNORECASE)
_IN_CAPITALS = re.compile(r"(?<![\w.-])([\w.+-]{1,64}) AT ([\w-]{1,63}(?: DOT [\w-]{1,63}){1,4})(?![\w-])", re.ASCII)
_NO_SPAM = re.compile(r"[-_.]?(?:no-?spam|remove-?this|entfernen)[-_.]?", re.IGNORECASE)


class Email(NamedTuple):
    address: str
    start: int
    end: int


def reveal_hidden(text: str) -> str:
    """Return the text with obfuscated addresses written out, if brackets or capitals mark them."""
    text = text[:LONGEST]
    if "AT" in text:
        text = _IN_CAPITALS.sub(lambda match: f"{match[1]}@{match[2].replace(' DOT ', '.')}", text)
    if _BRACKET.search(text):
        spelt = _SPELT_AT.sub("@", text)
        if spelt != text:
            text = _SPELT_DOT.sub(".", spelt)
    return text


def find_emails(text: str) -> list[Email]:
    """Return addresses in order, in lower case. Positions refer to `reveal_hidden(text)`."""
    found = []
    if "@" in (text := reveal_hidden(text)):
        for match in _PLAIN.finditer(text):
            found.append(Email(_NO_SPAM.sub("", match.group()).lower(), match.start(), match.end()))
            if len(found) >= MOST:
                break
    return found
