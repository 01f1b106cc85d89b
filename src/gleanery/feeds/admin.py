"""Console pages of feeds: list, state, sample, and actions."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from django.contrib import admin, messages
from django.core.exceptions import PermissionDenied
from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.template.loader import render_to_string
from django.template.response import TemplateResponse
from django.urls import reverse
from django.utils.safestring import SafeString
from unfold.decorators import display

from gleanery import words
from gleanery.accounts.console import CodeFilter, RoleAdmin, actor_at, attempt, with_reason
from gleanery.domains import registry
from gleanery.errors import GleaneryError
from gleanery.feeds import feed_details, services
from gleanery.feeds.models import Feed
from gleanery.feeds.reading import checking
from gleanery.roles import Role
from gleanery.text import counted

MOST_CHECKED = 3  # the user waits for them
MOST_PROBLEMS = 5
COLOURS = {"found": "info", "approved": "success", "left_out": "warning", "stopped": "danger", "removed": "danger"}


@admin.register(Feed)
class FeedAdmin(RoleAdmin[Feed]):
    """Console page of a feed; only its source and address are entered by hand."""

    writer = Role.REVIEWER
    list_display = ("shown_title", "domain", "shown_platform", "shown_state", "shown_events", "read_at", "due_at")
    list_filter = ("state", ("platform", CodeFilter))
    search_fields = ("url", "title", "domain__name")
    list_select_related = ("domain",)
    ordering = ("-id",)
    actions = ("approve", "leave_out", "check_now", "remove")
    fields = (
        ("title", "domain"),
        ("url", "found_on"),
        ("shown_platform", "found_at"),
        ("shown_state", "shown_sentence"),
        ("read_at", "due_at"),
        "failures",
        "brought",
    )
    readonly_fields = ("shown_platform", "shown_state", "shown_sentence", "brought")

    def get_queryset(self, request: HttpRequest) -> QuerySet[Feed]:
        return super().get_queryset(request).defer("digest")

    def add_view(
        self, request: HttpRequest, form_url: str = "", extra_context: dict[str, Any] | None = None
    ) -> HttpResponse:
        """Add a feed to a source after reading it once."""
        if not self.has_add_permission(request):
            raise PermissionDenied
        typed = {name: request.POST.get(name, "") for name in ("domain", "url")}
        if request.method == "POST" and self._is_added(request, **typed):
            return redirect(reverse("admin:feeds_feed_changelist"))
        context = {**self.admin_site.each_context(request), "title": "Add a feed", "opts": self.opts, "typed": typed}
        return TemplateResponse(request, "console/feed_add.html", context)

    def _is_added(self, request: HttpRequest, domain: str, url: str) -> bool:
        try:
            feed = checking.add(actor_at(request), registry.find(domain), url)
        except GleaneryError as problem:
            messages.error(request, str(problem))
            return False
        messages.success(request, f"{feed.label} was added as a feed of {feed.domain.display}.")
        return True

    def has_change_permission(self, request: HttpRequest, obj: Feed | None = None) -> bool:
        """Allow changes through actions only."""
        return obj is None and super().has_change_permission(request)

    def _each(self, request: HttpRequest, rows: QuerySet[Feed], act: Callable[[Feed], Any], result: str) -> None:
        def done(feed: Feed) -> str:
            act(feed)
            return f"{feed.title or feed.url} {result}."

        attempt(request, rows, done)

    @admin.action(description="Approve and read regularly", permissions=["change"])
    def approve(self, request: HttpRequest, rows: QuerySet[Feed]) -> None:
        self._each(
            request,
            rows,
            lambda feed: services.approve(actor_at(request), feed),
            "is approved and will be read regularly",
        )

    @admin.action(description="Leave out", permissions=["change"])
    def leave_out(self, request: HttpRequest, rows: QuerySet[Feed]) -> None:
        self._each(request, rows, lambda feed: services.leave_out_feed(actor_at(request), feed), "is left out")

    @admin.action(description="Test: read now without storing", permissions=["change"])
    def check_now(self, request: HttpRequest, rows: QuerySet[Feed]) -> None:
        def read(feed: Feed) -> str:
            found = checking.check_feed(feed)
            summary = [f"{feed.title or feed.url} has {counted(len(found.drafts), 'event')}. Nothing was stored."]
            return " ".join([*summary, *found.content.problem_list[:MOST_PROBLEMS]])

        attempt(request, rows[:MOST_CHECKED], read)

    @admin.action(description="Remove", permissions=["change"])
    def remove(self, request: HttpRequest, rows: QuerySet[Feed]) -> HttpResponse | None:
        def act(feed: Feed, reason: str) -> str:
            services.remove(actor_at(request), feed, reason)
            return f"{feed.title or feed.url} was removed."

        return with_reason(self, request, rows, act, "remove", "Remove these feeds?")

    @display(description="feed", ordering="title")
    def shown_title(self, feed: Feed) -> str:
        return feed.title or feed.url

    @display(description="platform", ordering="platform")
    def shown_platform(self, feed: Feed) -> str:
        return feed.label

    @display(description="state", label=words.by_words(COLOURS), ordering="state")
    def shown_state(self, feed: Feed) -> str:
        return words.of(feed.state)

    @display(description="last result")
    def shown_sentence(self, feed: Feed) -> str:
        return feed_details.status_sentence(feed)

    @display(description="events")
    def shown_events(self, feed: Feed) -> int:
        return feed.brings

    @display(description="content")
    def brought(self, feed: Feed) -> SafeString:
        return render_to_string("console/feed_brings.html", {"feed": feed_details.feed_details(feed)})
