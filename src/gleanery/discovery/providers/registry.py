"""Which providers there are, and which of them the environment turns on."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import NamedTuple

from gleanery.discovery.providers.brave_search import BraveSearch
from gleanery.discovery.providers.perplexity import Perplexity
from gleanery.discovery.providers.provider import Provider
from gleanery.discovery.providers.searxng import SearXNG
from gleanery.discovery.providers.serper import Serper
from gleanery.discovery.providers.tavily import Tavily
from gleanery.environment import Environment, variable_of
from gleanery.errors import BadSetting

KEY = re.compile("[!-~]+")


class Offer(NamedTuple):
    """A provider is on when its setting is set. `origin` is the vendor's; SearXNG's setting is its own address."""

    name: str
    setting: str
    origin: str
    make: Callable[[str, bool, str], Provider]


PROVIDERS = (
    Offer(BraveSearch.name, "brave_api_key", "https://api.search.brave.com", BraveSearch),
    Offer(SearXNG.name, "searxng_url", "", lambda base, _operator, url: SearXNG(base or url)),
    Offer(Serper.name, "serper_api_key", "https://google.serper.dev", Serper),
    Offer(Tavily.name, "tavily_api_key", "https://api.tavily.com", Tavily),
    Offer(Perplexity.name, "perplexity_api_key", "https://api.perplexity.ai", Perplexity),
)


def enabled(environment: Environment) -> tuple[Provider, ...]:
    """Those whose setting is set, at the vendor's address or at the one that the operator named instead."""
    known = {offer.name for offer in PROVIDERS}
    if unknown := sorted(environment.provider_urls.keys() - known):
        raise BadSetting(f"{variable_of('provider_urls')} names {unknown[0]!r}: it can be {', '.join(sorted(known))}.")
    return tuple(made(offer, environment) for offer in PROVIDERS if getattr(environment, offer.setting))


def made(offer: Offer, environment: Environment) -> Provider:
    """A key goes into a header, where a line break or another alphabet would be something else."""
    value: str = getattr(environment, offer.setting)
    if offer.origin and not KEY.fullmatch(value):
        raise BadSetting(f"{variable_of(offer.setting)} holds characters that no key has: copy it again.")
    other = environment.provider_urls.get(offer.name)
    return offer.make(other or offer.origin, other is not None, value)
