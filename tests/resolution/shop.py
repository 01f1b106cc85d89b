"""Short helpers for sources and what they send, used by the tests of resolution."""

from __future__ import annotations

from typing import Any

from django.db import connection

from gleanery.extraction.models import Source
from gleanery.resolution.intake.answer import Answer
from gleanery.resolution.intake.batch import intake
from gleanery.resolution.intake.observation_draft import Given
from gleanery.resolution.models import Record

JAZZ = {
    "name": "Jazz Night",
    "start": "2027-03-12T19:00:00+02:00",
    "venue_name": "The Rex",
    "locality": "Sofia",
    "description": "An evening with the trio.",
}
EARLIER, LATER = "2027-03-12T18:00:00+02:00", "2027-03-12T22:00:00+02:00"
BACKWARDS = JAZZ | {"end": EARLIER}  # it ends before it begins, so it waits
# Names of things that are not like one another.
UNLIKE = """
    Amber Birch Cobalt Dune Ember Fjord Garnet Hazel Indigo Jasper Kelp Lupin Maple Nettle Onyx Pewter Quartz Raven
    Saffron Thistle Umber Violet Willow Xenon Yarrow Zinc Acorn Basalt Clover Drift Elder Flint
"""
WORDS = UNLIKE.split()


def source(name: str = "a", trust: int = 5) -> Source:
    return Source.objects.get_or_create(name=name, defaults={"kind": "import", "trust": trust})[0]


def given(kind: str, external_id: str, **payload: Any) -> Given:
    return Given(kind=kind, external_id=external_id, payload=payload)


def tell(who: str, kind: str, external_id: str, /, trust: int = 5, **payload: Any) -> Answer:
    """Take in one observation of a source and return the answer."""
    (answer,) = intake(source(who, trust), [given(kind, external_id, **payload)])
    return answer


def record_of(answer: Answer) -> Record:
    return Record.objects.get(pk=answer.record)


def somebody_waits_for_the_write_lock() -> bool:
    with connection.cursor() as cursor:
        cursor.execute("""SELECT EXISTS (
            SELECT FROM pg_locks JOIN pg_database ON pg_database.oid = database
            WHERE locktype = 'advisory' AND NOT granted AND datname = current_database())""")
        ((waiting,),) = cursor.fetchall()
    return bool(waiting)
