"""Ids are unique and sort by creation time."""

import multiprocessing
import time
from concurrent.futures import ProcessPoolExecutor, ThreadPoolExecutor
from uuid import UUID

from gleanery.ids import hex7, text7, uuid7


def test_an_id_is_a_version_7_uuid() -> None:
    made = uuid7()
    assert made.version == 7
    assert made.variant == "specified in RFC 4122"


def test_ids_sort_by_creation_time() -> None:
    ids = []
    for _ in range(20):
        ids.append(uuid7())
        time.sleep(0.002)
    assert ids == sorted(ids)


def test_the_text_form_is_the_same_kind_of_id() -> None:
    assert UUID(hex7()).version == 7
    assert UUID(hex7()).variant == "specified in RFC 4122"
    assert str(UUID(made := text7())) == made


def test_ids_created_at_the_same_time_differ() -> None:
    assert len({uuid7() for _ in range(10_000)}) == 10_000


def test_threads_and_forked_processes_create_different_ids() -> None:
    made = [_tails(0)]  # so that there is something left over that a fork could take along
    with ProcessPoolExecutor(4, multiprocessing.get_context("fork")) as pool:
        made += pool.map(_tails, range(4))
    with ThreadPoolExecutor(4) as threads:
        made += threads.map(_tails, range(4))
    assert len({tail for tails in made for tail in tails}) == sum(map(len, made))


def _tails(_: int) -> list[str]:
    """Return the random parts of some ids."""
    return [uuid7().hex[12:] for _ in range(500)]
