"""Structured data: read if certain, skipped if not, never raising."""

import copy
import json
from collections.abc import Callable
from datetime import date, datetime
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gleanery.extraction.draft import Draft, Extracted, PageSource
from gleanery.extraction.extractors import extract
from gleanery.extraction.structured.json_repair import values_in
from gleanery.extraction.values.countries import country_code, zone_of
from gleanery.extraction.values.iso import iso
from gleanery.kinds import KINDS

URL = "https://example.org/page"
EVENT: dict[str, Any] = {
    "@context": "https://schema.org",
    "@type": "Event",
    "@id": "https://example.org/e#1",
    "name": "Repair evening",
    "startDate": "2027-01-12T18:00:00+02:00",
    "endDate": "2027-01-12T20:00:00+02:00",
    "eventStatus": "https://schema.org/EventScheduled",
    "keywords": ["mending", "tools"],
    "isAccessibleForFree": True,
    "location": {
        "@type": "Place",
        "name": "Hall",
        "geo": {"@type": "GeoCoordinates", "latitude": 42.7, "longitude": "23,3"},
        "address": {
            "@type": "PostalAddress",
            "streetAddress": "ul. Zora 5",
            "addressLocality": "Sofia",
            "addressCountry": "BG",
        },
    },
    "offers": [{"@type": "Offer", "price": "0", "priceCurrency": "EUR"}],
    "organizer": {"@type": "NGO", "name": "Menders", "email": "hi@example.org", "telephone": "+359 2 999 1234"},
    "eventSchedule": {"@type": "Schedule", "repeatFrequency": "P1W", "startDate": "2027-01-12", "startTime": "18:00"},
    "subEvent": [{"@type": "Event", "name": "First part", "startDate": "2027-01-12T18:00:00+02:00"}],
}
GRANT = {
    "@type": "MonetaryGrant",
    "name": "Small grants",
    "funder": {"@id": "#fund"},
    "amount": {"@type": "MonetaryAmount", "minValue": "500", "maxValue": 2000, "currency": "EUR"},
    "validThrough": "2027-02-01",
}
JOB = {
    "@type": "JobPosting",
    "title": "Cook",
    "identifier": {"@type": "PropertyValue", "name": "Kitchen", "value": 7},
    "hiringOrganization": "Kitchen",
    "jobLocation": {"address": {"addressLocality": "Ruse"}},
    "employmentType": ["PART_TIME", "TEMPORARY"],
}
SERVICE = {
    "@type": "GovernmentService",
    "name": "Help at home",
    "provider": {"name": "Town"},
    "audience": [{"audienceType": "people over 65"}],
    "availableChannel": {
        "servicePhone": {"telephone": "02 999 1234"},
        "serviceLocation": {"address": "ul. Zora 5, 1000 Sofia"},
    },
}
COURSE = {
    "@type": "Course",
    "name": "Reading aloud",
    "provider": "School",
    "hasCourseInstance": [{"startDate": "2027-03-01", "courseMode": "online"}, {"startDate": "2027-04-01"}],
}
NGO = {
    "@type": ["NGO", "Organization"],
    "@id": "#fund",
    "name": "Fund",
    "taxID": "123",
    "foundingDate": "2001-02-03",
    "contactPoint": [{"contactType": "office", "telephone": ["+359 2 999 1234"], "email": "mailto:a@example.org"}],
    "openingHoursSpecification": {"dayOfWeek": ["Monday", "Tuesday"], "opens": "09:00", "closes": "12:00"},
}
GRAPH = {"@context": "https://schema.org", "@graph": [EVENT, GRANT, JOB, SERVICE, COURSE, NGO]}


def page(html: str, *, country: str = "BG") -> PageSource:
    return PageSource(
        html=html, url=URL, media_type="text/html", fetched=date(2027, 1, 1), country=country, language="en"
    )


def script(*values: Any) -> str:
    told = (value if isinstance(value, str) else json.dumps(value, ensure_ascii=False) for value in values)
    return "".join(f'<script type="application/ld+json">{each}</script>' for each in told)


def found(html: str, *, country: str = "BG") -> Extracted:
    return extract(page(html, country=country))


def only(html: str, *, country: str = "BG") -> Draft:
    (draft,) = found(html, country=country).drafts
    return draft


