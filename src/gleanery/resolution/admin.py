"""Console pages of records: the list, and a record with who says what about it, its history, and forms to mend it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any
from uuid import UUID

from django.contrib import admin, messages
from django.db.models import QuerySet
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.template.response import TemplateResponse
from django.urls import URLPattern, path, reverse
from unfold.decorators import display

from gleanery import words
from gleanery.accounts.actor import Actor
from gleanery.accounts.console import RoleAdmin, actor_at, attempt
from gleanery.errors import Invalid
from gleanery.extraction.admin import KIND_COLOURS
from gleanery.extraction.note_codes import NOTES
from gleanery.kinds import KINDS, LONG, SPANS, TEXTS
from gleanery.matching.explaining import bars
from gleanery.resolution import services
from gleanery.resolution.models import Record
from gleanery.resolution.presenting.record_detail import shown
from gleanery.resolution.presenting.record_list import beginning_with, of_source
from gleanery.resolution.presenting.why import why
from gleanery.resolution.records.life import LIVE, RECORD
from gleanery.roles import Role

STATUS = {"published": "success", "in_review": "info", "merged": "warning", "deleted": "danger", "withdrawn": "danger"}
Given = Mapping[str, str]
TYPED = ("edit", "merge", "delete")  # what somebody writes there is shown again if it is refused


class StatusFilter(admin.SimpleListFilter):
    """What is there is what one comes for; merged and deleted ones are shown if asked for."""

    title = "status"
    parameter_name = "status"

    def lookups(self, request: HttpRequest, model_admin: Any) -> list[tuple[str, str]]:
        return words.labelled((*RECORD.states, "all"))

    def choices(self, changelist: Any) -> Any:
        first, *others = super().choices(changelist)
        return [{**first, "display": "What is there"}, *others]

    def queryset(self, request: HttpRequest, queryset: QuerySet[Record]) -> QuerySet[Record]:
        wanted = self.value()
        if wanted == "all":
            return queryset
        return queryset.filter(status=wanted) if wanted else queryset.filter(status__in=LIVE)


class SourceFilter(admin.SimpleListFilter):
    """Links lead here; there are too many sources to offer them all."""

    title = "source"
    parameter_name = "source"

    def lookups(self, request: HttpRequest, model_admin: Any) -> list[tuple[str, str]]:
        return [(self.value() or "", self.value() or "")] if self.value() else []

    def queryset(self, request: HttpRequest, queryset: QuerySet[Record]) -> QuerySet[Record]:
        return of_source(queryset, self.value() or "") if self.value() else queryset


class NoteFilter(admin.SimpleListFilter):
    title = "note"
    parameter_name = "note"

    def lookups(self, request: HttpRequest, model_admin: Any) -> list[tuple[str, str]]:
        return words.labelled(NOTES)

    def queryset(self, request: HttpRequest, queryset: QuerySet[Record]) -> QuerySet[Record]:
        wanted = self.value()
        return queryset.filter(notes__contains=[wanted]) if wanted else queryset


@admin.register(Record)
class RecordAdmin(RoleAdmin[Record]):
    """Nothing here is written by hand but edits: the rest follows from what sources say."""

    writer = Role.REVIEWER
    list_display = ("name", "shown_kind", "shown_status", "start_date", "deadline", "updated_at", "id")
    list_filter = (StatusFilter, "kind", SourceFilter, NoteFilter)
    search_fields = ("name",)
    ordering = ("-id",)
    show_full_result_count = False

    def has_add_permission(self, request: HttpRequest) -> bool:
        return False

    def get_urls(self) -> list[URLPattern]:
        own, view = "<uuid:record_id>", self.admin_site.admin_view
        return [
            path(f"{own}/act/", view(self.act), name="resolution_record_act"),
            path(f"{own}/why/", view(self.compare), name="resolution_record_compare"),
            path(f"{own}/why/<uuid:other_id>/", view(self.why), name="resolution_record_why"),
            *super().get_urls(),
        ]

    def change_view(
        self, request: HttpRequest, object_id: str, form_url: str = "", extra_context: dict[str, Any] | None = None
    ) -> HttpResponse:
        return self._page(request, self._found(request, object_id))

    def _page(
        self, request: HttpRequest, record: Record, refused: str = "", typed: Given | None = None
    ) -> HttpResponse:
        """With what was typed into the form that was refused, so that nobody writes it twice."""
        typed = typed or {}
        context = {**self.admin_site.each_context(request), "opts": self.opts, "title": record.name, "record": record}
        context |= {"shown": shown(record), "may": self._may(request, record, refused), "refused": refused}
        context |= {"fields": _fields(record, typed), "typed": typed, **self.about(record)}
        return TemplateResponse(request, "console/record.html", context)

    def about(self, *shown: Record) -> dict[str, Any]:
        """What a later stage has to say about what is shown."""
        return {}

    def act(self, request: HttpRequest, record_id: UUID) -> HttpResponse:
        record = self._found(request, str(record_id))
        if request.method == "POST":
            action, given = request.POST.get("action", ""), request.POST.dict()
            act = ACTIONS.get(action, _nothing)
            done = attempt(request, [record], lambda each: act(actor_at(request), each, given))
            if not done and action in TYPED:
                return self._page(request, self._found(request, str(record_id)), action, given)
        return redirect(reverse("admin:resolution_record_change", args=[record_id]))

    def compare(self, request: HttpRequest, record_id: UUID) -> HttpResponse:
        """Whoever names another record is led to the page that compares the two."""
        record, given = self._found(request, str(record_id)), request.GET.get("other", "")
        try:
            other = _named(given)
        except Invalid as problem:
            messages.error(request, str(problem))
            return self._page(request, record, "compare", {"other": given})
        return redirect(reverse("admin:resolution_record_why", args=[record_id, other.pk]))

    def why(self, request: HttpRequest, record_id: UUID, other_id: UUID) -> HttpResponse:
        one, other = self._found(request, str(record_id)), self._found(request, str(other_id))
        context = {**self.admin_site.each_context(request), "opts": self.opts, "title": "Are they one?"}
        try:
            told = why(one, other)
        except Invalid as problem:
            messages.error(request, str(problem))
            return self._page(request, one, "compare", {"other": str(other_id)})
        steps = told.explained.steps
        context |= {"why": told, "steps": list(zip(steps, bars(steps), strict=True)), **self.about(one, other)}
        return TemplateResponse(request, "console/why.html", context)

    def _found(self, request: HttpRequest, record_id: str) -> Record:
        record = self.get_object(request, record_id)
        if record is None:
            raise Http404("There is no such record.")
        return record

    def _may(self, request: HttpRequest, record: Record, refused: str = "") -> list[str]:
        if not self.has_change_permission(request):
            return []
        may = {"merged": ["unmerge"], "deleted": ["restore"], "withdrawn": []}.get(record.status, [*TYPED])
        return may if refused in may or refused not in TYPED else [*may, refused]

    @display(description="kind", label=KIND_COLOURS, ordering="kind")
    def shown_kind(self, record: Record) -> str:
        return record.kind

    @display(description="status", label=words.by_words(STATUS), ordering="status")
    def shown_status(self, record: Record) -> str:
        return words.of(record.status)


def _fields(record: Record, typed: Given) -> list[dict[str, Any]]:
    """What the form asks for; times are not written by hand here."""
    edited = {each.field for each in record.edits.filter(withdrawn_at=None)}
    return [
        {
            "name": name,
            "was": (was := _as_text(record.fields.get(name))),
            "value": was if (text := _changed(name, typed)) is None else text,
            "is_long": type_name == LONG,
            "is_edited": name in edited,
        }
        for name, type_name in KINDS[record.kind].fields.items()
        if type_name != SPANS
    ]


def _as_text(value: Any) -> str:
    if isinstance(value, list):
        return ", ".join(map(str, value))
    if isinstance(value, bool):
        return "true" if value else "false"
    return "" if value is None else str(value)


def _changed(name: str, given: Given) -> str | None:
    """Only what differs from what was shown is an edit."""
    text, was = given.get(f"field-{name}"), given.get(f"was-{name}", "")
    return None if text is None or text.replace("\r\n", "\n") == was.replace("\r\n", "\n") else text


def _edit(actor: Actor, record: Record, given: Given) -> str:
    known = KINDS[record.kind].fields
    changes: dict[str, Any] = {}
    for name, type_name in known.items():
        if (text := _changed(name, given)) is None:
            continue
        changes[name] = [part.strip() for part in text.split(",")] if type_name == TEXTS and text else text or None
    if not changes:
        raise Invalid("Nothing was changed.")
    services.edit(actor, record, changes, _version(given), given.get("reason", ""))
    return f"{record.name}: {', '.join(sorted(changes))} changed."


def _unedit(actor: Actor, record: Record, given: Given) -> str:
    services.unedit(actor, record, [given.get("field", "")], _version(given))
    return f"{given.get('field')} is what sources say again."


def _merge(actor: Actor, record: Record, given: Given) -> str:
    other = _named(given.get("merge_into", ""))
    services.merge(actor, record, other, reason=given.get("reason", ""))
    return f"{record.name} is part of {other.name} now."


def _named(text: str) -> Record:
    """By its id or how that begins, also as the end of an address."""
    found = beginning_with(text.strip().rstrip("/").removesuffix("/change").rpartition("/")[2].lower())
    if len(found) != 1:
        raise Invalid("Name the other record by its id, as its page and the list show it.")
    return found[0]


def _unmerge(actor: Actor, record: Record, given: Given) -> str:
    services.unmerge(actor, record)
    return f"{record.name} stands for itself again."


def _delete(actor: Actor, record: Record, given: Given) -> str:
    services.delete(actor, record, given.get("reason", ""))
    return f"{record.name} is deleted."


def _restore(actor: Actor, record: Record, given: Given) -> str:
    services.restore(actor, record)
    return f"{record.name} is back."


def _nothing(actor: Actor, record: Record, given: Given) -> str:
    raise Invalid("There is no such action.")


def _version(given: Given) -> int | None:
    text = given.get("version", "")
    return int(text) if text.isascii() and text.isdigit() else None


ACTIONS: dict[str, Callable[[Actor, Record, Given], str]] = {
    "edit": _edit,
    "unedit": _unedit,
    "merge": _merge,
    "unmerge": _unmerge,
    "delete": _delete,
    "restore": _restore,
}
