"""Turns schema.org nodes into drafts: selects the things that a page describes and reads their fields."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator

from gleanery.extraction.draft import ContactDraft, Draft, Extracted
from gleanery.extraction.generated_ids import LONGEST, generated_id
from gleanery.extraction.structured.draft_builder import DraftBuilder
from gleanery.extraction.structured.nodes import LONGEST_TEXT, Node, NodeGraph, bounded_copy
from gleanery.extraction.structured.schedules import occurrences
from gleanery.extraction.structured.schema_contacts import contacts_of
from gleanery.extraction.structured.schema_places import read_location, read_place, read_reach
from gleanery.extraction.structured.schema_types import is_organization, kind_of
from gleanery.extraction.structured.schema_values import attendance, cost, free, hours, keywords, read_amount, status
from gleanery.extraction.values.iso import is_before

MOST_DRAFTS = 1_000
MOST_CONTACTS = 200
MOST_INSTANCES = 100

# Properties whose nodes the page describes; others (performer, publisher, isRelatedTo) only mention them.
CONTAINERS = (
    *str.split("@graph itemListElement item mainEntity mainEntityOfPage hasPart subEvent subEvents event events about"),
    *str.split("department subOrganization makesOffer hasOfferCatalog itemOffered containsPlace"),
)
# Properties whose nodes are venues of something else.
LOCATIONS = ("location", "jobLocation", "serviceLocation")
LOCATED = ("address", "geo", "latitude", "openingHours", "openingHoursSpecification")
# A node without any of these fields is only mentioned.
REQUIRED = {
    "event": {"start"},
    "place": {"address", "locality", "lat", "phone", "opening_hours", "description"},
    "organization": {"address", "locality", "phone", "description", "legal_name", "official_id"},
    "service": {"description", "provider_name", "phone", "address", "opening_hours", "eligibility", "cost"},
    "funding": {"description", "funder_name", "amount_min", "amount_max", "deadline", "eligibility"},
    "opportunity": {"description", "organizer_name", "deadline", "start"},
}


def extracted_from(graph: NodeGraph, form: str) -> Extracted:
    """Return a draft per described thing, and the contacts."""
    drafts: list[Draft] = []
    contacts: list[ContactDraft] = []
    for node in _described_nodes(graph):
        builders = list(_builders(graph, node, form))
        drafts.extend(draft for kind, builder in builders if (draft := _draft(kind, builder, form)))
        contacts.extend(contacts_of(graph, node, form))
        if len(drafts) >= MOST_DRAFTS:
            break
    return Extracted(drafts=tuple(drafts[:MOST_DRAFTS]), contacts=tuple(contacts[:MOST_CONTACTS]))


def _described_nodes(graph: NodeGraph) -> Iterator[Node]:
    """Yield roots and the nodes they contain, outer ones first, without venues."""
    venues = _venue_ids(graph)
    waiting = list(reversed(graph.roots))
    seen: set[int] = set()
    while waiting:
        node = graph.resolved(waiting.pop())
        if id(node) in seen:
            continue
        seen.add(id(node))
        if id(node) not in venues:
            yield node
        inner = [part for name in CONTAINERS if name in node for part in graph.nodes(node, name)]
        waiting.extend(reversed(inner))


def _venue_ids(graph: NodeGraph) -> set[int]:
    places = (place for root in graph.roots for node in (root, *graph.nodes(root, "@graph"))
              for name in LOCATIONS if name in node for place in graph.nodes(node, name))  # fmt: skip
    return {id(place) for place in places}


def _builders(graph: NodeGraph, node: Node, form: str) -> Iterator[tuple[str, DraftBuilder]]:
    types = graph.types(node)
    kind = kind_of(types, located=any(node.get(name) for name in LOCATED)) if types else ""
    if not kind:
        return
    if kind == "course":
        for instance in itertools.islice(graph.nodes(node, "hasCourseInstance"), MOST_INSTANCES):
            yield "event", _instance(graph, node, instance, form)
        kind = "event"
    builder = DraftBuilder(graph, node, f"{form}: {types[0]}")
    _read_all(builder)
    READERS[kind](builder)
    yield kind, builder


def _draft(kind: str, builder: DraftBuilder, form: str) -> Draft | None:
    fields = builder.fields
    if "name" not in fields or not fields.keys() & REQUIRED[kind]:
        return None
    own = builder.graph.own_id(builder.node) or ("" if kind == "organization" else _identifier(builder, "identifier"))
    url = fields.get("url") or builder.graph.page.source.url
    made = generated_id(kind, url, fields["name"], fields.get("start", "") if kind == "event" else "")
    return Draft(
        kind=kind,
        external_id=own if own and len(own) <= LONGEST else made,
        fields=fields,
        evidence=builder.evidence,
        extractor=form,
        original=bounded_copy(builder.node),
    )


def _read_all(builder: DraftBuilder) -> None:
    """Read the fields common to every kind."""
    graph, node = builder.graph, builder.node
    builder.take("name", "name", "title", "headline")
    builder.take("description", "description", "disambiguatingDescription", limit=LONGEST_TEXT)
    builder.put("url", graph.address(node, "url", "mainEntityOfPage"), "url")
    builder.put("image_url", graph.address(node, "image", "photo"), "image")
    builder.put("keywords", keywords(graph, node), "keywords")
    language = graph.text(node, "inLanguage", limit=36)
    if language.replace("-", "").isalnum() and language.isascii() and len(language.split("-")[0]) <= 3:  # noqa: PLR2004
        builder.put("in_language", language, "inLanguage")


def _read_event(builder: DraftBuilder) -> None:
    graph, node = builder.graph, builder.node
    read_location(builder, "location")
    builder.take_date("start", "startDate")
    builder.take_date("end", "endDate")
    for schedule in graph.nodes(node, "eventSchedule"):
        _read_schedule(builder, schedule)
    _drop_end_before_start(builder)
    builder.take("organizer_name", "organizer", "provider")
    builder.put("event_status", status(graph, node), "eventStatus")
    builder.put("attendance_mode", attendance(graph, node, "eventAttendanceMode", "courseMode"), "eventAttendanceMode")
    builder.put("is_accessible_for_free", free(graph, node), "offers" if "offers" in node else "isAccessibleForFree")


def _read_schedule(builder: DraftBuilder, schedule: Node) -> None:
    if "occurrences" in builder.fields:
        return
    found = occurrences(builder, schedule)
    if len(found) > 1:
        builder.put("occurrences", found, "eventSchedule")
    if found:
        builder.put("start", found[0]["start"], "eventSchedule")
        builder.put("end", found[0].get("end", ""), "eventSchedule")
    builder.take_date("start", "startDate", of=schedule, under="eventSchedule.")


def _instance(graph: NodeGraph, course: Node, instance: Node, form: str) -> DraftBuilder:
    """Return the event of a course instance; missing fields come from the course."""
    whole = {name: value for name, value in course.items() if name not in {"@id", "@type", "hasCourseInstance"}}
    builder = DraftBuilder(graph, {**whole, **instance}, f"{form}: CourseInstance")
    _read_all(builder)
    _read_event(builder)
    return builder


def _read_service(builder: DraftBuilder) -> None:
    graph, node = builder.graph, builder.node
    builder.take("provider_name", "provider", "serviceOperator")
    read_location(builder, "location")
    read_place(builder, node, "")
    for channel in graph.nodes(node, "availableChannel"):
        read_location(builder, "serviceLocation", of=channel, under="availableChannel.")
        for point in graph.nodes(channel, "servicePhone"):
            read_reach(builder, point, "availableChannel.servicePhone.")
        for place in graph.nodes(channel, "serviceLocation"):
            builder.put("opening_hours", hours(graph, place), "availableChannel.serviceLocation.openingHours")
            read_reach(builder, place, "availableChannel.serviceLocation.")
        builder.put("url", graph.address(channel, "serviceUrl"), "availableChannel.serviceUrl")
    read_reach(builder, node, "")
    builder.put("opening_hours", hours(graph, node), "openingHours")
    _read_audience(builder)
    builder.put("cost", cost(graph, node), "offers")


def _read_funding(builder: DraftBuilder) -> None:
    builder.take("funder_name", "funder", "sponsor", "provider")
    builder.take_date("deadline", "applicationDeadline", "validThrough", "deadline")
    for name in ("amount", "maximumAmount"):
        read_amount(builder, builder.node, name)
    builder.take("region", "eligibleRegion", "areaServed", "spatialCoverage")
    _read_audience(builder)


def _read_opportunity(builder: DraftBuilder) -> None:
    graph, node = builder.graph, builder.node
    read_location(builder, "jobLocation", "location", venue=False)
    builder.take("organizer_name", "hiringOrganization", "organizer", "provider", "recipient")
    for name in ("object", "agent"):
        for each in graph.nodes(node, name):
            if is_organization(graph.types(each)):
                builder.put("organizer_name", graph.text(each, "name"), f"{name}.name")
    builder.take_date("start", "jobStartDate", "startDate", "startTime")
    builder.take_date("end", "endDate", "endTime")
    _drop_end_before_start(builder)
    builder.take_date("deadline", "applicationDeadline", "validThrough")
    types = (graph.text_of(value) for value in itertools.islice(graph.values(node, "employmentType"), 10))
    builder.put("employment_type", ", ".join(dict.fromkeys(filter(None, types))), "employmentType")


def _read_place(builder: DraftBuilder) -> None:
    read_place(builder, builder.node, "")
    read_reach(builder, builder.node, "")
    builder.put("opening_hours", hours(builder.graph, builder.node), "openingHours")
    builder.put("image_url", builder.graph.address(builder.node, "logo"), "logo")


def _read_organization(builder: DraftBuilder) -> None:
    read_place(builder, builder.node, "")
    read_location(builder, "location", venue=False)
    read_reach(builder, builder.node, "")
    builder.take("legal_name", "legalName")
    builder.take("name", "legalName")
    builder.take("official_id", "taxID", "vatID", "leiCode", "iso6523Code")
    builder.put("official_id", _identifier(builder, "identifier"), "identifier")
    builder.take_date("founding_date", "foundingDate", day_only=True)
    builder.put("image_url", builder.graph.address(builder.node, "logo"), "logo")


def _read_audience(builder: DraftBuilder) -> None:
    for name in ("audience", "serviceAudience"):
        for value in builder.graph.values(builder.node, name):
            stated = (
                builder.graph.text(value, "audienceType", "name")
                if isinstance(value, dict)
                else builder.graph.text_of(value)
            )
            builder.put("eligibility", stated, name)


def _identifier(builder: DraftBuilder, name: str) -> str:
    """Return an identifier, which may be text or a PropertyValue."""
    for value in builder.graph.values(builder.node, name):
        stated = (
            builder.graph.text(value, "value", "@value", "@id")
            if isinstance(value, dict)
            else builder.graph.text_of(value)
        )
        if stated:
            return stated
    return ""


def _drop_end_before_start(builder: DraftBuilder) -> None:
    start, end = builder.fields.get("start", ""), builder.fields.get("end", "")
    if end and (not start or is_before(end, start)):
        del builder.fields["end"], builder.evidence["end"]


READERS: dict[str, Callable[[DraftBuilder], None]] = {
    "event": _read_event,
    "service": _read_service,
    "funding": _read_funding,
    "opportunity": _read_opportunity,
    "place": _read_place,
    "organization": _read_organization,
}