def event(**more: Any) -> dict[str, Any]:
    return {"@context": "https://schema.org", "@type": "Event", "name": "Concert", "startDate": "2027-05-01", **more}


def test_one_graph_gives_every_kind() -> None:
    drafts = found(script(GRAPH)).drafts
    assert [draft.kind for draft in drafts] == [
        "event",
        "event",
        "funding",
        "opportunity",
        "service",
        "event",
        "event",
        "organization",
    ]
    grant = next(draft for draft in drafts if draft.kind == "funding")
    assert grant.fields["funder_name"] == "Fund"
    assert (grant.fields["amount_min"], grant.fields["amount_max"], grant.fields["currency"]) == (500, 2000, "EUR")
    assert grant.fields["deadline"] == "2027-02-01"
    job = next(draft for draft in drafts if draft.kind == "opportunity")
    assert (job.external_id, job.fields["employment_type"]) == ("7", "PART_TIME, TEMPORARY")
    help_at_home = next(draft for draft in drafts if draft.kind == "service").fields
    assert help_at_home["phone"] == "+35929991234"
    assert help_at_home["eligibility"] == "people over 65"
    assert (help_at_home["locality"], help_at_home["postal_code"]) == ("Sofia", "1000")
    assert [draft.fields["start"] for draft in drafts if draft.fields["name"] == "Reading aloud"] == [
        "2027-03-01",
        "2027-04-01",
    ]


def test_every_field_has_evidence() -> None:
    for draft in found(script(GRAPH)).drafts:
        assert draft.evidence.keys() == draft.fields.keys()
    assert "location.address.addressLocality" in found(script(EVENT)).drafts[0].evidence["locality"]


def test_a_reference_to_another_script_is_resolved() -> None:
    place = {
        "@context": "https://schema.org",
        "@type": "Place",
        "@id": "#hall",
        "name": "Hall",
        "address": {"addressLocality": "Varna"},
    }
    draft = only(script(event(location={"@id": URL + "#hall"}), place))
    assert (draft.fields["venue_name"], draft.fields["locality"]) == ("Hall", "Varna")


def test_things_with_one_id_by_mistake_stay_separate() -> None:
    drafts = found(
        script([event(**{"@id": "#e"}), event(**{"@id": "#e", "name": "Play", "startDate": "2027-06-01"})])
    ).drafts
    assert [draft.fields["name"] for draft in drafts] == ["Concert", "Play"]
    assert len({draft.external_id for draft in drafts}) == 2


def test_an_organisation_that_is_only_mentioned_gives_no_draft() -> None:
    assert [draft.kind for draft in found(script(event(organizer=NGO, performer=NGO))).drafts] == ["event"]
    website = {"@context": "https://schema.org", "@type": "WebSite", "name": "Site", "publisher": NGO}
    assert not found(script(website)).drafts
    bare = {"@context": "https://schema.org", "@type": "Organization", "name": "Site", "url": URL, "logo": "/l.png"}
    assert not found(script(bare)).drafts


def test_other_vocabularies_are_skipped_and_reported() -> None:
    result = found(
        script(
            {
                "@context": "https://www.w3.org/ns/activitystreams",
                "type": "Event",
                "name": "A",
                "startDate": "2027-01-01",
            }
        )
    )
    assert not result.drafts
    assert "schema.org" in result.problems[0]


@pytest.mark.parametrize("prefix", ["schema:", "http://schema.org/", "https://schema.org/"])
def test_properties_may_have_a_prefix(prefix: str) -> None:
    node = {
        "@context": {"schema": "https://schema.org/"},
        "@type": prefix + "Event",
        prefix + "name": "A",
        prefix + "startDate": "2027-01-02",
    }
    assert only(script(node)).fields["start"] == "2027-01-02"


@pytest.mark.parametrize(
    ("broken", "names"),
    [
        ('{"name": "a", "keywords": ["x", ], }', ["a"]),
        ('{"name": "a" /* said */, // more\n "url": "https://a.example//b" }', ["a"]),
        ('//<![CDATA[\n{"name": "a"}\n//]]>', ["a"]),
        ('<!--\n{"name": "a"}\n-->', ["a"]),
        ('{"name": "a\nb\tc"}', ["a\nb\tc"]),
        ('{"name": "a"}{"name": "b"}', ["a", "b"]),
        ('{"name": "a"},\n{"name": "b"};', ["a", "b"]),
        ("{&quot;name&quot;: &quot;a&quot;,}", ["a"]),
        ('{"name": "a // no comment, ]"}', ["a // no comment, ]"]),
        ('\ufeff{"name": "a", "price": NaN}', ["a"]),
    ],
)
def test_json_is_repaired_where_that_is_safe(broken: str, names: list[str]) -> None:
    assert [value["name"] for value in values_in(broken)] == names


