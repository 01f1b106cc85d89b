"""Status of the providers: whether enabled, use of today's cap, last error."""

from __future__ import annotations

import os
from dataclasses import dataclass
from datetime import datetime

from gleanery import environment
from gleanery.discovery.models import Question
from gleanery.discovery.providers.registry import PROVIDERS, ProviderEntry, enabled
from gleanery.discovery.questions import used_today
from gleanery.environment import variable_of


@dataclass(frozen=True, slots=True)
class ProviderStatus:
    """Status of one provider."""

    provider: str
    on: bool
    setting: str
    used_today: int
    daily_cap: int | None
    last_error: str
    last_error_at: datetime | None

    @property
    def sentence(self) -> str:
        if not self.on:
            return f"off; set {self.setting} to enable it"
        cap = f"{self.used_today} of {self.daily_cap}" if self.daily_cap is not None else f"{self.used_today}"
        error = f"; last error: {self.last_error}" if self.last_error else ""
        return f"on, {cap} requests used today{error}"


def provider_status() -> list[ProviderStatus]:
    on = {provider.name: provider.daily_cap for provider in enabled(environment.read(os.environ))}
    return [_status(offer, offer.name in on, on.get(offer.name)) for offer in PROVIDERS]


def _status(offer: ProviderEntry, is_on: bool, cap: int | None) -> ProviderStatus:
    """Return a provider's status; an error is only shown if the latest query failed."""
    last = Question.objects.filter(provider=offer.name, answered_at__isnull=False).order_by("-asked_at").first()
    failed = last is not None and last.failure_kind != ""
    return ProviderStatus(
        provider=offer.name,
        on=is_on,
        setting=variable_of(offer.setting),
        used_today=used_today(offer.name),
        daily_cap=cap,
        last_error=last.failure if last and failed else "",
        last_error_at=last.asked_at if last and failed else None,
    )
