"""Console page of domains: search, filter, blacklist, lift."""

from __future__ import annotations

from decimal import Decimal
from typing import Any, ClassVar

from django.contrib import admin
from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponse
from unfold.decorators import display

from gleanery import words
from gleanery.accounts.console import RoleAdmin, actor_at, with_reason
from gleanery.domains import services
from gleanery.domains.models import Domain
from gleanery.domains.quality import with_quality
from gleanery.roles import Role

COLOURS = {
    "discovered": "info",
    "pending_crawl": "info",
    "processing": "warning",
    "processing_failed": "danger",
    "processed_high_quality": "success",
    "blacklisted": "danger",
}


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


@admin.register(Domain)
class DomainAdmin(RoleAdmin[Domain]):
    writer = Role.REVIEWER
    list_display = ("shown_name", "shown_status", "approval_status", "seen", "best", "discovered_at", "last_seen_at")
    list_filter = ("processing_status", "approval_status", QualityFilter, "is_trusted", "discovered_at")
    search_fields = ("name", "registrable", "notes", "blacklist_reason")
    ordering = ("-id",)
    actions: tuple[str, ...] = ("blacklist", "lift")
    fields: ClassVar[tuple[Any, ...]] = (
        ("name", "registrable"),
        ("processing_status", "approval_status"),
        ("discovered_at", "last_seen_at"),
        ("seen", "best"),
        ("blacklisted_at", "blacklisted_by", "blacklist_reason"),
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

    def save_model(self, request: HttpRequest, obj: Domain, form: Any, change: bool) -> None:
        """Only the notes: the rest of the row may have moved on since the page was opened."""
        services.set_notes(actor_at(request), obj, form.cleaned_data["notes"])

    @display(description="status", label=words.by_words(COLOURS), ordering="processing_status")
    def shown_status(self, domain: Domain) -> str:
        return words.of(domain.processing_status)

    @admin.action(description="Blacklist", permissions=["change"])
    def blacklist(self, request: HttpRequest, domains: QuerySet[Domain]) -> HttpResponse | None:
        def act(domain: Domain, reason: str) -> str:
            return f"{services.blacklist(actor_at(request), domain.name, reason)} is blacklisted."

        return with_reason(self, request, domains, act, "blacklist", "Blacklist these domains?")

    @admin.action(description="Lift the blacklist", permissions=["change"])
    def lift(self, request: HttpRequest, domains: QuerySet[Domain]) -> HttpResponse | None:
        def act(domain: Domain, reason: str) -> str:
            return f"{services.lift(actor_at(request), domain, reason)} is discovered again."

        return with_reason(self, request, domains, act, "lift", "Take these domains off the blacklist?")
