"""The state of the providers: which are on, how much of today's cap is used, the last error."""

from __future__ import annotations

import os
from dataclasses import dataclass
from datetime import datetime

from gleanery import environment
from gleanery.discovery.models import Question
from gleanery.discovery.providers.registry import PROVIDERS, enabled
from gleanery.discovery.questions import used_today
from gleanery.environment import variable_of


@dataclass(frozen=True, slots=True)
class ProviderStatus:
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
            return f"off; set {self.setting} to turn it on"
        cap = f"{self.used_today} of {self.daily_cap}" if self.daily_cap is not None else f"{self.used_today}"
        error = f"; last error: {self.last_error}" if self.last_error else ""
        return f"on, {cap} requests used today{error}"


def provider_status() -> list[ProviderStatus]:
    on = {provider.name: provider for provider in enabled(environment.read(os.environ))}
    return [
        ProviderStatus(
            provider=offer.name,
            on=offer.name in on,
            setting=variable_of(offer.setting),
            used_today=used_today(offer.name),
            daily_cap=on[offer.name].daily_cap if offer.name in on else None,
            **_last_error(offer.name),
        )
        for offer in PROVIDERS
    ]


def _last_error(provider: str) -> dict[str, object]:
    """Of the latest question only: a provider that answers again has no error to show."""
    last = Question.objects.filter(provider=provider, answered_at__isnull=False).order_by("-asked_at").first()
    if last is None or not last.failure_kind:
        return {"last_error": "", "last_error_at": None}
    return {"last_error": last.failure, "last_error_at": last.asked_at}
