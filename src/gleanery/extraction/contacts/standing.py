"""What a contact is for and what they may do, as far as their role, name or mailbox says so. Pure."""

from __future__ import annotations

import re
from typing import NamedTuple

from gleanery.extraction.draft import ContactDraft


class Sign(NamedTuple):
    """Words that say it; the first that fits counts."""

    says: str
    words: re.Pattern[str]


def _sign(says: str, *stems: str) -> Sign:
    """Words that begin with one of these."""
    return Sign(says, re.compile(rf"\b(?:{'|'.join(stems)})", re.IGNORECASE))


TYPES = (
    _sign("press", "press", "media", "communications", "прес", "медии", "комуникаци", "presse", "medien", "prensa"),
    _sign("volunteers", "volunt", "доброволц", "freiwillig", "ehrenamt", "bénévol"),
    _sign(
        "programme officer",
        *("programme", "program ", "grants?\\b", "funding", "projects?\\b", "програм", "проект", "грант", "финансиран"),
        *("förder", "projekt", "programm", "subvention"),
    ),
    _sign("bookings", "booking", "tickets?\\b", "box office", "reserv", "билет", "каса", "резервац", "karten", "kasse"),
    _sign(
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
AUTHORITY = (
    _sign(
        "advises",
        *("advis", "consult", "coordinat", "officer", "assistant", "deputy", "expert", "specialist", "консулт"),
        *("координатор", "експерт", "специалист", "сътрудник", "съветник", "зам", "berat", "referent", "coordin"),
    ),
    _sign(
        "decides",
        *("director", "chair", "president", "head\\b", "chief", "manager", "mayor", "principal", "founder", "owner"),
        *("директор", "председател", "управител", "ръководител", "кмет", "началник", "leit", "geschäftsführ"),
        *("vorstand", "vorsitz", "président", "direct"),
    ),
    _sign(
        "forwards",
        *("info\\b", "office\\b", "contact", "reception", "secretar", "enquir", "hello\\b", "mail\\b", "инфо", "офис"),
        *("деловодств", "секретар", "рецепц", "kontakt", "sekretar", "zentrale", "accueil"),
    ),
)


def type_of(contact: ContactDraft) -> str:
    """Such as press or general; empty where nothing says so."""
    return _said(TYPES, contact)


def authority_of(contact: ContactDraft) -> str:
    """Whether they decide, advise or forward; empty where nothing says so."""
    return _said(AUTHORITY, contact)


def _said(signs: tuple[Sign, ...], contact: ContactDraft) -> str:
    """The role says more than the mailbox, since one mailbox serves many."""
    mailbox = contact.email.partition("@")[0].replace(".", " ")
    for text in filter(None, (contact.role, mailbox)):
        for sign in signs:
            if sign.words.search(text):
                return sign.says
    return ""
