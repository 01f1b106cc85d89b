"""How two records agree in how they are reached and registered: phone, web site, mailbox, official number. Pure."""

from __future__ import annotations

from string import ascii_lowercase

from gleanery.resolution.matches.tongues import are_foreign
from gleanery.resolution.matches.traits import Traits, sites
from gleanery.resolution.matches.web import SHARED_HOSTS
from gleanery.resolution.matches.web import site as site_of

FEWEST_DIGITS = 7


def phone(one: Traits, other: Traits) -> str:
    here, there = one.phone.lstrip("+0"), other.phone.lstrip("+0")
    if not here or not there:
        return ""
    if here == there:
        return "same"
    short, long = (here, there) if len(here) <= len(there) else (there, here)
    if not long.endswith(short):
        return "other"
    return "same" if len(short) >= FEWEST_DIGITS else "local"


def site(one: Traits, other: Traits) -> str:
    """A mailbox tells the site of one; two mailboxes of one host are no site."""
    if one.page and other.page and _is_under(one.page, other.page):
        return "page"
    if one.site in sites(other) or other.site in sites(one):
        if one.site != other.site or not _are_parted(one, other):
            return "same"
        return "pages" if are_foreign(one.tongue, other.tongue) else "apart"
    return "other" if one.site and other.site else ""


def _are_parted(one: Traits, other: Traits) -> bool:
    """Two pages of one site, or two of its hosts: a branch of the Red Cross at sofia.redcross.example."""
    here, there = one.page.partition("/")[0] or one.site, other.page.partition("/")[0] or other.site
    return here != there or bool(one.page and other.page)


def _is_under(one: str, other: str) -> bool:
    if one == other:
        return True
    short, long = sorted((one, other), key=len)
    # What is under one member's page is theirs.
    return long.startswith(short + "/") and site_of(f"https://{short}") == ""


def email(one: Traits, other: Traits) -> str:
    if not one.email or not other.email:
        return ""
    if one.email == other.email:
        return "same"
    here, there = one.email.rpartition("@")[2], other.email.rpartition("@")[2]
    return "site" if here == there and here not in SHARED_HOSTS else "other"


def official_id(one: Traits, other: Traits) -> str:
    """Numbers that are written in two ways are of two registers: neither speaks against the other."""
    here, there = one.official_id, other.official_id
    if not here or not there:
        return ""
    if here == there or _differ_in_letters_that_one_leaves_out(here, there):
        return "same"
    return "other" if _are_of_one_register(here, there) else ""


def _differ_in_letters_that_one_leaves_out(one: str, other: str) -> bool:
    """100NTO-043 and NTO 100043, which is kept without them; not KA210-SCH and KA210-YOU."""
    bare, whole = sorted((one, other), key=str.isdigit, reverse=True)
    return bare.isdigit() and len(bare) >= FEWEST_DIGITS - 1 and bare == "".join(filter(str.isdigit, whole))


def _are_of_one_register(one: str, other: str) -> bool:
    """By the letters before the number, or by how long numbers without letters are."""
    here, there = (each[: len(each) - len(each.lstrip(ascii_lowercase))] for each in (one, other))
    return here == there and (here != "" or abs(len(one) - len(other)) <= 1)
