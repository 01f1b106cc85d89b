"""Console pages for observations and their evidence, sources and their trust, and what was extracted from each page."""

from __future__ import annotations

import json
from typing import Any

from django import forms
from django.contrib import admin, messages
from django.db.models import Count, Q, QuerySet
from django.http import HttpRequest
from django.template.loader import render_to_string
from django.utils.html import format_html
from django.utils.safestring import SafeString
from unfold.decorators import display

from gleanery import words
from gleanery.accounts.console import CodeFilter, RoleAdmin, actor_at
from gleanery.crawling.admin import PageAdmin
from gleanery.crawling.models import Page
from gleanery.errors import GleaneryError
from gleanery.extraction import services
from gleanery.extraction.models import ModelCall, Observation, PageContact, Source
from gleanery.extraction.note_codes import ASKS
from gleanery.roles import Role

KIND_COLOURS = {
    "event": "info",
    "funding": "success",
    "service": "warning",
    "opportunity": "primary",
    "place": "default",
    "organization": "default",
}


class VersionFilter(admin.SimpleListFilter):
    """Hides old versions unless they are asked for."""

    title = "version"
    parameter_name = "version"

    def lookups(self, request: HttpRequest, model_admin: Any) -> list[tuple[str, str]]:
        return [("not_seen", "No longer on its source"), ("old", "Superseded"), ("all", "All versions")]

    def choices(self, changelist: Any) -> Any:
        first, *others = super().choices(changelist)
        return [{**first, "display": "Current"}, *others]

    def queryset(self, request: HttpRequest, queryset: QuerySet[Observation]) -> QuerySet[Observation]:
        wanted = {
            None: Q(superseded_at=None),
            "not_seen": Q(superseded_at=None, not_seen_since__isnull=False),
            "old": Q(superseded_at__isnull=False),
        }
        return queryset.filter(wanted.get(self.value(), Q()))


@admin.register(Observation)
class ObservationAdmin(RoleAdmin[Observation]):
    """Console page of an observation: what one source says about one thing."""

    list_display = (
        "name",
        "shown_kind",
        "source",
        "shown_extractor",
        "version",
        "first_seen",
        "last_seen",
        "not_seen_since",
    )
    list_filter = (VersionFilter, "kind", ("extractor", CodeFilter), "source__kind")
    search_fields = ("payload__name", "external_id", "source__name", "page__url")
    list_select_related = ("source",)
    ordering = ("-id",)
    fields = (
        ("source", "kind"),
        "shown_id",
        ("page", "shown_extractor", "extractor_version"),
        ("first_seen", "last_seen", "not_seen_since"),
        "shown_values",
        "versions",
        "shown_original",
    )

    def get_queryset(self, request: HttpRequest) -> QuerySet[Observation]:
        return super().get_queryset(request).select_related("source", "page")

    @display(description="name")
    def name(self, observation: Observation) -> str:
        return str(observation)

    @display(description="kind", label=KIND_COLOURS)
    def shown_kind(self, observation: Observation) -> str:
        return observation.kind

    @display(description="external id")
    def shown_id(self, observation: Observation) -> SafeString:
        return format_html('<span class="from-outside">{}</span>', observation.external_id)

    @display(description="read from", ordering="extractor")
    def shown_extractor(self, observation: Observation) -> str:
        return words.of(observation.extractor)

    @display(description="values")
    def shown_values(self, observation: Observation) -> SafeString:
        return render_to_string("console/observation.html", {"observation": observation})

    @display(description="original data")
    def shown_original(self, observation: Observation) -> SafeString | str:
        """Return the original data. An observation that another one names has none of its own."""
        if observation.original is None:
            return "–"
        text = json.dumps(observation.original, ensure_ascii=False, indent=2)
        return format_html('<pre class="from-outside">{}</pre>', text)

    @display(description="versions")
    def versions(self, observation: Observation) -> SafeString:
        context = {"versions": services.versions_of(observation), "shown": observation}
        return render_to_string("console/versions.html", context)


