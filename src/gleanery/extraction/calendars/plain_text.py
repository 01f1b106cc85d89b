"""Removes escapes, tags and entities from calendar text, and a status from event names. Pure."""

from __future__ import annotations

import html
import re

ROUNDS = 3  # of repeated escaping
LONGEST_REASON = 60

_ESCAPED = re.compile(r"\\([\\,;:\"nN])")
# Escapes left after the first round were escaped twice; C:\new is a path.
_LEFT = re.compile(r"\\{1,8}([,;\"])")
_LEFT_BREAK = re.compile(r"(?<![A-Za-z]:)\\{1,8}[nN](?![a-z]{2,}\\)")
_BLOCKS = re.compile(r"</?(?:p|div|br|li|ul|ol|tr|table|h[1-6]|hr|blockquote|section|article)\b[^<>]*>", re.IGNORECASE)
_HIDDEN = re.compile(r"<(?:script|style)\b[^<>]*>[^<]*", re.IGNORECASE)
_TAGS = re.compile(
    r"</?(?:a|b|i|u|s|em|strong|span|font|small|big|sub|sup|img|html|head|body|title|meta|td|th|tbody|thead|center|code|"
    r"pre|label|mark|strike|del|ins|o:p|script|style|iframe|video|source|figure|figcaption|wbr|address|time|button)"
    r"\b[^<>]*>|<!--[^<>]*-->|<!DOCTYPE[^<>]*>",
    re.IGNORECASE,
)

_CANCELLED = (
    r"cancell?ed|(?-i:CANCEL)|отменен[аоия]?|отменя се|abgesagt|entfällt|annulée?|cancelad[oa]|annullat[oa]|geannuleerd"
)
_POSTPONED = r"postponed|отложен[аоия]?|verschoben|reportée?|aplazad[oa]|pospuest[oa]|rinviat[oa]|uitgesteld"
_RESCHEDULED = r"rescheduled"
_ANY = rf"(?P<cancelled>{_CANCELLED})|(?P<postponed>{_POSTPONED})|(?P<rescheduled>{_RESCHEDULED})"
_REASON = rf"(?:\s(?:due|because|for|until|till|to|wegen|поради|por|à cause)\b[^:\[\]()]{{1,{LONGEST_REASON}}}?)?"
_NAMES = (
    # [Cancelled] Choir; CANCELED: Choir; *Postponed* - Choir; Cancelled due to rain: Choir
    re.compile(rf"^\W*(?:{_ANY}){_REASON}\s*[\]):!*~–—|-]+\s*(?P<name>.+)$", re.IGNORECASE | re.DOTALL),
    # Choir - CANCELLED due to rain; Choir (cancelled); Choir/Cancelled
    re.compile(
        rf"^(?P<name>.+?)(?:\s*[\[(:/|*~]+|\s*[–—]+|\s-+|-\s)\s*(?:{_ANY})"
        rf"(?:,[^:\[\]()]{{1,{LONGEST_REASON}}}|{_REASON})\s*[\])!*~.]*$",
        re.IGNORECASE | re.DOTALL,
    ),
    # In capitals no punctuation is needed: CANCELLED Choir
    re.compile(rf"^(?-i:(?=[A-ZА-Я]{{6,}}\s))(?:{_ANY})\s+(?P<name>.+)$", re.IGNORECASE | re.DOTALL),
    re.compile(rf"^(?P<name>.+?)\s(?-i:(?=[A-ZА-Я]{{6,}}[!.*]*$))(?:{_ANY})[!.*]*$", re.IGNORECASE | re.DOTALL),
)
_ALONE = re.compile(rf"\W*(?:{_ANY})\W*", re.IGNORECASE)
_STATUS = re.compile(_ANY, re.IGNORECASE)


def unescaped(value: str) -> str:
    """Return a text value without its backslash escapes, once or twice applied."""
    if "\\" not in value:
        return value
    text = _ESCAPED.sub(lambda found: "\n" if found[1] in "nN" else found[1], value)
    return _LEFT_BREAK.sub("\n", _LEFT.sub(r"\1", text)) if "\\" in text else text


def plain(value: str) -> str:
    """Return a text value without escapes, tags and entities."""
    text = unescaped(value)
    for _ in range(ROUNDS):
        before = text
        if "<" in text:
            text = _TAGS.sub("", _BLOCKS.sub("\n", _HIDDEN.sub("", text)))
        if "&" in text:
            text = html.unescape(text)
        if text == before:
            break
    return text


def status_in(name: str) -> tuple[str, str]:
    """Split a status such as "cancelled" off a name. Return the name and the status, or ""."""
    if not _STATUS.search(name):
        return name, ""
    if alone := _ALONE.fullmatch(name):
        return name, alone.lastgroup or ""
    for form in _NAMES:
        if found := form.match(name):
            left = found["name"].strip().rstrip(" -–—:|~*")
            status = next(key for key, value in found.groupdict().items() if value and key != "name")
            return (left or name), status
    return name, ""
