"""Parser for phone numbers in text, returned in E.164 format."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import NamedTuple

import phonenumbers

LONGEST = 6_000
MOST = 200

# Countries without a leading zero; elsewhere a number without zero or plus is not a phone.
WITHOUT_TRUNK = frozenset(["ES", "PT", "IT", "GR", "CY", "PL", "CZ", "DK", "NO", "US", "CA", "LV", "EE", "MT", "LU"])

_CANDIDATE = re.compile(
    r"(?<![\w.,/–-])(?:\+\s?\d{1,3}[ \u00a0]?)?(?:\(\d{1,5}\)[ \u00a0]?[/–-]?[ \u00a0]?)?"
    r"\d(?:\d|[ \u00a0\u202f./\u2010-\u2014-]{1,3}(?=\d)){4,24}(?!\d)(?!\s?[€%$£])"
)
_FAX = re.compile(r"(?:\bfax|факс|télécopie)[\s.:№]*(?:\+?[\d\s()/.-]*)?$", re.IGNORECASE)
_PHONE_AND_FAX = re.compile(r"(?:tel|тел|phone|телефон)[^\d]{0,8}(?:fax|факс)[\s.:]*$", re.IGNORECASE)
_ACCOUNT = re.compile(
    r"\b[A-Z]{2}\d{2}[ \d A-Z]*$|\b(?:charity|company|registered|registration|reg|iban|siret|siren|ein|еик|"
    r"булстат|vat|cif|nif|cui|hrb|ust-?idnr|licen[cs]e)"
    r"[\s\w.:№]{0,14}$",
    re.IGNORECASE,
)
_DATE = re.compile(
    r"^(?:0?[1-9]|[12]\d|3[01])([./-])(?:0?[1-9]|1[0-2])\1(?:(?:19|20)\d\d|\d\d)(?![.\d])|(?:19|"
    r"20)\d\d\s?[-–/]\s?(?:19|20)\d\d"
)
_ALMOST_TWO = re.compile(r"\s[/,]\s?(?=0)|\s–\s?(?=0)")
LONGEST_CODES = (3, 2, 1)  # digits of a country code; no code is the beginning of another
FEWEST_DIGITS = 6
MOST_DIGITS = 15


class Phone(NamedTuple):
    e164: str
    start: int
    end: int


def e164(text: str, country: str) -> str:
    """Return +359888123456, or "" if the number is impossible. `country` applies to numbers without +."""
    written = re.sub(r"\(0\)", "", text[:60]) if "+" in text[:60] else text[:60]
    digits = re.sub(r"[^\d+]", "", re.split(r"(?i)ext|вътр|poste|int\.|durchwahl|;|#|x", written)[0])
    if digits.startswith("00"):
        digits = "+" + digits[2:]
    if not FEWEST_DIGITS <= len(digits.strip("+")) <= MOST_DIGITS or not (country or digits.startswith("+")):
        return ""
    if digits.startswith("+") and _is_plain(digits):
        return digits
    try:
        number = phonenumbers.parse(digits, country.upper() or None)
    except phonenumbers.NumberParseException:
        return ""
    if phonenumbers.is_possible_number_with_reason(number) != phonenumbers.ValidationResult.IS_POSSIBLE:
        return ""
    return phonenumbers.format_number(number, phonenumbers.PhoneNumberFormat.E164)


def _is_plain(digits: str) -> bool:
    """Return True if the number already is valid E.164, as most are, and needs no parsing."""
    if not digits.isascii() or not digits[1:].isdigit():
        return False
    for length in LONGEST_CODES:
        form = _format_of(digits[1 : 1 + length])
        if form is not None:
            rest = digits[1 + length :]
            return len(rest) in form.lengths and rest[0] != "0" and form.prefix.match(rest) is None
    return False


class NumberFormat(NamedTuple):
    """Number lengths of a country, and the trunk prefix that is dialled but not part of the number."""

    lengths: frozenset[int]
    prefix: re.Pattern[str]


@lru_cache(maxsize=1024)
def _format_of(code: str) -> NumberFormat | None:
    """Return the format for a country code, or None if the library must parse it."""
    regions = phonenumbers.COUNTRY_CODE_TO_REGION_CODE.get(int(code))
    facts = phonenumbers.PhoneMetadata.metadata_for_region(regions[0]) if regions and code[0] != "0" else None
    if facts is None or facts.general_desc is None:
        return None
    lengths = set(facts.general_desc.possible_length) - set(facts.general_desc.possible_length_local_only)
    return NumberFormat(frozenset(lengths), re.compile(facts.national_prefix_for_parsing or "(?!)"))


@lru_cache(maxsize=4096)  # several recognisers ask about the same lines
def find_phones(text: str, country: str) -> list[Phone]:
    """Return all phone numbers in order, without fax numbers, dates, sums and bank accounts."""
    found: list[Phone] = []
    text = text[:LONGEST]
    for match in _CANDIDATE.finditer(text):
        if len(found) >= MOST:
            break
        before = text[max(0, match.start() - 40) : match.start()]
        if _is_no_phone(match.group(), before):
            continue
        found.extend(_numbers_in(match, country))
    return found


def _is_no_phone(written: str, before: str) -> bool:
    if _DATE.search(written) or _ACCOUNT.search(before):
        return True
    return bool(_FAX.search(before) and not _PHONE_AND_FAX.search(before))


def _numbers_in(match: re.Match[str], country: str) -> list[Phone]:
    """Return the number, or the first of two numbers separated by a slash."""
    offset = match.start()
    for piece in [match.group(), *_ALMOST_TWO.split(match.group())]:
        if number := _number(piece, country):
            start = offset + match.group().index(piece)
            return [Phone(number, start, start + len(piece))]
    return []


def _number(written: str, country: str) -> str:
    lead = written.lstrip("( ")
    if not lead.startswith(("+", "0")) and country.upper() not in WITHOUT_TRUNK:
        return ""
    if not lead.startswith(("+", "0")) and len(re.sub(r"\D", "", written)) < 9:  # noqa: PLR2004 - the shortest of them
        return ""
    return e164(written, country)
