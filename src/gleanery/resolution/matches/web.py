"""Where something is at home on the web: its site and its page, from an address. Pure."""

from __future__ import annotations

import re
from functools import lru_cache

from gleanery.domains.names import domain_of
from gleanery.errors import InvalidDomain

_BESIDE_PAGE = re.compile(r"^(?:https?://)?(?:www\.)?|[#?].*$")
# Who has an address there shares the host with strangers.
_HOSTS = """
    facebook.com fb.com fb.me instagram.com twitter.com x.com linkedin.com youtube.com youtu.be tiktok.com
    google.com goo.gl wordpress.com blogspot.com wixsite.com weebly.com business.site bit.ly linktr.ee
    tripadvisor.com yelp.com booking.com eventbrite.com eventbrite.co.uk meetup.com ticketmaster.com
    eventim.bg eventim.de ticketportal.cz allevents.in bandsintown.com github.io medium.com tumblr.com t.me
    telegram.me wa.me vk.com pinterest.com foursquare.com ubereats.com doordash.com grubhub.com opentable.com
    just-eat.com gmail.com yahoo.com hotmail.com outlook.com abv.bg mail.bg mail.ru gmx.de web.de aol.com
    icloud.com live.com msn.com comcast.net protonmail.com orange.fr free.fr wanadoo.fr libero.it seznam.cz
    wp.pl onet.pl o2.pl interia.pl t-online.de dir.bg jotform.com typeform.com docs.google.com wixstudio.com
"""
SHARED_HOSTS = frozenset(_HOSTS.split())


@lru_cache(maxsize=65_536)
def site(url: str) -> str:
    """The registrable domain, unless strangers share it."""
    try:
        name = domain_of(url) if url else None
    except InvalidDomain:
        return ""
    return "" if name is None or name.registrable in SHARED_HOSTS else name.registrable


def page(url: str) -> str:
    """The address without what makes no difference; nothing for the front page of a site, or of a host that is shared.

    Another host than the first is a page: branch.union.example, choir.wordpress.com.
    """
    bare = _BESIDE_PAGE.sub("", url.strip().casefold()).rstrip("/") if url else ""
    return "" if "/" not in bare and ("." not in bare or bare == site(url) or bare in SHARED_HOSTS) else bare