@pytest.mark.parametrize(
    "broken", ['{"name": "a"', '{"name": "a}', "{{ page.schema }}", '{"a": 1} and more', "[" * 100_000, '{"a" "b"}']
)
def test_json_is_not_guessed(broken: str) -> None:
    with pytest.raises(ValueError, match="could not be repaired"):
        values_in(broken)


def test_a_broken_script_does_not_affect_others() -> None:
    result = found(script('{"name": "a', event()))
    assert [draft.fields["name"] for draft in result.drafts] == ["Concert"]
    assert result.problems == ("JSON-LD script 1: this is not valid JSON and could not be repaired.",)


@pytest.mark.parametrize(
    ("written", "read"),
    [
        ("2026-12-05", "2026-12-05"),
        ("2026-12-05 19:00", "2026-12-05T19:00:00+02:00"),
        ("2026-07-05T19:00", "2026-07-05T19:00:00+03:00"),
        ("2026-12-05T19:00:00+0200", "2026-12-05T19:00:00+02:00"),
        ("2026-12-05T19:00:00.000Z", "2026-12-05T19:00:00+00:00"),
        ("20261205T190000", "2026-12-05T19:00:00+02:00"),
        ("05.12.2026 19:00", "2026-12-05T19:00:00+02:00"),
        ("5.12.2026 г.", "2026-12-05"),
        ("05/12/2026", "2026-12-05"),
        ("Sat, 05 Dec 2026 19:00:00 +0000", "2026-12-05T19:00:00+00:00"),
        ("December 5, 2026 7:30 PM", "2026-12-05T19:30:00+02:00"),
        ("0000-00-00T00:00:00", ""),
        ("2026-02-30", ""),
        ("2026-12", ""),
        ("undefined", ""),
        ("12:00", ""),
        ("5 Smarch 2026", ""),
        ("2026-12-05T25:00", ""),
    ],
)
def test_dates_of_structured_data_are_read_strictly(written: str, read: str) -> None:
    assert iso(written, country="BG", zone=zone_of("BG")) == read


def test_an_ambiguous_structured_date_is_rejected() -> None:
    assert iso("05/12/2026", country="US") == "2026-05-12"
    assert iso("05/12/2026", country="") == ""
    assert iso("25/12/2026", country="") == "2026-12-25"
    assert iso("2026-12-05 19:00", country="US", zone=zone_of("US")) == "2026-12-05T19:00:00"


@given(st.text(max_size=90) | st.text(alphabet="0123456789-/.:TZ+ ", max_size=30))
def test_any_text_is_a_date_or_none(written: str) -> None:
    read = iso(written, country="BG", zone=zone_of("BG"))
    assert not read or datetime.fromisoformat(read)


def test_countries_are_found_by_code_and_name() -> None:
    assert [country_code(name) for name in ("bg", "Bulgaria", "България", "DEU", "UK", "Atlantis")] == [
        "BG",
        "BG",
        "BG",
        "DE",
        "GB",
        "",
    ]


@pytest.mark.parametrize(
    ("told", "status"),
    [
        ("EventCancelled", "cancelled"),
        ("https://schema.org/EventPostponed", "postponed"),
        (["EventScheduled", "EventMovedOnline"], "moved_online"),
        ({"@id": "schema:EventRescheduled"}, "rescheduled"),
        ("scheduled", "scheduled"),
        ("whatever", None),
    ],
)
def test_the_status_of_an_event_is_kept(told: Any, status: str | None) -> None:
    assert only(script(event(eventStatus=told))).fields.get("event_status") == status


