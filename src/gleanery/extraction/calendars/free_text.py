"""Finds online links, contacts and phone owners in the free text of events. Pure."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from gleanery.extraction.draft import ContactDraft
from gleanery.extraction.values.emails import find_emails
from gleanery.extraction.values.phones import find_phones

MOST_CONTACTS = 20
LONGEST_BEFORE = 160  # characters before a phone searched for its owner

_WEB = (
    r"(?:онлайн|в интернет|online|on-line|virtual(?:ly)?|virtuell|en ligne|en línea|zoom|google meet|"
    r"(?:ms |microsoft )?teams|webex|skype|jitsi|livestream|live stream|youtube(?: live)?|facebook live|webinar)"
)
# Online; Zoom meeting; Virtual via Zoom; Online (link to come)
_ONLINE = re.compile(
    rf"{_WEB}(?:[\s/,&:–-]*(?:via|on|by|over|in|на|per|über|und|and|{_WEB}|meeting|event|call|only|link|room|събитие|среща|"
    r"veranstaltung))*\s*(?:\([^()]{0,80}\))?[.!:]?",
    re.IGNORECASE,
)
_MAP = re.compile(r"https?://(?:(?:www\.)?google\.[a-z.]{2,6}/maps|maps\.|goo\.gl/maps)", re.IGNORECASE)
_URL = re.compile(r"https?://[^\s<>\"']{4,500}")
# Programs add such a line above joining instructions.
_RULE = re.compile(r"^\s*[_\-=~*─━]{8,}\s*$", re.MULTILINE)
_CAPITAL = "A-ZÀ-ÞŁŚŠŽȘȚĂА-Я"
_WORD = rf"[{_CAPITAL}][\w’'-]+"
_FULL_NAME = rf"{_WORD}(?:\s(?:van|von|de|der|del|la|el)){{0,2}}(?:\s{_WORD}){{1,3}}"
_ROLE = r"[^\W\d_][\w’' -]{2,60}"
_CALL = (
    r"(?i:[,;:(\s–-]|tel\b\.?|тел\b\.?|telefon|phone|tél\b\.?|teléfono|mob\b\.?|моб\b\.?|gsm|call|телефон|на|at|unter)"
    r"{0,12}"
)
# Ways to name a person right before a phone, most specific first.
_OWNERS = (
    re.compile(rf"(?P<name>{_FULL_NAME})\s?\((?P<role>{_ROLE})\){_CALL}$"),
    re.compile(rf"(?P<name>{_FULL_NAME}),\s(?P<role>{_ROLE}),{_CALL}$"),
    re.compile(rf"(?:^|\n|[.;]\s)(?P<role>{_ROLE})\s?:\s?(?P<name>{_WORD}(?:\s{_WORD}){{0,3}}){_CALL}$"),
    re.compile(rf"(?P<name>{_FULL_NAME}){_CALL}$"),
)


def is_online(location: str) -> bool:
    """Return True for words such as online or Zoom, or a web address that is not a map."""
    found = _URL.search(location)
    words = (location[: found.start()] + location[found.end() :] if found else location).strip(" \n,;:-–()")
    if not words:
        return found is not None and not _MAP.match(found.group())
    return _ONLINE.fullmatch(words) is not None


def address_in(text: str) -> str:
    found = _URL.search(text)
    return found.group().rstrip(".,;)") if found else ""


def split_footer(description: str) -> tuple[str, str]:
    """Split a description into text and the footer added by a program."""
    words, *rest = _RULE.split(description, maxsplit=1)
    return words.strip(), "".join(rest).strip()


def contacts_in(text: str, country: str) -> list[ContactDraft]:
    """Return contacts for names right before a phone."""
    return list(_owners(text, country))[:MOST_CONTACTS]


def _owners(text: str, country: str) -> Iterator[ContactDraft]:
    for phone in find_phones(text, country):
        before = text[max(0, phone.start - LONGEST_BEFORE) : phone.start]
        for form in _OWNERS:
            if found := form.search(before):
                parts = found.groupdict()
                evidence = text[max(0, phone.start - 80) : phone.end]
                yield ContactDraft(
                    name=parts["name"].strip(),
                    role=(parts.get("role") or "").strip(),
                    phone=phone.e164,
                    evidence=f"icalendar: {evidence}",
                )
                break


def contact_of(text: str, country: str) -> ContactDraft | None:
    """Parse CONTACT: name, role, phone and e-mail in one line."""
    phones, mails = find_phones(text, country), find_emails(text)
    rest = text
    for phone in reversed(phones):
        rest = rest[: phone.start] + rest[phone.end :]
    for mail in mails:
        rest = re.sub(re.escape(mail.address), "", rest, flags=re.IGNORECASE)
    parts = [part.strip(" :;-–()") for part in re.split(r"[,\n;|]|\s[–-]\s", rest)]
    parts = [part for part in parts if part and not re.fullmatch(r"(?i)tel\.?|phone|тел\.?|e-?mail|mob\.?", part)]
    facts: dict[str, Any] = {
        "name": parts[0] if parts else "",
        "role": parts[1] if len(parts) > 1 else "",
        "phone": phones[0].e164 if phones else "",
        "email": mails[0].address if mails else "",
    }
    if not any(facts.values()):
        return None
    return ContactDraft(**facts, evidence=f"icalendar CONTACT: {text[:200]}")
