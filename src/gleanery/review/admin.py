"""Console pages of the review queue, and of an item with its dossier and decisions."""

from __future__ import annotations

from decimal import Decimal
from itertools import groupby
from typing import Any
from uuid import UUID

from django.contrib import admin
from django.contrib.admin.views.main import ChangeList
from django.db.models import QuerySet
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.template.response import TemplateResponse
from django.urls import URLPattern, path, reverse
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString
from django.utils.text import Truncator
from unfold.decorators import display

from gleanery import words
from gleanery.accounts.console import RoleAdmin, actor_at, attempt, with_reason
from gleanery.resolution.presenting.record_detail import shown
from gleanery.review import record_admin, source_admin
from gleanery.review.models import Item, Warning  # noqa: A004  # the word of the queue
from gleanery.review.queue import claims, filters
from gleanery.review.queue.item_list import queue, submitter_of
from gleanery.review.queue.warning_text import name_now
from gleanery.review.records import record_decisions
from gleanery.review.services import allowed_actions, decide
from gleanery.review.sources.dossier import dossier_of
from gleanery.review.together import admin as together
from gleanery.roles import Role

__all__ = ["ItemAdmin", "record_admin", "source_admin"]  # Django imports only this module

CONTEXT_SHOWN = 80
STATUS = {"pending": "info", "approved": "success", "merged": "success", "rejected": "danger", "superseded": "warning"}
PREVIEW = {"waiting": "info", "running": "info", "completed": "success", "failed": "danger", "cancelled": "warning"}


