"""The list of providers, and those that the environment enables."""

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


class ProviderEntry(NamedTuple):
    """A provider, enabled by its setting. `origin` is the vendor's; for SearXNG the setting is the address."""

    name: str
    setting: str
    origin: str
    make: Callable[[str, bool, str], Provider]


PROVIDERS = (
    ProviderEntry(BraveSearch.name, "brave_api_key", "https://api.search.brave.com", BraveSearch),
    ProviderEntry(SearXNG.name, "searxng_url", "", lambda base, _operator, url: SearXNG(base or url)),
    ProviderEntry(Serper.name, "serper_api_key", "https://google.serper.dev", Serper),
    ProviderEntry(Tavily.name, "tavily_api_key", "https://api.tavily.com", Tavily),
    ProviderEntry(Perplexity.name, "perplexity_api_key", "https://api.perplexity.ai", Perplexity),
)


def enabled(environment: Environment) -> tuple[Provider, ...]:
    """Return the enabled providers, at the vendor's address or the one the operator set instead."""
    known = {offer.name for offer in PROVIDERS}
    if unknown := sorted(environment.provider_urls.keys() - known):
        raise BadSetting(
            f"{variable_of('provider_urls')} names {unknown[0]!r}. Possible are {', '.join(sorted(known))}."
        )
    return tuple(made(offer, environment) for offer in PROVIDERS if getattr(environment, offer.setting))


def made(offer: ProviderEntry, environment: Environment) -> Provider:
    """Return a provider; its key is checked, since it goes into a header."""
    value: str = getattr(environment, offer.setting)
    if offer.origin and not KEY.fullmatch(value):
        raise BadSetting(f"{variable_of(offer.setting)} has characters that no key has. Copy it again.")
    other = environment.provider_urls.get(offer.name)
    return offer.make(other or offer.origin, other is not None, value)
