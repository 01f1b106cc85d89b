"""Console pages of domains: search, filter, blacklist and lift."""

from __future__ import annotations

from decimal import Decimal
from typing import Any, ClassVar

from django.contrib import admin
from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponse
from django.utils import timezone
from unfold.decorators import display

from gleanery import words
from gleanery.accounts.console import RoleAdmin, actor_at, attempt, with_reason
from gleanery.domains import facts, services
from gleanery.domains.effect import foreseen, sentence
from gleanery.domains.models import Domain
from gleanery.domains.quality import with_quality
from gleanery.roles import Role

PER_ROW = 2  # fields of a fieldset: with more, labels overlap
LONGEST_COUNT = 10  # digits that fit into a database integer
COLOURS = {
    "discovered": "info",
    "pending_crawl": "info",
    "processing": "warning",
    "processing_failed": "danger",
    "processed_high_quality": "success",
    "blacklisted": "danger",
}


def in_rows(*names: str) -> tuple[tuple[str, ...], ...]:
    """Return the fields in rows that fit a window 1280 pixels wide."""
    return tuple(names[at : at + PER_ROW] for at in range(0, len(names), PER_ROW))


class QualityFilter(admin.SimpleListFilter):
    title = "quality"
    parameter_name = "quality"

    def lookups(self, request: HttpRequest, model_admin: Any) -> list[tuple[str, str]]:
        return [("high", "judged high at least once"), ("low", "only judged low"), ("none", "not judged")]

    def queryset(self, request: HttpRequest, queryset: QuerySet[Domain]) -> QuerySet[Domain]:
        wanted = {
            "high": {"high_count__gt": 0},
            "low": {"high_count": 0, "low_count__gt": 0},
            "none": {"high_count": 0, "low_count": 0},
        }
        return queryset.filter(**wanted.get(self.value() or "", {}))


class HighCountFilter(admin.SimpleListFilter):
    """Filter by a minimum; the choices are examples, and the address accepts any number."""

    title = "high-quality candidates"
    parameter_name = "min_high_count"

    def lookups(self, request: HttpRequest, model_admin: Any) -> list[tuple[str, str]]:
        return [(str(least), f"at least {least}") for least in sorted({1, 2, 3, 5, 10, self._least() or 1})]

    def queryset(self, request: HttpRequest, queryset: QuerySet[Domain]) -> QuerySet[Domain]:
        wanted = {"high_count__gte": self._least()}
        return queryset.filter(**wanted) if self._least() else queryset

    def _least(self) -> int:
        given = str(self.value() or "")
        return int(given) if given.isascii() and given.isdigit() and len(given) < LONGEST_COUNT else 0


@admin.register(Domain)
class DomainAdmin(RoleAdmin[Domain]):
    writer = Role.REVIEWER
    list_display = ("shown_name", "shown_status", "approval_status", "seen", "best", "discovered_at", "last_seen_at")
    list_filter = (
        "processing_status",
        "approval_status",
        QualityFilter,
        HighCountFilter,
        "is_trusted",
        "discovered_at",
    )
    search_fields = ("name", "registrable", "notes", "blacklist_reason")
    ordering = ("-id",)
    actions: tuple[str, ...] = ("blacklist", "lift", "no_funds")
    fields: ClassVar[tuple[Any, ...]] = (
        *in_rows("name", "registrable", "processing_status", "approval_status", "discovered_at", "last_seen_at"),
        *in_rows("seen", "best", "average", "high", "low"),
        *in_rows(*facts.PROCESSED),
        *in_rows(*facts.FAILED),
        *in_rows(*facts.BLACKLISTED),
        "notes",
    )

    def get_queryset(self, request: HttpRequest) -> QuerySet[Domain]:
        return with_quality(super().get_queryset(request))

    def get_readonly_fields(self, request: HttpRequest, obj: Domain | None = None) -> list[str]:
        """Only notes are typed in; everything else changes by a decision."""
        flat = [name for row in self.fields for name in (row if isinstance(row, tuple) else (row,))]
        return [name for name in flat if name != "notes"]

    def has_add_permission(self, request: HttpRequest) -> bool:
        return False

    @display(description="domain", ordering="name")
    def shown_name(self, domain: Domain) -> str:
        return domain.display

    @display(description="times found", ordering="occurrences")
    def seen(self, domain: Domain) -> int:
        return int(getattr(domain, "occurrences", 0))

    @display(description="best confidence", ordering="best_confidence")
    def best(self, domain: Domain) -> Decimal | None:
        return getattr(domain, "best_confidence", None)

    @display(description="average confidence", ordering="average_confidence")
    def average(self, domain: Domain) -> Decimal | None:
        return getattr(domain, "average_confidence", None)

    @display(description="high-quality candidates", ordering="high_count")
    def high(self, domain: Domain) -> int:
        return int(getattr(domain, "high_count", 0))

    @display(description="low-quality candidates", ordering="low_count")
    def low(self, domain: Domain) -> int:
        return int(getattr(domain, "low_count", 0))

    def save_model(self, request: HttpRequest, obj: Domain, form: Any, change: bool) -> None:
        """Save only the notes: the rest of the row may have changed since the page was opened."""
        services.set_notes(actor_at(request), obj, form.cleaned_data["notes"])

    @display(description="status", label=words.by_words(COLOURS), ordering="processing_status")
    def shown_status(self, domain: Domain) -> str:
        return words.of(domain.processing_status)

    @admin.action(description="Blacklist", permissions=["change"])
    def blacklist(self, request: HttpRequest, domains: QuerySet[Domain]) -> HttpResponse | None:
        def act(domain: Domain, reason: str) -> str:
            done = services.blacklist(actor_at(request), domain.name, reason)
            return f"{done} is blacklisted. {sentence(done.followed)}"

        rows = domains.all()
        for row in rows:
            row.foreseen = foreseen(row)["said"]  # type: ignore[attr-defined]  # the page shows it
        return with_reason(self, request, rows, act, "blacklist", "Blacklist these domains?")

    @admin.action(description="Lift the blacklist", permissions=["change"])
    def lift(self, request: HttpRequest, domains: QuerySet[Domain]) -> HttpResponse | None:
        def act(domain: Domain, reason: str) -> str:
            done = services.lift(actor_at(request), domain, reason)
            return f"{done} is off the blacklist and starts over as discovered. {sentence(done.followed)}"

        return with_reason(self, request, domains, act, "lift", "Take these domains off the blacklist?")

    @admin.action(description="No funds this year", permissions=["change"])
    def no_funds(self, request: HttpRequest, domains: QuerySet[Domain]) -> None:
        def act(domain: Domain) -> str:
            year = timezone.now().year
            return f"{services.no_funds(actor_at(request), domain, year)} is read again after {year}."

        attempt(request, domains, act)
