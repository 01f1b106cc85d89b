"""Parsing of proposed sources, a whole site or one page, by rules about names only."""

from __future__ import annotations

from collections.abc import Container
from dataclasses import dataclass

import ada_url
from django.utils.translation import gettext as _

from gleanery.domains.authority import split_address
from gleanery.domains.names import DomainName, domain_of, is_under
from gleanery.domains.urls import canonical_url
from gleanery.errors import Invalid, InvalidDomain, InvalidUrl
from gleanery.text import clean_text

DEFAULT_DEPTH = 3
DEEPEST = 6
SLOW_FROM = 4

# Endings that are never public: RFC 6761, 6762, 7686, 8375, 9476, the list of ICANN, and common router names.
# (.example and .test are reserved too, but demos and tests need them.)
PRIVATE_ENDINGS = (
    "alt",
    "arpa",
    "corp",
    "home",
    "internal",
    "intranet",
    "invalid",
    "lan",
    "local",
    "localdomain",
    "localhost",
    "mail",
    "onion",
    "private",
)
USUAL_PORTS = {"", "80", "443"}


@dataclass(frozen=True, slots=True)
class Proposal:
    """Proposed domain, or with `url` one page of it."""

    name: DomainName
    url: str = ""


def proposal_of(given: str, own_names: Container[str] = ()) -> Proposal:
    """Return the proposed domain or page; Invalid says why not. `own_names` are intranet hosts that are allowed."""
    text = given.strip()
    name = domain_of(text)
    if name.name not in own_names and any(is_under(name.name, ending) for ending in PRIVATE_ENDINGS):
        raise InvalidDomain(
            f"“{clean_text(name.name, limit=60)}” belongs to a private network. Only public sites can be submitted."
        )
    url = canonical_url(text if split_address(text).scheme else f"https://{text.lstrip('/')}")
    parts = ada_url.parse_url(url, ("port", "pathname", "search"))
    if parts["port"] not in USUAL_PORTS:
        raise InvalidUrl(f"“{clean_text(text, limit=60)}” has an unusual port. Only sites on the usual ports are read.")
    is_homepage = parts["pathname"] == "/" and not parts["search"]
    return Proposal(name, "" if is_homepage else url)


def check_depth(depth: int | None) -> None:
    if depth is not None and not 0 <= depth <= DEEPEST:
        raise Invalid(f"The depth must be a number from 0 (the homepage only) to {DEEPEST}.")


def warnings_about(depth: int | None) -> tuple[str, ...]:
    if depth is None or depth < SLOW_FROM:
        return ()
    warning = _("Depth %(depth)s can be slow: large sites have very many pages that deep, and 2 or 3 does for most.")
    return (warning % {"depth": depth},)
