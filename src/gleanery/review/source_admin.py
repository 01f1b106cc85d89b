"""Console page of a domain, extended by the decisions about it as a source."""

from __future__ import annotations

from collections.abc import Callable
from copy import copy
from typing import Any, ClassVar
from uuid import UUID

from django import forms
from django.contrib import admin
from django.db.models import Field as ModelField
from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import URLPattern, path, reverse
from django.utils.html import format_html
from django.utils.http import urlencode
from django.utils.safestring import SafeString
from unfold.decorators import display

from gleanery.accounts.console import actor_at, attempt, with_reason
from gleanery.domains import facts
from gleanery.domains import services as domains
from gleanery.domains.admin import DomainAdmin, in_rows
from gleanery.domains.life import APPROVAL, BLACKLISTED
from gleanery.domains.models import Domain
from gleanery.review.models import Item
from gleanery.review.sources import source_decisions
from gleanery.review.sources.locked_source import Decision
from gleanery.review.sources.pace import LIMITS
from gleanery.roles import Role

PACE = {column: short for short, (column, *_) in LIMITS.items()}
ACTS: dict[str, Callable[..., Decision]] = {
    "approve": source_decisions.approve,
    "reject": source_decisions.reject,
    "suspend": source_decisions.suspend,
    "resume": source_decisions.resume,
    "undo": source_decisions.undo,
    "trust": source_decisions.trust,
    "untrust": source_decisions.untrust,
    "crawl": source_decisions.crawl_now,
}
WITH_REASON = ("reject", "suspend")
COLUMNS_OF = {
    "pending_review": ("shown_name", *facts.SUBMITTED, "best", "high", "discovered_at"),
    "approved": ("shown_name", "shown_status", "last_crawled_at", "shown_records", "seen", "best"),
}

admin.site.unregister(Domain)


