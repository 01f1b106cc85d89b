"""Filters of the queue in the console, with the same names as in the API."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from django.contrib.admin import SimpleListFilter
from django.db.models import QuerySet
from django.http import HttpRequest

from gleanery import words
from gleanery.discovery.models import Topic
from gleanery.review.life import ITEM, KINDS
from gleanery.review.models import Item
from gleanery.review.models import Warning as Row
from gleanery.review.queue.item_list import DUPLICATES, filtered

Lookups = list[tuple[str, str]]


class StatusFilter(SimpleListFilter):
    """Filter by status that shows pending items by default."""

    title = "status"
    parameter_name = "status"

    def lookups(self, request: HttpRequest, model_admin: Any) -> Lookups:
        return words.labelled((*ITEM.states[1:], "all"))

    def choices(self, changelist: Any) -> Iterator[Any]:
        first, *others = super().choices(changelist)
        yield {**first, "display": words.of(ITEM.first)}
        yield from others

    def queryset(self, request: HttpRequest, queryset: QuerySet[Item]) -> QuerySet[Item]:
        wanted = self.value() or ITEM.first
        return queryset if wanted == "all" else filtered(queryset, status=wanted)


class QueueFilter(SimpleListFilter):
    def queryset(self, request: HttpRequest, queryset: QuerySet[Item]) -> QuerySet[Item]:
        return filtered(queryset, **{str(self.parameter_name): self.value()}) if self.value() else queryset  # type: ignore[arg-type]


class KindFilter(QueueFilter):
    title = "kind"
    parameter_name = "kind"

    def lookups(self, request: HttpRequest, model_admin: Any) -> Lookups:
        return words.labelled(KINDS)


class WarningFilter(QueueFilter):
    title = "warning"
    parameter_name = "warning"

    def lookups(self, request: HttpRequest, model_admin: Any) -> Lookups:
        codes = Row.objects.filter(item__status="pending").values_list("code", flat=True).distinct().order_by("code")
        asked = request.GET.get("warning")
        known = sorted({*codes, *([asked] if asked else [])} - {DUPLICATES})
        return [(DUPLICATES, "any possible duplicate"), *words.labelled(known)]


class TopicFilter(QueueFilter):
    title = "topic"
    parameter_name = "topic"

    def lookups(self, request: HttpRequest, model_admin: Any) -> Lookups:
        return list(Topic.objects.order_by("title").values_list("name", "title"))


class ClaimedFilter(SimpleListFilter):
    title = "claimed"
    parameter_name = "claimed"

    def lookups(self, request: HttpRequest, model_admin: Any) -> Lookups:
        return [("yes", "by somebody"), ("no", "by nobody")]

    def queryset(self, request: HttpRequest, queryset: QuerySet[Item]) -> QuerySet[Item]:
        wanted = {"yes": True, "no": False}.get(self.value() or "")
        return filtered(queryset, claimed=wanted)