@pytest.mark.parametrize(
    ("told", "free"),
    [
        ({"isAccessibleForFree": "True"}, True),
        ({"isAccessibleForFree": False, "offers": {"price": 0}}, False),
        ({"offers": {"@type": "Offer", "price": "0.00"}}, True),
        ({"offers": [{"price": "0"}, {"price": "14,00"}]}, False),
        ({"offers": {"@type": "AggregateOffer", "lowPrice": "0", "highPrice": "5"}}, False),
        ({"offers": {"priceCurrency": "EUR"}}, None),
        ({}, None),
    ],
)
def test_an_event_is_free_only_if_all_its_offers_are(told: dict[str, Any], free: bool | None) -> None:
    assert only(script(event(**told))).fields.get("is_accessible_for_free") is free


def test_coordinates_come_in_pairs_and_on_earth() -> None:
    for geo in (
        {"latitude": 42},
        {"latitude": 142, "longitude": 1},
        {"latitude": 0, "longitude": 0},
        {"latitude": "x", "longitude": 1},
    ):
        assert not only(script(event(location={"@type": "Place", "name": "Hall", "geo": geo}))).fields.keys() & {
            "lat",
            "lon",
        }


def test_a_place_given_as_text_is_split_only_if_certain() -> None:
    whole = only(script(event(location="Hall, ul. Zora 5, 1000 Sofia"))).fields
    assert whole["locality"] == "Sofia"
    assert only(script(event(location="Somewhere nice"))).fields["venue_name"] == "Somewhere nice"
    assert (
        only(script(event(location="https://meet.example.com/a"))).fields["virtual_url"] == "https://meet.example.com/a"
    )


def test_a_schedule_gives_its_dates_within_the_horizon() -> None:
    plan = {
        "@type": "Schedule",
        "startDate": "2026-12-01",
        "endDate": "2027-01-31",
        "exceptDate": "2027-01-12",
        "repeatFrequency": "P2W",
        "byDay": ["Tuesday", "Thursday"],
        "startTime": "18:00",
        "endTime": "19:00",
    }
    fields = only(script({**event(eventSchedule=plan), "startDate": None})).fields
    assert [each["start"] for each in fields["occurrences"]] == [
        "2027-01-14T18:00:00+02:00",
        "2027-01-26T18:00:00+02:00",
        "2027-01-28T18:00:00+02:00",
    ]
    assert fields["start"] == "2027-01-14T18:00:00+02:00"
    endless = {"startDate": "1990-01-01", "repeatFrequency": "P1D"}
    assert len(only(script({**event(eventSchedule=endless), "startDate": ""})).fields["occurrences"]) == 100


def test_opening_hours_have_one_format() -> None:
    days: list[dict[str, Any]] = [
        {"dayOfWeek": f"https://schema.org/{day}", "opens": "09:00:00", "closes": "17:00:00"} for day in ("Monday",)
    ]
    days.append({"dayOfWeek": ["Tu", "We", "Th"], "opens": "10:00", "closes": "12:00"})
    days.append({"dayOfWeek": "Friday", "opens": "10:00", "closes": "12:00", "validFrom": "2026-12-24"})
    place = {"@context": "https://schema.org", "@type": "Library", "name": "L", "openingHoursSpecification": days}
    assert only(script(place)).fields["opening_hours"] == "Mo 09:00-17:00; Tu-Th 10:00-12:00"


def test_a_business_with_a_location_is_a_place() -> None:
    clinic = {"@context": "https://schema.org", "@type": "MedicalClinic", "name": "C", "description": "We help."}
    assert only(script(clinic)).kind == "organization"
    assert only(script({**clinic, "address": {"addressLocality": "Ruse"}})).kind == "place"


def test_tags_and_template_placeholders_are_removed_from_text() -> None:
    fields = only(
        script(
            event(
                name=" A &amp; <b>B</b> ",
                description="&lt;p&gt;One&lt;/p&gt;&lt;p&gt;two&lt;/p&gt;",
                organizer="[object Object]",
            )
        )
    ).fields
    assert (fields["name"], fields["description"]) == ("A & B", "One two")
    assert "organizer_name" not in fields
    for name in ("{{ title }}", "undefined", "<?php echo $x ?>", " ", "..."):
        assert not found(script(event(name=name))).drafts