@admin.register(Domain)
class SourceAdmin(DomainAdmin):
    """Adds decisions to the page of a domain; review is a later stage, so the domain stage cannot import it."""

    actions = (*DomainAdmin.actions, "approve", "reject", "suspend", "resume", "undo", "trust", "crawl_now")
    change_form_outer_before_template = "console/domain_decisions.html"
    fields: ClassVar[tuple[Any, ...]] = (
        *DomainAdmin.fields[:-1],
        *in_rows(*facts.SUBMITTED),
        *in_rows(*facts.REVIEWED),
        *in_rows("is_trusted", "shown_records"),
        *in_rows(*PACE),
        "notes",
    )

    def get_list_display(self, request: HttpRequest) -> tuple[str, ...]:
        """Return the columns for waiting or approved sources, if the list is filtered by either."""
        asked = request.GET.get("approval_status__exact") or request.GET.get("approval_status", "")
        return COLUMNS_OF.get(asked, DomainAdmin.list_display)

    @display(description="records")
    def shown_records(self, domain: Domain) -> SafeString:
        """Return the number of its records as a link to their list."""
        query = urlencode({"source": domain.name})
        address = f"{reverse('admin:resolution_record_changelist')}?{query}"
        return format_html('<a class="underline" href="{}">{}</a>', address, getattr(domain, "records", 0))

    def get_readonly_fields(self, request: HttpRequest, obj: Domain | None = None) -> list[str]:
        return [name for name in super().get_readonly_fields(request, obj) if name not in PACE]

    def formfield_for_dbfield(self, db_field: ModelField[Any, Any], request: Any, **options: Any) -> Any:
        """Add the shown value as a hidden field, so that an outdated page changes only what was typed."""
        field: Any = super().formfield_for_dbfield(db_field, request, **options)
        if db_field.name in PACE and field is not None:
            _, least, most, what, unit = LIMITS[PACE[db_field.name]]
            widget = field.widget
            field = forms.IntegerField(min_value=least, max_value=most, required=False, widget=widget, label=what)
            field.help_text = f"{least} to {most} {unit}"
            field.show_hidden_initial = True
        return field

    def save_model(self, request: HttpRequest, obj: Domain, form: Any, change: bool) -> None:
        actor, row = actor_at(request), Domain.objects.get(pk=obj.pk)
        if "notes" in form.changed_data:
            domains.set_notes(actor, row, form.cleaned_data["notes"])
        wanted = {PACE[name]: form.cleaned_data[name] for name in form.changed_data if name in PACE}
        if wanted:
            source_decisions.configure(actor, row, **wanted)

    def get_urls(self) -> list[URLPattern]:
        act = self.admin_site.admin_view(self.act)
        return [path("<uuid:domain_id>/act/", act, name="domains_domain_act"), *super().get_urls()]

    def change_view(
        self, request: HttpRequest, object_id: str, form_url: str = "", extra_context: dict[str, Any] | None = None
    ) -> HttpResponse:
        domain = self.get_object(request, object_id)
        context = {**(extra_context or {}), "may": self._may(request, domain) if domain else []}
        if (refused := context.get("refused")) and refused not in context["may"]:
            context["may"] = [*context["may"], refused]
        if domain is not None:
            context["review_item"] = Item.objects.filter(domain=domain).order_by("-id").first()
        answer: HttpResponse = super().change_view(request, object_id, form_url, context)
        return answer

    def _again(self, request: HttpRequest, domain: Domain, action: str) -> HttpResponse:
        """Return the current page, with the refused form as it was filled in."""
        get_request = copy(request)
        get_request.method = "GET"  # else Django would read the input as the form of the domain itself
        typed = {"refused": action, "typed": request.POST.dict()}
        return self.change_view(get_request, str(domain.pk), extra_context=typed)

    def act(self, request: HttpRequest, domain_id: UUID) -> HttpResponse:
        domain = Domain.objects.filter(pk=domain_id).first()
        action = request.POST.get("action", "")
        if domain is not None and action in ACTS:
            reason = {"reason": request.POST.get("reason", "")} if action in WITH_REASON else {}
            done = self._attempt(request, [domain], action, **reason)
            if not done and reason.get("reason") and self.has_change_permission(request):
                return self._again(request, domain, action)
        return redirect(reverse("admin:domains_domain_change", args=[domain_id]))

    def _attempt(self, request: HttpRequest, rows: Any, action: str, **details: Any) -> bool:
        return attempt(request, rows, lambda domain: ACTS[action](actor_at(request), domain, **details).said)

    def _may(self, request: HttpRequest, domain: Domain) -> list[str]:
        """Return the possible actions, in the order of the state table."""
        actor = actor_at(request)
        if domain.processing_status == BLACKLISTED or not self._may_write(request):
            return []
        state = "pending_review" if domain.approval_status == "none" else domain.approval_status
        may = [action for action in APPROVAL.allowed(state, actor.who) if action in ACTS]
        if domain.approval_status == "approved":
            may.append("crawl")
        if actor.role is Role.ADMIN:
            may.append("untrust" if domain.is_trusted else "trust")
        return may

    @admin.action(description="Approve", permissions=["change"])
    def approve(self, request: HttpRequest, rows: QuerySet[Domain]) -> None:
        self._attempt(request, rows, "approve")

    @admin.action(description="Reject", permissions=["change"])
    def reject(self, request: HttpRequest, rows: QuerySet[Domain]) -> HttpResponse | None:
        def act(domain: Domain, reason: str) -> str:
            return source_decisions.reject(actor_at(request), domain, reason).said

        return with_reason(self, request, rows, act, "reject", "Reject these sources?")

    @admin.action(description="Suspend", permissions=["change"])
    def suspend(self, request: HttpRequest, rows: QuerySet[Domain]) -> None:
        self._attempt(request, rows, "suspend")

    @admin.action(description="Resume", permissions=["change"])
    def resume(self, request: HttpRequest, rows: QuerySet[Domain]) -> None:
        self._attempt(request, rows, "resume")

    @admin.action(description="Undo the decision", permissions=["change"])
    def undo(self, request: HttpRequest, rows: QuerySet[Domain]) -> None:
        self._attempt(request, rows, "undo")

    @admin.action(description="Trust", permissions=["change"])
    def trust(self, request: HttpRequest, rows: QuerySet[Domain]) -> None:
        self._attempt(request, rows, "trust")

    @admin.action(description="Crawl now", permissions=["change"])
    def crawl_now(self, request: HttpRequest, rows: QuerySet[Domain]) -> None:
        self._attempt(request, rows, "crawl")
