"""Where something is at home on the web: its site and its page, from an address. Pure."""

from __future__ import annotations

import re
from functools import lru_cache

from gleanery.domains.names import domain_of
from gleanery.errors import InvalidDomain
from gleanery.matching.lists import words_in

_BESIDE_PAGE = re.compile(r"^(?:https?://)?(?:www\.)?|#.*$|[?&](?:utm_\w+|fbclid|gclid|ref)=[^&#]*")


@lru_cache(maxsize=65_536)
def site(url: str) -> str:
    """Return the registrable domain, unless strangers share it."""
    try:
        name = domain_of(url) if url else None
    except InvalidDomain:
        return ""
    return "" if name is None or name.registrable in words_in("hosts") else name.registrable


@lru_cache(maxsize=65_536)
def host(url: str) -> str:
    """Return the name of the host, shared or not."""
    try:
        return domain_of(url).name if url else ""
    except InvalidDomain:
        return ""


def page(url: str) -> str:
    """Return the address without what makes no difference; nothing for a front page.

    Another host than the first of a site is a page: branch.union.example, choir.wordpress.com.
    """
    bare = _BESIDE_PAGE.sub("", url.strip().casefold()).rstrip("/") if url else ""
    is_front = "/" not in bare and ("." not in bare or bare == site(url) or bare in words_in("hosts"))
    return "" if is_front else bare