MICRODATA = """<div itemscope itemtype="http://schema.org/Event" itemref="when a-loop">
  <a itemprop="name" href="/x">Concert</a> <a itemprop="url" href="/x">more</a>
  <div itemprop="location" itemscope itemtype="http://schema.org/Place"><i itemprop="name">Hall</i>
    <b itemprop="description">not of the event</b></div></div>
<p id="when"><time itemprop="startDate" datetime="2027-05-01">soon</time></p>
<div id="a-loop" itemprop="organizer" itemscope itemtype="http://schema.org/NGO" itemref="a-loop">
  <u itemprop="name">Choir</u></div>"""


def test_microdata_follows_itemref_and_keeps_nested_items_separate() -> None:
    fields = only(MICRODATA).fields
    assert fields["name"] == "Concert"
    assert fields["url"] == "https://example.org/x"
    assert (fields["start"], fields["venue_name"], fields["organizer_name"]) == ("2027-05-01", "Hall", "Choir")
    assert "description" not in fields


def test_microdata_that_refers_in_a_circle_ends() -> None:
    html = """<div id="a" itemscope itemtype="http://schema.org/Event" itemref="b">
    <i itemprop="name">A</i><i itemprop="startDate">2027-01-02</i></div>
    <div id="b" itemprop="subEvent" itemscope itemtype="http://schema.org/Event" itemref="c"></div>
    <div id="c" itemprop="subEvent" itemscope itemref="b"></div>"""
    draft = only(html)
    assert json.dumps(draft.original)


def test_rdfa_is_read_by_vocabulary_by_prefix_and_through_rel() -> None:
    lite = """<div vocab="https://schema.org/" typeof="Event"><b property="name">A</b>
    <b property="startDate" content="2027-01-02">x</b></div>"""
    assert only(lite).fields["start"] == "2027-01-02"
    old = """<body prefix="s: http://schema.org/"><div about="/node/5" typeof="s:Event"><b property="s:name">A</b>
    <time property="s:startDate" datetime="2027-01-02">x</time><div rel="s:location">
    <p typeof="s:Place"><i property="s:name">Hall</i></p></div></div>"""
    fields = only(old).fields
    assert (fields["venue_name"], fields["url"]) == ("Hall", "https://example.org/node/5")
    assert not found(lite.replace("schema.org", "other.example")).drafts


def test_open_graph_gives_events_and_places_only() -> None:
    tags = {
        "og:type": "event",
        "og:title": "Swim",
        "event:start_time": "2027-01-02T10:00:00+02:00",
        "og:image": "/a.jpg",
    }
    html = "".join(f'<meta property="{name}" content="{said}">' for name, said in tags.items())
    assert only(html).fields["image_url"] == "https://example.org/a.jpg"
    assert not found(html.replace("event:start_time", "article:published_time")).drafts
    assert not found(html.replace('content="event"', 'content="article"')).drafts


TYPES: dict[str, Callable[[Any], bool]] = {
    "lat": lambda value: isinstance(value, float) and -90 <= value <= 90,
    "lon": lambda value: isinstance(value, float) and -180 <= value <= 180,
    "amount_min": lambda value: isinstance(value, int | float) and value > 0,
    "amount_max": lambda value: isinstance(value, int | float) and value > 0,
    "is_accessible_for_free": lambda value: isinstance(value, bool),
    "keywords": lambda value: isinstance(value, list) and all(isinstance(each, str) and each for each in value),
    "occurrences": lambda value: all(
        each.keys() <= {"start", "end"} and date.fromisoformat(each["start"][:10]) for each in value
    ),
    "start": lambda value: bool(date.fromisoformat(value[:10])),
    "end": lambda value: bool(date.fromisoformat(value[:10])),
    "deadline": lambda value: bool(date.fromisoformat(value[:10])),
    "founding_date": lambda value: bool(date.fromisoformat(value)),
    "phone": lambda value: value.startswith("+") and value[1:].isdigit(),
    "country": lambda value: len(value) == 2 and value.isupper(),
    "url": lambda value: value.startswith(("http://", "https://")),
    "image_url": lambda value: value.startswith(("http://", "https://")),
}


def assert_whole(result: Extracted) -> None:
    assert not [each for each in result.problems if "gave up" in each]
    for draft in result.drafts:
        assert draft.kind in KINDS
        assert draft.external_id
        assert draft.fields["name"]
        assert draft.kind != "event" or draft.fields["start"]
        assert draft.evidence.keys() == draft.fields.keys()
        for name, value in draft.fields.items():
            assert TYPES.get(name, lambda value: isinstance(value, str) and bool(value))(value), (name, value)
        assert ("lat" in draft.fields) == ("lon" in draft.fields)
        json.dumps(draft.fields)
        json.dumps(draft.original)


