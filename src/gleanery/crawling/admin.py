"""Console pages for crawls, updated live while they run, and for pages with their snapshots."""

from __future__ import annotations

from datetime import datetime
from typing import Any
from uuid import UUID

from django.contrib import admin
from django.db.models import Count, Q, QuerySet
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect
from django.template.loader import render_to_string
from django.template.response import TemplateResponse
from django.urls import URLPattern, path, reverse
from django.utils.safestring import SafeString
from unfold.decorators import display

from gleanery import words
from gleanery.accounts.console import RoleAdmin, actor_at, attempt
from gleanery.crawling import numbers, services
from gleanery.crawling.crawl_lifecycle import OPEN
from gleanery.crawling.models import Crawl, Page, Snapshot
from gleanery.roles import Role

COLOURS = {"waiting": "info", "running": "warning", "completed": "success", "failed": "danger", "cancelled": "danger"}
LONGEST_EXCERPT = 5_000
LONGEST_ADDRESS = 70
MOST_ADDRESSES = 500
# A crawl has no editable field.
NOTHING_TO_SAVE = {"show_save": False, "show_save_and_continue": False, "show_close": True}


@admin.register(Crawl)
class CrawlAdmin(RoleAdmin[Crawl]):
    writer = Role.REVIEWER
    list_display = ("domain", "kind", "shown_status", "kept", "refused", "failed", "queued", "started_at", "ended")
    list_filter = ("status", "kind", "created_at", ("session", admin.RelatedOnlyFieldListFilter))
    search_fields = ("domain__name",)
    list_select_related = ("domain",)
    ordering = ("-id",)
    actions = ("cancel",)
    change_form_template = "console/crawl.html"
    fields = ("domain",)
    readonly_fields = ("domain",)

    def get_queryset(self, request: HttpRequest) -> QuerySet[Crawl]:
        def count(*states: str) -> Count:
            return Count("visits", filter=Q(visits__state__in=states))

        counted = {"n_kept": count("stored", "unchanged", "noted"), "n_queued": count("queued")}
        counted |= {"n_refused": count("refused"), "n_failed": count("failed")}
        return super().get_queryset(request).annotate(**counted)

    def has_add_permission(self, request: HttpRequest) -> bool:
        return False

    def get_urls(self) -> list[URLPattern]:
        live = self.admin_site.admin_view(self.live)
        stop = self.admin_site.admin_view(self.stop)
        return [
            path("<uuid:crawl_id>/live/", live, name="crawling_crawl_live"),
            path("<uuid:crawl_id>/stop/", stop, name="crawling_crawl_stop"),
            *super().get_urls(),
        ]

    def change_view(
        self, request: HttpRequest, object_id: str, form_url: str = "", extra_context: dict[str, Any] | None = None
    ) -> HttpResponse:
        found = self.get_object(request, object_id)
        live = _live(found, self._may_write(request)) if found else {}
        context = {**(extra_context or {}), **NOTHING_TO_SAVE, **live}
        answer: HttpResponse = super().change_view(request, object_id, form_url, context)
        return answer

    def live(self, request: HttpRequest, crawl_id: UUID) -> HttpResponse:
        """Render the part of the page that is reloaded every two seconds while the crawl runs."""
        crawl = get_object_or_404(Crawl, pk=crawl_id)
        return TemplateResponse(request, "console/crawl_live.html", _live(crawl, self._may_write(request)))

    def stop(self, request: HttpRequest, crawl_id: UUID) -> HttpResponse:
        crawl = get_object_or_404(Crawl, pk=crawl_id)
        if request.method == "POST":
            attempt(request, [crawl], lambda each: f"{services.cancel(actor_at(request), each)} was cancelled.")
        return redirect(reverse("admin:crawling_crawl_change", args=[crawl.pk]))

    @admin.action(description="Cancel", permissions=["change"])
    def cancel(self, request: HttpRequest, crawls: QuerySet[Crawl]) -> None:
        attempt(request, crawls, lambda each: f"{services.cancel(actor_at(request), each)} was cancelled.")

    @display(description="status", label=words.by_words(COLOURS))
    def shown_status(self, crawl: Crawl) -> str:
        return words.of(crawl.status)

    @display(description="ended", ordering="completed_at")
    def ended(self, crawl: Crawl) -> datetime | None:
        return crawl.completed_at

    @display(description="pages kept", ordering="n_kept")
    def kept(self, crawl: Crawl) -> int:
        return int(getattr(crawl, "n_kept", 0))

    @display(description="pages refused", ordering="n_refused")
    def refused(self, crawl: Crawl) -> int:
        return int(getattr(crawl, "n_refused", 0))

    @display(description="pages failed", ordering="n_failed")
    def failed(self, crawl: Crawl) -> int:
        return int(getattr(crawl, "n_failed", 0))

    @display(description="pages waiting", ordering="n_queued")
    def queued(self, crawl: Crawl) -> int:
        return int(getattr(crawl, "n_queued", 0))


def _live(crawl: Crawl, may_cancel: bool) -> dict[str, Any]:
    found = numbers.of_crawl(crawl.pk)
    met = sum(found.states.values())
    percent = round(100 * found.visited / met) if met else 0
    goes_on = crawl.status in OPEN
    visits = crawl.visits.exclude(state="queued").order_by("depth", "id")[:MOST_ADDRESSES]
    return {
        "crawl": crawl,
        "numbers": found,
        "percent": percent,
        "goes_on": goes_on,
        "may_cancel": may_cancel and goes_on,
        "addresses": found.last if goes_on else visits,
    }


@admin.register(Page)
class PageAdmin(RoleAdmin[Page]):
    """Every address that responded, and when it is next due."""

    list_display = ("address", "status", "last_changed_at", "due_at", "why_then")
    list_filter = ("last_status", "last_changed_at", "due_at")
    search_fields = ("url", "domain__name")
    ordering = ("due_at",)
    fields = (
        "url",
        ("domain", "depth"),
        ("first_fetched_at", "last_fetched_at"),
        ("last_changed_at", "last_status"),
        ("due_at", "due_reason"),
        "text",
        "history",
    )

    def get_queryset(self, request: HttpRequest) -> QuerySet[Page]:
        """Leave out snapshots, which are large; only the page of one address loads them."""
        return super().get_queryset(request).select_related("domain")

    @display(description="page", ordering="url")
    def address(self, page: Page) -> str:
        return page.url if len(page.url) <= LONGEST_ADDRESS else page.url[: LONGEST_ADDRESS - 1] + "…"

    @display(description="HTTP status", ordering="last_status")
    def status(self, page: Page) -> int:
        return page.last_status

    @display(description="reason", ordering="due_reason")
    def why_then(self, page: Page) -> str:
        return page.due_reason

    @display(description="text")
    def text(self, page: Page) -> SafeString:
        """Render the text of the current snapshot, escaped."""
        now = page.current_snapshot
        text = now.text if now else ""
        context = {"snapshot": now, "excerpt": text[:LONGEST_EXCERPT], "is_cut": len(text) > LONGEST_EXCERPT}
        return render_to_string("console/snapshot.html", context)

    @display(description="snapshots")
    def history(self, page: Page) -> SafeString:
        kept = Snapshot.objects.filter(page=page).only("id", "title", "fetched_at", "raw_size").order_by("-fetched_at")
        return render_to_string("console/snapshots.html", {"snapshots": kept, "current": page.current_snapshot_id})