@admin.register(Source)
class SourceAdmin(RoleAdmin[Source]):
    """Console page of a source; an admin may change its trust."""

    writer = Role.ADMIN
    list_display = ("name", "kind", "trust", "by_a_person", "asked", "things", "created_at")
    list_filter = ("kind", "trust")
    search_fields = ("name",)
    ordering = ("name",)
    fields = (("name", "kind", "domain"), "trust", "asks", ("is_trust_set", "created_at"))
    readonly_fields = ("name", "kind", "domain", "is_trust_set", "created_at")

    def get_queryset(self, request: HttpRequest) -> QuerySet[Source]:
        now = Count("observations", filter=Q(observations__superseded_at=None))
        return super().get_queryset(request).annotate(n_things=now)

    def has_add_permission(self, request: HttpRequest) -> bool:
        return False

    def formfield_for_dbfield(self, db_field: Any, request: HttpRequest, **kwargs: Any) -> Any:
        if db_field.name != "asks":
            return super().formfield_for_dbfield(db_field, request, **kwargs)
        boxes = forms.CheckboxSelectMultiple()
        return forms.MultipleChoiceField(
            choices=words.labelled(ASKS),
            widget=boxes,
            required=False,
            label="hold back for review",
            help_text=db_field.help_text,
        )

    def save_model(self, request: HttpRequest, obj: Source, form: Any, change: bool) -> None:
        for name, save in (("trust", services.set_trust), ("asks", services.set_asks)):
            if name in form.changed_data:
                try:
                    save(actor_at(request), services.find_source(obj.pk), form.cleaned_data[name])
                except GleaneryError as problem:
                    messages.error(request, str(problem))

    @display(description="trust set by a person", boolean=True, ordering="is_trust_set")
    def by_a_person(self, source: Source) -> bool:
        return source.is_trust_set

    @display(description="held back for review")
    def asked(self, source: Source) -> str:
        return ", ".join(map(words.of, source.asks)) or "–"

    @display(description="observations", ordering="n_things")
    def things(self, source: Source) -> int:
        return int(getattr(source, "n_things", 0))


@admin.register(PageContact)
class PageContactAdmin(RoleAdmin[PageContact]):
    """Console page of a contact. Contacts are for staff only."""

    list_display = ("__str__", "role", "email", "phone", "domain", "last_seen")
    search_fields = ("name", "email", "phone", "domain__name")
    list_select_related = ("domain",)
    ordering = ("-id",)
    fields = (
        ("name", "role"),
        ("email", "phone"),
        "address",
        ("domain", "page"),
        "evidence",
        ("first_seen", "last_seen"),
    )


@admin.register(ModelCall)
class ModelCallAdmin(RoleAdmin[ModelCall]):
    """Console page of a question to the language model, with its cost and duration."""

    list_display = (
        "asked_at",
        "purpose",
        "model",
        "domain",
        "input_tokens",
        "output_tokens",
        "cost",
        "took",
        "problem",
    )
    list_filter = ("purpose", "model", "asked_at")
    search_fields = ("domain__name",)
    list_select_related = ("domain",)
    ordering = ("-id",)

    @display(description="milliseconds", ordering="ms")
    def took(self, call: ModelCall) -> int | None:
        return call.ms


admin.site.unregister(Page)


@admin.register(Page)
class ExtractedPageAdmin(PageAdmin):
    """Adds relevance and observations to the page of the crawling stage, which may not import this one."""

    def get_list_display(self, request: HttpRequest) -> list[Any]:
        return [*super().get_list_display(request), "yielded_at"]

    def get_fields(self, request: HttpRequest, obj: Page | None = None) -> list[Any]:
        *first, text, history = super().get_fields(request, obj)
        return [*first, "relevance", "findings", text, history]

    @display(description="relevance")
    def relevance(self, page: Page) -> SafeString:
        return render_to_string("console/relevance.html", {"flag": services.flag_of(page)})

    @display(description="extracted")
    def findings(self, page: Page) -> SafeString:
        latest = page.extractions.order_by("-extracted_at").first()
        context = {
            "observations": services.observations_of(page),
            "extraction": latest,
            "contacts": page.contacts.all(),
        }
        return render_to_string("console/findings.html", context)
