"""From typed nodes of schema.org to drafts: which of them are told of by the page, and what of each is noted down."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator

from gleanery.extraction.draft import ContactDraft, Draft, Extracted
from gleanery.extraction.identity import LONGEST, made_id
from gleanery.extraction.structured.schedules import occurrences
from gleanery.extraction.structured.schema_contacts import contacts_of
from gleanery.extraction.structured.schema_places import read_location, read_place, read_reach
from gleanery.extraction.structured.schema_types import is_organization, kind_of
from gleanery.extraction.structured.schema_values import attendance, cost, free, hours, keywords, read_amount, status
from gleanery.extraction.structured.sheet import Sheet
from gleanery.extraction.structured.things import LONGEST_TEXT, Node, Things, copied
from gleanery.extraction.values.iso import is_before

MOST_DRAFTS = 1_000
MOST_CONTACTS = 200
MOST_INSTANCES = 100

# Through these a page tells of a thing; through others (performer, publisher, isRelatedTo) it only mentions one.
CONTAINERS = (
    *str.split("@graph itemListElement item mainEntity mainEntityOfPage hasPart subEvent subEvents event events about"),
    *str.split("department subOrganization makesOffer hasOfferCatalog itemOffered containsPlace"),
)
# A node that is named in one of these is a venue of something else.
LOCATIONS = ("location", "jobLocation", "serviceLocation")
LOCATED = ("address", "geo", "latitude", "openingHours", "openingHoursSpecification")
# Less than one of these beside the name is a mention, not a thing told of.
ENOUGH = {
    "event": {"start"},
    "place": {"address", "locality", "lat", "phone", "opening_hours", "description"},
    "organization": {"address", "locality", "phone", "description", "legal_name", "official_id"},
    "service": {"description", "provider_name", "phone", "address", "opening_hours", "eligibility", "cost"},
    "funding": {"description", "funder_name", "amount_min", "amount_max", "deadline", "eligibility"},
    "opportunity": {"description", "organizer_name", "deadline", "start"},
}


def extracted_from(things: Things, form: str) -> Extracted:
    """Every thing that the nodes tell of, each once, and whom one can call or write to."""
    drafts: list[Draft] = []
    contacts: list[ContactDraft] = []
    for node in _told(things):
        sheets = list(_sheets(things, node, form))
        drafts.extend(draft for kind, sheet in sheets if (draft := _draft(kind, sheet, form)))
        contacts.extend(contacts_of(things, node, form))
        if len(drafts) >= MOST_DRAFTS:
            break
    return Extracted(drafts=tuple(drafts[:MOST_DRAFTS]), contacts=tuple(contacts[:MOST_CONTACTS]))


def _told(things: Things) -> Iterator[Node]:
    """Roots and what they contain, each once, outer ones first."""
    venues = _venues(things)
    waiting = list(reversed(things.roots))
    seen: set[int] = set()
    while waiting:
        node = things.resolved(waiting.pop())
        if id(node) in seen:
            continue
        seen.add(id(node))
        if id(node) not in venues:
            yield node
        inner = [part for name in CONTAINERS if name in node for part in things.nodes(node, name)]
        waiting.extend(reversed(inner))


def _venues(things: Things) -> set[int]:
    places = (place for root in things.roots for node in (root, *things.nodes(root, "@graph"))
              for name in LOCATIONS if name in node for place in things.nodes(node, name))  # fmt: skip
    return {id(place) for place in places}


def _sheets(things: Things, node: Node, form: str) -> Iterator[tuple[str, Sheet]]:
    types = things.types(node)
    kind = kind_of(types, located=any(node.get(name) for name in LOCATED)) if types else ""
    if not kind:
        return
    if kind == "course":
        for instance in itertools.islice(things.nodes(node, "hasCourseInstance"), MOST_INSTANCES):
            yield "event", _instance(things, node, instance, form)
        kind = "event"
    sheet = Sheet(things, node, f"{form}: {types[0]}")
    _read_all(sheet)
    READERS[kind](sheet)
    yield kind, sheet


def _draft(kind: str, sheet: Sheet, form: str) -> Draft | None:
    fields = sheet.fields
    if "name" not in fields or not fields.keys() & ENOUGH[kind]:
        return None
    own = sheet.things.own_id(sheet.node) or ("" if kind == "organization" else _identifier(sheet, "identifier"))
    url = fields.get("url") or sheet.things.page.source.url
    made = made_id(kind, url, fields["name"], fields.get("start", "") if kind == "event" else "")
    return Draft(
        kind=kind,
        external_id=own if own and len(own) <= LONGEST else made,
        fields=fields,
        evidence=sheet.evidence,
        extractor=form,
        original=copied(sheet.node),
    )


def _read_all(sheet: Sheet) -> None:
    """What every kind has."""
    things, node = sheet.things, sheet.node
    sheet.take("name", "name", "title", "headline")
    sheet.take("description", "description", "disambiguatingDescription", limit=LONGEST_TEXT)
    sheet.put("url", things.address(node, "url", "mainEntityOfPage"), "url")
    sheet.put("image_url", things.address(node, "image", "photo"), "image")
    sheet.put("keywords", keywords(things, node), "keywords")
    language = things.text(node, "inLanguage", limit=36)
    if language.replace("-", "").isalnum() and language.isascii() and len(language.split("-")[0]) <= 3:  # noqa: PLR2004
        sheet.put("in_language", language, "inLanguage")


def _read_event(sheet: Sheet) -> None:
    things, node = sheet.things, sheet.node
    read_location(sheet, "location")
    sheet.take_date("start", "startDate")
    sheet.take_date("end", "endDate")
    for schedule in things.nodes(node, "eventSchedule"):
        _read_schedule(sheet, schedule)
    _drop_end_before_start(sheet)
    sheet.take("organizer_name", "organizer", "provider")
    sheet.put("event_status", status(things, node), "eventStatus")
    sheet.put("attendance_mode", attendance(things, node, "eventAttendanceMode", "courseMode"), "eventAttendanceMode")
    sheet.put("is_accessible_for_free", free(things, node), "offers" if "offers" in node else "isAccessibleForFree")


def _read_schedule(sheet: Sheet, schedule: Node) -> None:
    if "occurrences" in sheet.fields:
        return
    found = occurrences(sheet, schedule)
    if len(found) > 1:
        sheet.put("occurrences", found, "eventSchedule")
    if found:
        sheet.put("start", found[0]["start"], "eventSchedule")
        sheet.put("end", found[0].get("end", ""), "eventSchedule")
    sheet.take_date("start", "startDate", of=schedule, under="eventSchedule.")


def _instance(things: Things, course: Node, instance: Node, form: str) -> Sheet:
    """A course is held when its instances are; what they do not say themselves the course says for all."""
    whole = {name: value for name, value in course.items() if name not in {"@id", "@type", "hasCourseInstance"}}
    sheet = Sheet(things, {**whole, **instance}, f"{form}: CourseInstance")
    _read_all(sheet)
    _read_event(sheet)
    return sheet


def _read_service(sheet: Sheet) -> None:
    things, node = sheet.things, sheet.node
    sheet.take("provider_name", "provider", "serviceOperator")
    read_location(sheet, "location")
    read_place(sheet, node, "")
    for channel in things.nodes(node, "availableChannel"):
        read_location(sheet, "serviceLocation", of=channel, under="availableChannel.")
        for point in things.nodes(channel, "servicePhone"):
            read_reach(sheet, point, "availableChannel.servicePhone.")
        for place in things.nodes(channel, "serviceLocation"):
            sheet.put("opening_hours", hours(things, place), "availableChannel.serviceLocation.openingHours")
            read_reach(sheet, place, "availableChannel.serviceLocation.")
        sheet.put("url", things.address(channel, "serviceUrl"), "availableChannel.serviceUrl")
    read_reach(sheet, node, "")
    sheet.put("opening_hours", hours(things, node), "openingHours")
    _read_audience(sheet)
    sheet.put("cost", cost(things, node), "offers")


def _read_funding(sheet: Sheet) -> None:
    sheet.take("funder_name", "funder", "sponsor", "provider")
    sheet.take_date("deadline", "applicationDeadline", "validThrough", "deadline")
    for name in ("amount", "maximumAmount"):
        read_amount(sheet, sheet.node, name)
    sheet.take("region", "eligibleRegion", "areaServed", "spatialCoverage")
    _read_audience(sheet)


def _read_opportunity(sheet: Sheet) -> None:
    things, node = sheet.things, sheet.node
    read_location(sheet, "jobLocation", "location", venue=False)
    sheet.take("organizer_name", "hiringOrganization", "organizer", "provider", "recipient")
    for name in ("object", "agent"):
        for each in things.nodes(node, name):
            if is_organization(things.types(each)):
                sheet.put("organizer_name", things.text(each, "name"), f"{name}.name")
    sheet.take_date("start", "jobStartDate", "startDate", "startTime")
    sheet.take_date("end", "endDate", "endTime")
    _drop_end_before_start(sheet)
    sheet.take_date("deadline", "applicationDeadline", "validThrough")
    types = (things.said(value) for value in itertools.islice(things.values(node, "employmentType"), 10))
    sheet.put("employment_type", ", ".join(dict.fromkeys(filter(None, types))), "employmentType")


def _read_place(sheet: Sheet) -> None:
    read_place(sheet, sheet.node, "")
    read_reach(sheet, sheet.node, "")
    sheet.put("opening_hours", hours(sheet.things, sheet.node), "openingHours")
    sheet.put("image_url", sheet.things.address(sheet.node, "logo"), "logo")


def _read_organization(sheet: Sheet) -> None:
    read_place(sheet, sheet.node, "")
    read_location(sheet, "location", venue=False)
    read_reach(sheet, sheet.node, "")
    sheet.take("legal_name", "legalName")
    sheet.take("name", "legalName")
    sheet.take("official_id", "taxID", "vatID", "leiCode", "iso6523Code")
    sheet.put("official_id", _identifier(sheet, "identifier"), "identifier")
    sheet.take_date("founding_date", "foundingDate", day_only=True)
    sheet.put("image_url", sheet.things.address(sheet.node, "logo"), "logo")


def _read_audience(sheet: Sheet) -> None:
    for name in ("audience", "serviceAudience"):
        for value in sheet.things.values(sheet.node, name):
            said = (
                sheet.things.text(value, "audienceType", "name")
                if isinstance(value, dict)
                else sheet.things.said(value)
            )
            sheet.put("eligibility", said, name)


def _identifier(sheet: Sheet, name: str) -> str:
    """Of a PropertyValue its value; its name says whose number it is."""
    for value in sheet.things.values(sheet.node, name):
        said = (
            sheet.things.text(value, "value", "@value", "@id") if isinstance(value, dict) else sheet.things.said(value)
        )
        if said:
            return said
    return ""


def _drop_end_before_start(sheet: Sheet) -> None:
    start, end = sheet.fields.get("start", ""), sheet.fields.get("end", "")
    if end and (not start or is_before(end, start)):
        del sheet.fields["end"], sheet.evidence["end"]


READERS: dict[str, Callable[[Sheet], None]] = {
    "event": _read_event,
    "service": _read_service,
    "funding": _read_funding,
    "opportunity": _read_opportunity,
    "place": _read_place,
    "organization": _read_organization,
}
