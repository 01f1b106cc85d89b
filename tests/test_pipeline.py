"""The pipeline names functions of later stages as text, so tests hold that they exist and take what they are given."""

import inspect
from collections.abc import Callable
from typing import Any, get_args

import pytest
from django.utils.module_loading import import_string

from gleanery import pipeline

JOBS = [(path, ids) for name, paths in pipeline.JOBS.items() for path in paths for ids in [pipeline.ids_of(name)]]
SAME_TRANSACTION = [
    path for table in (pipeline.DOMAINS, pipeline.RECORDS) for paths in table.values() for path in paths
]


def takes(handler: Callable[..., Any], *given: object, **named: object) -> bool:
    try:
        inspect.signature(handler).bind(*given, **named)
    except TypeError:
        return False
    return True


@pytest.mark.parametrize(("path", "ids"), JOBS)
def test_a_job_takes_the_ids_of_what_finished_by_their_names(path: str, ids: tuple[str, ...]) -> None:
    task = import_string(path)
    assert task.name == path
    assert takes(task.func, **dict.fromkeys(ids, ""))


@pytest.mark.parametrize("path", [*SAME_TRANSACTION, pipeline.SOURCE_CHANGED, pipeline.BLACKLISTING_FORESEEN])
def test_what_follows_at_once_takes_what_it_happened_to(path: str) -> None:
    assert takes(import_string(path), [])


@pytest.mark.parametrize("path", [pipeline.IS_ASKED, pipeline.SUBMITTED_PAGES, pipeline.RESCRAPE])
def test_what_is_asked_of_a_later_stage_takes_both(path: str) -> None:
    assert takes(import_string(path), None, None)


def test_every_event_that_can_be_announced_is_in_its_table() -> None:
    assert set(get_args(pipeline.Job)) == set(pipeline.JOBS)
    assert set(get_args(pipeline.DomainEvent)) == set(pipeline.DOMAINS)
    assert set(get_args(pipeline.RecordEvent)) == set(pipeline.RECORDS)
