"""Ids sort by the time they were made."""

import time
from uuid import UUID

from gleanery.ids import hex7, uuid7


def test_an_id_is_a_version_7_uuid() -> None:
    made = uuid7()
    assert made.version == 7
    assert made.variant == "specified in RFC 4122"


def test_ids_made_a_millisecond_apart_sort_in_that_order() -> None:
    ids = []
    for _ in range(20):
        ids.append(uuid7())
        time.sleep(0.002)
    assert ids == sorted(ids)


def test_the_text_form_is_the_same_kind_of_id() -> None:
    assert UUID(hex7()).version == 7
    assert UUID(hex7()).variant == "specified in RFC 4122"


def test_ids_made_at_once_differ() -> None:
    assert len({uuid7() for _ in range(10_000)}) == 10_000
