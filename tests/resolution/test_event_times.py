"""Event times are shown as sources write them, in UTC only where the instant is known."""

from typing import Any

import pytest

from gleanery.accounts.actor import Actor
from gleanery.resolution import services
from gleanery.resolution.presenting.record_detail import shown
from tests.resolution.shop import JAZZ, record_of, tell

pytestmark = pytest.mark.django_db


@pytest.mark.parametrize(
    ("said", "told"),
    [
        ({"start": "2027-03-12T19:00:00"}, "2027-03-12 19:00"),
        ({"start": "2027-03-12T19:00:00", "end": "2027-03-12T21:30:00"}, "2027-03-12 19:00 – 2027-03-12 21:30"),
        ({"start": "2027-03-12"}, "2027-03-12"),
        ({"start": "2027-03-12", "end": "2027-03-14"}, "2027-03-12 – 2027-03-14"),
        ({"start": "2027-03-12T00:00:00"}, "2027-03-12 00:00"),
        ({"start": "2027-03-12T19:00:00+02:00"}, "2027-03-12 17:00 UTC"),
        ({"start": "2027-03-12T19:00:00", "country": "BG"}, "2027-03-12 17:00 UTC"),
        ({"start": "2027-03-12T19:00:00Z", "end": "2027-03-12T20:00:00Z"}, "2027-03-12 19:00 – 2027-03-12 20:00 UTC"),
        ({"start": "2027-03-12T19:00:00+02:00", "end": "2027-03-13"}, "2027-03-12 17:00 UTC – 2027-03-13"),
    ],
)
def test_a_time_of_no_known_zone_is_shown_without_one(said: dict[str, Any], told: str) -> None:
    record = record_of(tell("a", "event", "1", **{**JAZZ, "start": "", **said}))
    assert [each.told for each in shown(record).occurrences] == [told]


def test_each_of_several_times_is_shown_as_its_source_wrote_it() -> None:
    spans = [{"start": "2027-03-12T19:00:00"}, {"start": "2027-03-13T19:00:00+02:00"}, {"start": "2027-03-14"}]
    record = record_of(tell("a", "event", "1", **{**JAZZ, "occurrences": spans}))
    assert [each.told for each in shown(record).occurrences] == [
        "2027-03-12 19:00",
        "2027-03-13 17:00 UTC",
        "2027-03-14",
    ]


def test_edited_times_and_those_of_merged_records_are_shown_alike(admin: Actor) -> None:
    record = record_of(tell("a", "event", "1", **JAZZ))
    services.edit(admin, record, {"start": "2027-03-12T20:00:00"})
    record.refresh_from_db()
    assert [each.told for each in shown(record).occurrences] == ["2027-03-12 20:00"]
    local = record_of(tell("b", "event", "2", **{**JAZZ, "name": "Amber", "start": "2027-05-01T18:00:00"}))
    services.merge(admin, local, record)
    local.refresh_from_db()
    assert [each.told for each in shown(local).occurrences] == ["2027-05-01 18:00"]
