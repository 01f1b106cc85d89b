"""Console pages of judging: candidates with evidence and contacts, and judging runs."""

from __future__ import annotations

from typing import Any

from django.contrib import admin
from django.db.models import QuerySet
from django.http import HttpRequest
from django.template.loader import render_to_string
from django.utils.safestring import SafeString
from unfold.admin import StackedInline
from unfold.decorators import display

from gleanery import words
from gleanery.accounts import journal
from gleanery.accounts.console import RoleAdmin, actor_at, role_of
from gleanery.judging import numbers, services
from gleanery.judging.candidate_status import with_shown_status
from gleanery.judging.models import Candidate, Contact, Run
from gleanery.roles import Role

COLOURS = {
    "pending_crawl": "info",
    "pending_review": "info",
    "in_review": "info",
    "skipped_low_confidence": "warning",
    "approved": "success",
    "rejected": "danger",
}


class ContactInline(StackedInline):  # type: ignore[misc]  # unfold carries no types
    """Contacts of a candidate, visible to staff only; reviewers may edit them."""

    model = Contact
    extra = 0
    tab = True

    def has_view_permission(self, request: HttpRequest, obj: Candidate | None = None) -> bool:
        return role_of(request) is not None

    def has_add_permission(self, request: HttpRequest, obj: Candidate | None = None) -> bool:
        return self.has_change_permission(request, obj)

    def has_change_permission(self, request: HttpRequest, obj: Candidate | None = None) -> bool:
        role = role_of(request)
        return role is not None and role.covers(Role.REVIEWER)

    def has_delete_permission(self, request: HttpRequest, obj: Candidate | None = None) -> bool:
        return self.has_change_permission(request, obj)


@admin.register(Candidate)
class CandidateAdmin(RoleAdmin[Candidate]):
    writer = Role.REVIEWER
    list_display = ("domain", "confidence", "shown_status", "organization", "programme", "topic", "created_at")
    list_filter = ("status", "topic")
    search_fields = ("domain__name", "organization", "programme")
    list_select_related = ("domain", "topic")
    ordering = ("-confidence",)
    inlines = (ContactInline,)
    fields = (("domain", "topic"), ("shown_status", "confidence"), ("organization", "programme"), "evidence")
    readonly_fields = ("domain", "topic", "shown_status", "confidence", "organization", "programme", "evidence")

    def get_queryset(self, request: HttpRequest) -> QuerySet[Candidate]:
        return with_shown_status(super().get_queryset(request).select_related("domain", "topic"))

    def has_add_permission(self, request: HttpRequest) -> bool:
        return False

    def save_model(self, request: HttpRequest, obj: Candidate, form: Any, change: bool) -> None:
        """Save nothing: only contacts are editable, and the candidate may have changed since the page was opened."""

    def save_formset(self, request: HttpRequest, form: Any, formset: Any, change: bool) -> None:
        """Save contacts and journal only that they changed, because personal data must stay erasable."""
        super().save_formset(request, form, formset, change)
        if formset.has_changed():
            journal.write(actor_at(request), "set_contacts", form.instance)

    @display(description="status", label=words.by_words(COLOURS))
    def shown_status(self, candidate: Candidate) -> str:
        return words.of(str(getattr(candidate, "shown_status", candidate.status)))

    @display(description="evidence")
    def evidence(self, candidate: Candidate) -> SafeString:
        return render_to_string("console/evidence.html", {"judgements": services.evidence_of(candidate)})


@admin.register(Run)
class RunAdmin(RoleAdmin[Run]):
    list_display = ("started_at", "session", "summary", "completed_at")
    list_select_related = ("session__topic",)
    ordering = ("-id",)
    fields = ("session", "started_at", "completed_at", "figures")

    @display(description="judged")
    def summary(self, run: Run) -> str:
        found = numbers.of_run(run.pk)
        return f"{found.total} results, {found.created} new candidates, {found.failures} failures"

    @display(description="numbers")
    def figures(self, run: Run) -> SafeString:
        figures = [(words.of(name), value) for name, value in numbers.of_run(run.pk).as_dict().items()]
        return render_to_string("console/figures.html", {"figures": figures})
