"""Console pages of records: the list, and a record with its sources, its history and forms to edit it."""

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
TYPED = ("edit", "merge", "delete")  # forms whose input is shown again if the action is refused


class StatusFilter(admin.SimpleListFilter):
    """Filter by status; by default only live records are shown."""

    title = "status"
    parameter_name = "status"

    def lookups(self, request: HttpRequest, model_admin: Any) -> list[tuple[str, str]]:
        return words.labelled((*RECORD.states, "all"))

    def choices(self, changelist: Any) -> Any:
        first, *others = super().choices(changelist)
        return [{**first, "display": "Current records"}, *others]

    def queryset(self, request: HttpRequest, queryset: QuerySet[Record]) -> QuerySet[Record]:
        wanted = self.value()
        if wanted == "all":
            return queryset
        return queryset.filter(status=wanted) if wanted else queryset.filter(status__in=LIVE)


class SourceFilter(admin.SimpleListFilter):
    """Filter by a source from a link; there are too many sources to list them."""

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
    """Read-only pages of records, except for edits and decisions; all else comes from the sources."""

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
        """Return the record page, with the input of a refused form."""
        typed = typed or {}
        context = {**self.admin_site.each_context(request), "opts": self.opts, "title": record.name, "record": record}
        context |= {"shown": shown(record), "may": self._may(request, record, refused), "refused": refused}
        context |= {"fields": _fields(record, typed), "typed": typed, **self.about(record)}
        return TemplateResponse(request, "console/record.html", context)

    def about(self, *shown: Record) -> dict[str, Any]:
        """Return extra context for these records; the review app overrides this."""
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
        """Redirect to the comparison with the record named in the form."""
        record, given = self._found(request, str(record_id)), request.GET.get("other", "")
        try:
            other = _named(given)
        except Invalid as problem:
            messages.error(request, str(problem))
            return self._page(request, record, "compare", {"other": given})
        return redirect(reverse("admin:resolution_record_why", args=[record_id, other.pk]))

    def why(self, request: HttpRequest, record_id: UUID, other_id: UUID) -> HttpResponse:
        one, other = self._found(request, str(record_id)), self._found(request, str(other_id))
        context = {**self.admin_site.each_context(request), "opts": self.opts, "title": "Are they the same?"}
        try:
            explained = why(one, other)
        except Invalid as problem:
            messages.error(request, str(problem))
            return self._page(request, one, "compare", {"other": str(other_id)})
        steps = explained.explained.steps
        context |= {"why": explained, "steps": list(zip(steps, bars(steps), strict=True)), **self.about(one, other)}
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
    """Return the fields of the edit form; lists of times are not editable here."""
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
    """Return the input for a field if it differs from the value shown, else None."""
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
        raise Invalid("No field was changed. Edit a field before saving.")
    services.edit(actor, record, changes, _version(given), given.get("reason", ""))
    return f"{record.name}: {', '.join(sorted(changes))} changed."


def _unedit(actor: Actor, record: Record, given: Given) -> str:
    services.unedit(actor, record, [given.get("field", "")], _version(given))
    return f"The edit of {given.get('field')} was undone. The field has its value from before."


def _merge(actor: Actor, record: Record, given: Given) -> str:
    other = _named(given.get("merge_into", ""))
    services.merge(actor, record, other, reason=given.get("reason", ""))
    return f"{record.name} was merged into {other.name}."


def _named(text: str) -> Record:
    """Return the record with this id, a beginning of an id, or an address that ends in one."""
    found = beginning_with(text.strip().rstrip("/").removesuffix("/change").rpartition("/")[2].lower())
    if len(found) != 1:
        raise Invalid("The other record was not found. Enter its id, as shown on its page and in the list.")
    return found[0]


def _unmerge(actor: Actor, record: Record, given: Given) -> str:
    services.unmerge(actor, record)
    return f"The merge was undone: {record.name} is a separate record again."


def _delete(actor: Actor, record: Record, given: Given) -> str:
    services.delete(actor, record, given.get("reason", ""))
    return f"{record.name} was deleted."


def _restore(actor: Actor, record: Record, given: Given) -> str:
    services.restore(actor, record)
    return f"{record.name} was restored."


def _nothing(actor: Actor, record: Record, given: Given) -> str:
    raise Invalid("This action does not exist. Nothing was changed.")


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
