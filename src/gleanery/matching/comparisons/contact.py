"""Compares phones, web addresses, e-mail addresses and official numbers. Pure."""

from __future__ import annotations

from gleanery.matching.comparison import EVERY, Comparison, Level
from gleanery.matching.facts import Facts
from gleanery.matching.lists import words_in
from gleanery.matching.pair import Pair

FEWEST_DIGITS = 7
EACH_HAS_A_PAGE = ("event", "opportunity")  # on a site that lists several


def _phone(pair: Pair) -> str:
    here, there = pair.one.phone.lstrip("+0"), pair.other.phone.lstrip("+0")
    if not here or not there:
        return ""
    short, long = sorted((here, there), key=len)
    if not long.endswith(short):
        return "other"
    if len(short) < FEWEST_DIGITS and short != long:
        return "local"
    return "crowd" if pair.rarity.is_crowded("phone", pair.one.phone) else "same"


def _web(pair: Pair) -> str:
    one, other = pair.one, pair.other
    if one.page and one.page == other.page:
        return "page"
    if one.page and other.page and one.host == other.host and one.kind in EACH_HAS_A_PAGE:
        return "pages"
    here, there = _sites(one), _sites(other)
    if here & there:
        return "crowd" if any(pair.rarity.is_crowded("site", each) for each in here & there) else "site"
    return "other" if one.site and other.site else ""


def _sites(one: Facts) -> set[str]:
    """Return the web sites of a record, including the domain of its e-mail address."""
    mail = one.email.rpartition("@")[2]
    return {one.site, "" if mail in words_in("hosts") else mail} - {""}


def _email(pair: Pair) -> str:
    here, there = pair.one.email, pair.other.email
    if not here or not there:
        return ""
    return "same" if here == there else "other"


def _official_id(pair: Pair) -> str:
    here, there = pair.one.official_id, pair.other.official_id
    if not here or not there:
        return ""
    if here == there or _digits(here) == _digits(there) != "":
        return "same"
    return "other" if here.isdigit() == there.isdigit() and abs(len(here) - len(there)) <= 1 else ""


def _digits(text: str) -> str:
    digits = "".join(filter(str.isdigit, text))
    return digits if len(digits) >= FEWEST_DIGITS - 1 else ""


PHONE = Comparison(
    "phone",
    EVERY,
    _phone,
    (
        Level("same", "They have the same phone number."),
        Level("local", "Their phone numbers end with the same digits."),
        Level("crowd", "They have the same phone number, but so do many others."),
        Level("other", "They have different phone numbers."),
    ),
    is_ranked=False,
)
WEB = Comparison(
    "web",
    EVERY,
    _web,
    (
        Level("page", "Both point to the same page."),
        Level("site", "They have the same web site."),
        Level("crowd", "They have the same web site, but so do many others."),
        Level("other", "They have different web sites."),
        Level("pages", "The same site has a separate page for each of them."),
    ),
    is_ranked=False,
)
EMAIL = Comparison(
    "e-mail",
    EVERY,
    _email,
    (Level("same", "They have the same e-mail address."), Level("other", "They have different e-mail addresses.")),
)
OFFICIAL_ID = Comparison(
    "official id",
    EVERY,
    _official_id,
    (
        Level("same", "They have the same official number."),
        Level("other", "They have different official numbers.", veto=True),
    ),
)
