"""Console pages for topics, sessions, results and the spam bin."""

from __future__ import annotations

from typing import Any

from django import forms
from django.contrib import admin
from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponse
from django.template.loader import render_to_string
from django.urls import reverse
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString
from unfold.decorators import display

from gleanery import words
from gleanery.accounts.console import CodeFilter, RoleAdmin, actor_at, attempt
from gleanery.discovery import numbers, services
from gleanery.discovery.lifecycle import OUTCOMES
from gleanery.discovery.models import Result, Session, Topic
from gleanery.discovery.queries import slots_of
from gleanery.discovery.tasks import start_in_background
from gleanery.errors import Invalid
from gleanery.roles import Role
from gleanery.text import counted

SESSION_COLOURS = {"running": "info", "completed": "success", "partial_success": "warning", "failed": "danger"}
OUTCOME_COLOURS = {
    "new": "success",
    "duplicate": "info",
    "spam": "danger",
    "blacklisted": "danger",
    "invalid": "warning",
}
NUMBERS = ("queries", "returned", "results", "new_domains", "duplicates", "spam", "blacklisted", "invalid", "failures")


WORDY = ("weights", "schedule", "keywords", "organization_words", "country", "language")


class TopicForm(forms.ModelForm[Topic]):
    """Topic form, which shows errors in templates and schedules with the form as typed."""

    class Meta:
        model = Topic
        exclude = ("preset",)  # noqa: DJ006  # every field but this one is the curator's

    def clean_query_templates(self) -> list[str]:
        templates: list[str] = self.cleaned_data["query_templates"]
        try:
            for template in templates:
                slots_of(template)
        except Invalid as problem:
            raise forms.ValidationError(str(problem)) from None
        return templates

    def clean(self) -> dict[str, Any]:
        cleaned: dict[str, Any] = super().clean() or {}
        try:
            services.check_words(Topic(**{name: value for name, value in cleaned.items() if name in WORDY}))
        except Invalid as problem:
            raise forms.ValidationError(str(problem)) from None
        return cleaned


@admin.register(Topic)
class TopicAdmin(RoleAdmin[Topic]):
    writer = Role.REVIEWER
    form = TopicForm
    list_display = ("name", "title", "how_many", "threshold", "schedule")
    search_fields = ("name", "title")
    actions = ("run",)

    @display(description="queries")
    def how_many(self, topic: Topic) -> int:
        return len(services.queries_of(topic))

    def save_model(self, request: HttpRequest, obj: Topic, form: Any, change: bool) -> None:
        services.save_topic(actor_at(request), obj, "change" if change else "create")

    @admin.action(description="Run now", permissions=["change"])
    def run(self, request: HttpRequest, topics: QuerySet[Topic]) -> None:
        def start(topic: Topic) -> str:
            start_in_background(actor_at(request), topic, "manual_search")
            return f"The search for {topic} has started; watch it under Sessions."

        attempt(request, topics, start)


@admin.register(Session)
class SessionAdmin(RoleAdmin[Session]):
    list_display = ("started_at", "topic", "type", "shown_status", "found", "completed_at")
    list_filter = ("status", "type", "topic")
    list_select_related = ("topic",)
    ordering = ("-id",)
    fields = ("topic", "type", "status", "started_by", "started_at", "completed_at", "error", "shown_numbers", "links")

    @display(description="status", label=words.by_words(SESSION_COLOURS))
    def shown_status(self, session: Session) -> str:
        return words.of(session.status)

    @display(description="found")
    def found(self, session: Session) -> str:
        every = numbers.of_session(session.pk)
        if every.crawls:
            return f"{every.crawls.completed} of {counted(every.crawls.crawls, 'crawl')}"
        total = every.totals
        return f"{total.results} ({total.new_domains} new, {total.spam} spam)"

    @display(description="numbers")
    def shown_numbers(self, session: Session) -> SafeString:
        """Show providers side by side, or the crawls of a deep crawl."""
        found = numbers.of_session(session.pk).as_dict()
        if found["crawls"]:
            figures = [(words.of(name), count) for name, count in found["crawls"].items()]
            return render_to_string("console/figures.html", {"figures": figures})
        columns = [*found["providers"], {"provider": "all", "mean_seconds": None, "last_error": "", **found}]
        names = (*NUMBERS, "mean_seconds", "last_error")
        rows = [(words.of(name), [each[name] for each in columns]) for name in names]
        return render_to_string("console/numbers.html", {"columns": columns, "rows": rows})

    @display(description="results")
    def links(self, session: Session) -> SafeString:
        if session.topic is None:
            crawls = reverse("admin:crawling_crawl_changelist")
            return format_html('<a class="underline" href="{}?session__id__exact={}">crawls</a>', crawls, session.pk)
        listed = reverse("admin:discovery_result_changelist")
        outcomes = words.labelled(OUTCOMES)
        each = ((f"{listed}?session__id__exact={session.pk}&outcome__exact={code}", said) for code, said in outcomes)
        return format_html_join(", ", '<a class="underline" href="{}">{}</a>', each)


@admin.register(Result)
class ResultAdmin(RoleAdmin[Result]):
    """Results; filtered by outcome spam, this is the spam bin, whose rows show the rule and can be rescued."""

    writer = Role.REVIEWER
    list_display = ("shown_outcome", "domain_name", "title", "provider", "query", "shown_rule", "reason")
    list_display_links = ("title",)
    list_filter = ("outcome", ("rule", CodeFilter), "provider", "session")
    search_fields = ("domain_name", "title", "description", "url", "query")
    ordering = ("-id",)
    actions = ("rescue",)
    list_before_template = "console/mistakes.html"

    def changelist_view(self, request: HttpRequest, extra_context: dict[str, Any] | None = None) -> HttpResponse:
        """Show above the spam bin how often hits of each rule were rescued."""
        mistakes = services.mistakes_of_rules() if request.GET.get("outcome__exact") == "spam" else []
        return super().changelist_view(request, {"mistakes": mistakes, **(extra_context or {})})

    def has_add_permission(self, request: HttpRequest) -> bool:
        return False

    def has_change_permission(self, request: HttpRequest, obj: Result | None = None) -> bool:
        """Results cannot be edited; rescuing is an action on the list."""
        return obj is None and self._may_write(request)

    @display(description="outcome", label=words.by_words(OUTCOME_COLOURS))
    def shown_outcome(self, result: Result) -> str:
        return words.of(result.outcome)

    @display(description="rule", ordering="rule")
    def shown_rule(self, result: Result) -> str:
        return words.of(result.rule)

    @admin.action(description="Rescue from the spam bin", permissions=["change"])
    def rescue(self, request: HttpRequest, results: QuerySet[Result]) -> None:
        attempt(
            request, results, lambda result: f"{services.rescue(actor_at(request), result).domain_name} was rescued."
        )