@admin.register(Item)
class ItemAdmin(RoleAdmin[Item]):
    writer = Role.REVIEWER
    list_display = (
        "shown_subject",
        "shown_kind",
        "shown_warnings",
        "shown_topic",
        "shown_confidence",
        "shown_came",
        "shown_submission",
        "shown_preview",
        "shown_claim",
        "shown_status",
        "opened_at",
    )
    list_filter = (
        filters.StatusFilter,
        filters.KindFilter,
        filters.WarningFilter,
        filters.TopicFilter,
        filters.ClaimedFilter,
    )
    search_fields = ("domain__name", "domain__candidate__organization", "record__name")
    ordering = ("-id",)
    actions = ("approve", "reject")
    list_before_template = "console/queue_before.html"

    def get_queryset(self, request: HttpRequest) -> QuerySet[Item]:
        return queue()

    def get_changelist_instance(self, request: HttpRequest) -> ChangeList:
        found = super().get_changelist_instance(request)
        name_now(found.result_list)
        return found

    def has_add_permission(self, request: HttpRequest) -> bool:
        return False

    def get_urls(self) -> list[URLPattern]:
        act = self.admin_site.admin_view(self.act)
        return [
            path("causes/", self.admin_site.admin_view(self.causes), name="review_item_causes"),
            path("causes/<str:cause_id>/", self.admin_site.admin_view(self.cause), name="review_item_cause"),
            path("<uuid:item_id>/act/", act, name="review_item_act"),
            *super().get_urls(),
        ]

    def causes(self, request: HttpRequest) -> HttpResponse:
        return together.list_page(request, self.admin_site)

    def cause(self, request: HttpRequest, cause_id: str) -> HttpResponse:
        return together.page(request, self.admin_site, cause_id, may=self.has_change_permission(request))

    def change_view(
        self, request: HttpRequest, object_id: str, form_url: str = "", extra_context: dict[str, Any] | None = None
    ) -> HttpResponse:
        return self._page(request, self._found(request, object_id))

    def _page(self, request: HttpRequest, item: Item, refused: str = "") -> HttpResponse:
        """Return the page of an item with a form per possible action; a refused form keeps what was typed."""
        name_now([item])
        context = {**self.admin_site.each_context(request), "opts": self.opts, "title": str(item), "item": item}
        context |= {"dossier": dossier_of(item.domain) if item.domain else None, "holder": claims.holder_of(item)}
        context |= {"record": item.record, "taken_for": record_decisions.taken_for(item)}
        context["shown"] = shown(item.record) if item.record else None
        may = allowed_actions(actor_at(request), item)
        context["may"] = may if not refused or refused in may else [*may, refused]
        context |= {"refused": refused, "typed": request.POST.dict() if refused else {}}
        return TemplateResponse(request, "console/review_item.html", context)

    def act(self, request: HttpRequest, item_id: UUID) -> HttpResponse:
        """Act on an item; return to the queue after a decision, and to the item after everything else."""
        item, action = self._found(request, str(item_id)), request.POST.get("action", "")
        if request.method == "POST":
            done = attempt(request, [item], lambda each: self._done(request, each, action))
            if not done and action == "reject" and self.has_change_permission(request):
                return self._page(request, claims.find(item_id), action)
        if action in ("approve", "reject", "merge") and claims.find(item_id).status != "pending":
            return redirect(reverse("admin:review_item_changelist"))
        return redirect(reverse("admin:review_item_change", args=[item_id]))

    def _found(self, request: HttpRequest, item_id: str) -> Item:
        item = self.get_object(request, item_id)
        if item is None:
            raise Http404("There is no such review item.")
        return item

    def _done(self, request: HttpRequest, item: Item, action: str) -> str:
        actor, given = actor_at(request), request.POST
        if action in ("claim", "release"):
            getattr(claims, action)(actor, item)
            return f"You have claimed {item} for 15 minutes." if action == "claim" else f"{item} is released."
        version = int(given["version"]) if given.get("version", "").isdecimal() else None
        details: dict[str, Any] = {}
        if action == "reject":
            details = {"reason": given.get("reason", ""), "blacklist": "blacklist" in given}
        elif action == "approve" and given.getlist("leave_out"):
            details = {"leave_out": given.getlist("leave_out")}
        elif action == "merge":
            details = {"merge_into": given.get("merge_into", "")}
        return decide(actor, item, action, version=version, **details).said

    @admin.action(description="Approve", permissions=["change"])
    def approve(self, request: HttpRequest, items: QuerySet[Item]) -> HttpResponse | None:
        """Approve items; possible duplicates only after it was confirmed that they are different."""
        confirmed = request.POST.getlist("told_apart")
        asked = [item for item in items if (key := record_decisions.confirmation_key(item)) and key not in confirmed]
        clear = [item for item in items if item not in asked]
        attempt(request, clear, lambda item: decide(actor_at(request), item, "approve").said)
        if not asked:
            return None
        rows = [(item, record_decisions.confirmation_key(item), record_decisions.taken_for(item)) for item in asked]
        context = {**self.admin_site.each_context(request), "title": "Are these different?", "opts": self.opts}
        return TemplateResponse(request, "console/approve.html", {**context, "rows": rows, "changed": bool(confirmed)})

    @admin.action(description="Reject", permissions=["change"])
    def reject(self, request: HttpRequest, items: QuerySet[Item]) -> HttpResponse | None:
        def act(item: Item, reason: str) -> str:
            return decide(actor_at(request), item, "reject", reason=reason).said

        return with_reason(self, request, items, act, "reject", "Reject these?")

    @display(description="about", ordering="domain__name")
    def shown_subject(self, item: Item) -> str:
        return item.domain.display if item.domain else str(item)

    @display(description="kind")
    def shown_kind(self, item: Item) -> str:
        return item.record.kind if item.record else item.kind

    @display(description="warnings")
    def shown_warnings(self, item: Item) -> SafeString | str:
        """Return each kind of warning once, with its sentences as a tooltip."""
        warnings = sorted(
            item.warnings.all(), key=lambda each: (each.code, -each.detail.get("probability", 0), each.pk)
        )
        kinds = [list(rows) for _, rows in groupby(warnings, key=lambda each: each.code)]
        rows = ((" ".join(each.sentence for each in kind), _in_short(kind)) for kind in kinds)
        return format_html_join(", ", '<span title="{}">{}</span>', rows) or "–"

    @display(description="topic", ordering="topic")
    def shown_topic(self, item: Item) -> str:
        return getattr(item, "topic", None) or "–"

    @display(description="confidence", ordering="confidence")
    def shown_confidence(self, item: Item) -> Decimal | str:
        return getattr(item, "confidence", None) or "–"

    @display(description="how it came", ordering="came")
    def shown_came(self, item: Item) -> str:
        return str(getattr(item, "came", ""))

    @display(description="submitted by")
    def shown_submission(self, item: Item) -> SafeString | str:
        """Return the submitter with the beginning of their text; all of it is in the tooltip."""
        who = submitter_of(item)
        context = item.domain.submission_context if item.domain else ""
        if not who or not context:
            return who or "–"
        return format_html('{}: <span title="{}">{}</span>', who, context, Truncator(context).chars(CONTEXT_SHOWN))

    @display(description="preview", label=words.by_words(PREVIEW))
    def shown_preview(self, item: Item) -> str:
        return words.of(str(getattr(item, "preview", "")))

    @display(description="claimed by")
    def shown_claim(self, item: Item) -> str:
        return claims.holder_of(item) or "–"

    @display(description="status", label=words.by_words(STATUS), ordering="status")
    def shown_status(self, item: Item) -> str:
        return words.of(item.status)


def _in_short(kind: list[Warning]) -> str:
    """Return the kind of warning, the number of them, and the name of the most likely duplicate."""
    first = kind[0]
    many = f" ({len(kind)})" if len(kind) > 1 else ""
    name = first.detail.get("candidate_name")
    return f"{words.of(first.code)}{many}" + (f": {name}" if name else "")
