"""Normalised domain names: one form for all spellings of a host, or the reason why it is invalid."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache

import ada_url

from gleanery.domains.authority import has_control_characters, objection, split_address
from gleanery.domains.lookalikes import shown
from gleanery.domains.suffixes import is_under, registrable_of, suffix_list_date
from gleanery.errors import InvalidDomain
from gleanery.text import clean_text

__all__ = ["DomainName", "domain_of", "in_scope", "is_under", "suffix_list_date"]

LONGEST_INPUT = 8192  # no browser or search engine produces longer addresses
LONGEST_NAME = 253  # RFC 1035: 255 octets on the wire

# Letters, digits and inner hyphens (RFC 1123). An underscore names services, not sites, and gets no certificate.
_LABEL = re.compile(r"(?!-)[a-z0-9-]{1,63}(?<!-)")


@dataclass(frozen=True, slots=True, order=True)
class DomainName:
    """Normalised host; only `domain_of` makes one, so it needs no further checks."""

    name: str
    registrable: str

    @property
    def display(self) -> str:
        return shown(self.name)

    def __str__(self) -> str:
        return self.name


def domain_of(url_or_host: str) -> DomainName:
    """Return the domain of a web address or host name; InvalidDomain says why there is none."""
    return _domain_at(_host_in(url_or_host.strip()))


def in_scope(url: str, domain: DomainName) -> bool:
    """Return True if a web address is on the host of the domain, with or without www."""
    if not url.lstrip()[:8].lower().startswith(("http://", "https://")):
        return False
    try:
        return domain_of(url) == domain
    except InvalidDomain:
        return False


def _host_in(text: str) -> str:
    if not text:
        raise InvalidDomain("Enter a domain, such as example.org.")
    if len(text) > LONGEST_INPUT:
        raise _invalid(text, "is too long for a web address")
    if has_control_characters(text):
        raise _invalid(text, "contains line breaks or control characters")
    address = split_address(text)
    reason = objection(address) or ("has no host name" if not address.authority else None)
    if reason:
        raise _invalid(text, reason)
    return _parsed_host(text if address.scheme else f"https://{text.lstrip('/')}", text)


def _parsed_host(url: str, given: str) -> str:
    try:
        return ada_url.parse_url(url, ("hostname",))["hostname"]
    except ValueError:
        raise _invalid(given, "is not a web address or domain name") from None


@lru_cache(maxsize=16384)
def _domain_at(host: str) -> DomainName:
    """Return the domain of a host. Cached, because crawls and sessions ask for the same few hosts."""
    name = host.removesuffix(".")
    labels = name.split(".")
    if name.startswith("[") or labels[-1].isdigit():
        raise _invalid(host, "is a numeric address, not the name of a site")
    if len(name) > LONGEST_NAME:
        raise _invalid(host, f"is longer than the {LONGEST_NAME} characters that a domain name may have")
    for label in labels:
        _check(label, host)
    if len(labels) == 1:
        raise _invalid(host, "is a single word: a domain contains a dot, like example.org")
    return _without_www(name)


def _check(label: str, host: str) -> None:
    if not _LABEL.fullmatch(label):
        raise _invalid(
            host, "may have only letters, digits and hyphens between dots, at most 63, with no hyphen at either end"
        )
    # ada-url accepts broken xn-- labels if the whole host is ASCII. A label that does not survive decoding and encoding
    # would be a second name for another site, or for none.
    if label.startswith("xn--") and not _is_a_label(label):
        raise _invalid(host, "has a part that begins with xn-- but is not a valid international name")


def _is_a_label(label: str) -> bool:
    decoded = ada_url.idna_to_unicode(label)
    return not decoded.isascii() and ada_url.idna_to_ascii(decoded) == label.encode()


def _without_www(name: str) -> DomainName:
    registrable = registrable_of(name)
    if registrable is None:
        raise _invalid(name, "is an ending shared by many sites, not a site")
    # www.co.uk is a registrable name itself, and several www. may follow each other.
    while name.startswith("www.") and name != registrable:
        name = name.removeprefix("www.")
    return DomainName(name, registrable)


def _invalid(given: str, reason: str) -> InvalidDomain:
    return InvalidDomain(f"“{clean_text(given, limit=60)}” {reason}.")
