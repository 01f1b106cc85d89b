"""Site, host and page of a web address, as they are compared. Pure."""

from __future__ import annotations

import re
from functools import lru_cache

from gleanery.domains.names import domain_of
from gleanery.errors import InvalidDomain
from gleanery.matching.lists import words_in

_IGNORED = re.compile(r"^(?:https?://)?(?:www\.)?|#.*$|[?&](?:utm_\w+|fbclid|gclid|ref)=[^&#]*")


@lru_cache(maxsize=65_536)
def site(url: str) -> str:
    """Return the registrable domain, or nothing if unrelated sites share it."""
    try:
        name = domain_of(url) if url else None
    except InvalidDomain:
        return ""
    return "" if name is None or name.registrable in words_in("hosts") else name.registrable


@lru_cache(maxsize=65_536)
def host(url: str) -> str:
    """Return the host name, shared or not."""
    try:
        return domain_of(url).name if url else ""
    except InvalidDomain:
        return ""


def page(url: str) -> str:
    """Return the address without scheme, fragment and tracking parameters, or nothing for a front page.

    A subdomain counts as a page of its site: branch.union.example, choir.wordpress.com.
    """
    bare = _IGNORED.sub("", url.strip().casefold()).rstrip("/") if url else ""
    is_front = "/" not in bare and ("." not in bare or bare == site(url) or bare in words_in("hosts"))
    return "" if is_front else bare
