"""Contact type and decision authority, derived from role and mailbox. Pure."""

from __future__ import annotations

import re
from typing import NamedTuple

from gleanery.extraction.draft import ContactDraft


class WordRule(NamedTuple):
    """A label and the words that imply it; the first rule that matches wins."""

    says: str
    words: re.Pattern[str]


def _rule(says: str, *stems: str) -> WordRule:
    """Build a rule that matches words beginning with one of the stems."""
    return WordRule(says, re.compile(rf"\b(?:{'|'.join(stems)})", re.IGNORECASE))


TYPES = (
    _rule("press", "press", "media", "communications", "прес", "медии", "комуникаци", "presse", "medien", "prensa"),
    _rule("volunteers", "volunt", "доброволц", "freiwillig", "ehrenamt", "bénévol"),
    _rule(
        "programme officer",
        *("programme", "program ", "grants?\\b", "funding", "projects?\\b", "програм", "проект", "грант", "финансиран"),
        *("förder", "projekt", "programm", "subvention"),
    ),
    _rule("bookings", "booking", "tickets?\\b", "box office", "reserv", "билет", "каса", "резервац", "karten", "kasse"),
    _rule(
        "general",
        *("info\\b", "office\\b", "contact", "general", "reception", "hello\\b", "mail\\b", "secretar", "enquir"),
        *(
            "инфо",
            "деловодств",
            "офис",
            "секретар",
            "рецепц",
            "за контакт",
            "kontakt",
            "sekretar",
            "zentrale",
            "accueil",
        ),
    ),
)
AUTHORITIES = (
    _rule(
        "advises",
        *("advis", "consult", "coordinat", "officer", "assistant", "deputy", "expert", "specialist", "консулт"),
        *("координатор", "експерт", "специалист", "сътрудник", "съветник", "зам", "berat", "referent", "coordin"),
    ),
    _rule(
        "decides",
        *("director", "chair", "president", "head\\b", "chief", "manager", "mayor", "principal", "founder", "owner"),
        *("директор", "председател", "управител", "ръководител", "кмет", "началник", "leit", "geschäftsführ"),
        *("vorstand", "vorsitz", "président", "direct"),
    ),
    _rule(
        "forwards",
        *("info\\b", "office\\b", "contact", "reception", "secretar", "enquir", "hello\\b", "mail\\b", "инфо", "офис"),
        *("деловодств", "секретар", "рецепц", "kontakt", "sekretar", "zentrale", "accueil"),
    ),
)


def type_of(contact: ContactDraft) -> str:
    """Return the contact type, such as press or general, or "" if unknown."""
    return _classify(TYPES, contact)


def authority_of(contact: ContactDraft) -> str:
    """Return decides, advises or forwards, or "" if unknown."""
    return _classify(AUTHORITIES, contact)


def _classify(signs: tuple[WordRule, ...], contact: ContactDraft) -> str:
    """Match the role first, then the mailbox, which is often shared."""
    mailbox = contact.email.partition("@")[0].replace(".", " ")
    for text in filter(None, (contact.role, mailbox)):
        for sign in signs:
            if sign.words.search(text):
                return sign.says
    return ""