ODD = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(),
    st.floats(),
    st.text(max_size=20),
    st.sampled_from(
        ["", "2027-01-01", "https://[bad", "{{x}}", "#fund", "+359", "P0W", "05/12/2026", "//host", "\ud800", "9" * 400]
    ),
    st.just([]),
    st.just({}),
    st.just({"@id": "#fund"}),
    st.just({"@value": "said", "@language": "bg"}),
    st.just({"@list": ["a", {"@set": []}]}),
    st.recursive(
        st.text(max_size=3),
        lambda inner: (
            st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from(["name", "@id", "@type", "url"]), inner)
        ),
    ),
)


def places(value: Any, path: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    inner = (
        list(value.items()) if isinstance(value, dict) else list(enumerate(value)) if isinstance(value, list) else []
    )
    return [*([path] if path else []), *(place for key, each in inner for place in places(each, (*path, key)))]


def mutate(data: st.DataObject, graph: Any) -> Any:
    path = data.draw(st.sampled_from(places(graph)))
    holder = graph
    for key in path[:-1]:
        holder = holder[key]
    old = holder[path[-1]]
    change = data.draw(st.sampled_from(["drop", "double", "retype", "nest", "wrap", "move"]))
    if change == "drop":
        del holder[path[-1]]
    elif change == "double":
        holder[path[-1]] = [old, copy.deepcopy(old)]
    elif change == "nest":
        holder[path[-1]] = {
            "@type": data.draw(st.sampled_from(["Event", "Place", "Offer", "Nothing"])),
            "name": old,
            "subEvent": old,
        }
    elif change == "wrap":
        holder[path[-1]] = [[old]]
    elif change == "move":
        graph[data.draw(st.sampled_from(["name", "@graph", "@context", "location", "mainEntity"]))] = copy.deepcopy(old)
    else:
        holder[path[-1]] = copy.deepcopy(data.draw(ODD))
    return graph


@given(st.data())
def test_no_mutation_of_json_ld_raises_or_gives_half_a_record(data: st.DataObject) -> None:
    graph = copy.deepcopy(GRAPH)
    for _ in range(data.draw(st.integers(1, 6))):
        if places(graph):
            graph = mutate(data, graph)
    text = json.dumps(graph)
    if data.draw(st.booleans()):
        text = text[: data.draw(st.integers(0, len(text)))]
    assert_whole(found(script(text)))


@given(st.data())
def test_no_mutation_of_marked_html_raises_or_gives_half_a_record(data: st.DataObject) -> None:
    html = data.draw(
        st.sampled_from(
            [
                MICRODATA,
                MICRODATA.replace("itemprop", "property").replace(
                    "itemscope itemtype", 'vocab="http://schema.org/" typeof'
                ),
            ]
        )
    )
    for _ in range(data.draw(st.integers(1, 5))):
        start = data.draw(st.integers(0, len(html)))
        end = min(len(html), start + data.draw(st.integers(0, 30)))
        other = data.draw(
            st.sampled_from(
                [
                    "",
                    html[start:end] * 2,
                    "<div itemscope>",
                    '"',
                    "</div>",
                    ' itemref="a-loop when"',
                    " typeof=Event",
                    "&#0;",
                ]
            )
        )
        html = html[:start] + other + html[end:]
    assert_whole(found(html))


def test_an_end_before_its_start_is_dropped_with_any_offsets() -> None:
    start = "2026-12-05T20:00:00+02:00"
    for end, kept in (
        ("2026-12-05T18:30:00+02:00", False),
        ("2026-12-05T19:00:00+01:00", True),  # another clock, the same moment
        ("2026-12-05", True),
        ("2026-12-04", False),
    ):
        told = {"@type": "Event", "name": "Fiddle night", "startDate": start, "endDate": end}
        html = f'<script type="application/ld+json">{json.dumps(told)}</script>'
        source = PageSource(html=html, url="https://mill.bg/x", media_type="text/html", fetched=date(2026, 11, 15))
        (draft,) = extract(source).drafts
        assert ("end" in draft.fields) is kept, end
