"""Codes are shown as words from one table."""

import pytest

from gleanery import words
from gleanery.crawling import crawl_lifecycle as crawling
from gleanery.discovery import lifecycle as discovery
from gleanery.domains.life import APPROVAL, PROCESSING
from gleanery.judging.life import CANDIDATE, SKIPPED
from gleanery.resolution.records.life import RECORD
from gleanery.review.life import ITEM
from gleanery.review.queue.warning_codes import CODES

MACHINES = (PROCESSING, APPROVAL, CANDIDATE, RECORD, ITEM, crawling.CRAWL, discovery.SESSION)
STATES = {state for machine in MACHINES for state in machine.states}
OTHERS = {*CODES, *SKIPPED, *discovery.OUTCOMES, *discovery.SESSION_TYPES, *crawling.VISIT_STATES}


@pytest.mark.parametrize("code", sorted(STATES | OTHERS))
def test_no_code_is_shown_unchanged(code: str) -> None:
    assert "_" not in words.of(code)


@pytest.mark.parametrize(
    ("code", "said"),
    [
        ("in_review", "in review"),
        ("potential_duplicate", "may be a duplicate"),
        ("brave_search", "Brave Search"),
        ("gleanery.jobs.sweep_stalled_jobs", "sweep stalled jobs"),
    ],
)
def test_words_for_codes(code: str, said: str) -> None:
    assert words.of(code) == said


def test_no_two_warnings_have_the_same_words() -> None:
    assert len({words.of(code) for code in CODES}) == len(CODES)
