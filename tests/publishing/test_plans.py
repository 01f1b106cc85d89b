"""The plans of what visitors ask most, on a table that is large enough for them to matter."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from django.db import connection, transaction
from django.utils import timezone
from pytest_django.plugin import DjangoDbBlocker

from gleanery.publishing import freshness
from gleanery.publishing.search import clauses, month, statements
from gleanery.publishing.search.filters import Filters
from gleanery.publishing.search.positions import Position

# Filled once, so one process should run them.
pytestmark = pytest.mark.xdist_group("publishing plans")

MANY = 20_000
# Past half of them, kinds take turns; each event has an occurrence within a year of today, each entry a position.
FILL = """
    INSERT INTO occurrence (id, record_id, start, start_date)
    SELECT md5(n::text)::uuid, md5(n::text)::uuid, now() + n %% 360 * interval '1 day', now()::date + n %% 360
    FROM generate_series(1, %(many)s, 2) AS n;
    INSERT INTO record (id, kind, status, name, fields, provenance, published_at, deadline)
    SELECT md5(n::text)::uuid, CASE WHEN n %% 2 = 1 THEN 'event' WHEN n %% 4 = 0 THEN 'funding' ELSE 'place' END,
           'published', md5(n::text) || ' ' || CASE WHEN n %% 3 = 0 THEN 'concert' ELSE md5((n + 1)::text) END,
           jsonb_build_object('locality', 'town' || n %% 100, 'lat', 40 + n %% 100 / 10.0, 'lon', 20 + n %% 97 / 10.0),
           '{}', now() - n * interval '1 minute', CASE WHEN n %% 4 = 0 THEN now()::date + n %% 300 END
    FROM generate_series(1, %(many)s) AS n;
    SET CONSTRAINTS ALL IMMEDIATE;
    SET CONSTRAINTS ALL DEFERRED;
    SELECT gin_clean_pending_list('search_words'), gin_clean_pending_list('search_name'),
           gin_clean_pending_list('search_name_words');
    ANALYZE record, search_entry, occurrence;
"""


@pytest.fixture(scope="module")
def filling(django_db_setup: None, django_db_blocker: DjangoDbBlocker) -> Iterator[None]:
    """Written once for all tests of this file, each of which then goes back to here, and taken back in the end."""
    with django_db_blocker.unblock(), transaction.atomic():
        with connection.cursor() as cursor:
            cursor.execute(FILL, {"many": MANY})
        with django_db_blocker.block():
            yield
        transaction.set_rollback(True)
    with django_db_blocker.unblock(), connection.cursor() as cursor:
        # What was taken back still fills the tables, and would turn the plans of other tests.
        cursor.execute("VACUUM ANALYZE record, search_entry, occurrence")


@pytest.fixture
def filled(filling: None, db: None) -> None:
    """Before the transaction of a test begins, the filling is there."""


def plan(statement: str, **values: object) -> str:
    with connection.cursor() as cursor:
        cursor.execute(f"EXPLAIN {statement}", values)
        return "\n".join(line for (line,) in cursor.fetchall())


def plan_of(filters: Filters) -> str:
    statement, values, _ = statements.page_of(filters, timezone.now().date())
    return plan(statement, **values, after=None, id=None, most=21)


@pytest.mark.usefixtures("filled")
@pytest.mark.parametrize(
    ("filters", "index"),
    [
        (Filters(), "search_soonest"),
        (Filters(kind="funding"), "search_kind_soonest"),
        (Filters(sort="new"), "search_newest"),
        (Filters(sort="name"), "search_by_name"),
        (Filters(place="town7"), "search_town_soonest"),
        (Filters(q="concert", sort="soon"), "search_soonest"),
        (Filters(q="concert"), "search_name_words"),
        (Filters(q="0123abcdef", sort="soon"), "search_words"),
        (Filters(q="0123abcdef", sort="soon"), "search_name"),
        (Filters(near="x", position=Position(45, 25), within=5, sort="near"), "search_position"),
    ],
)
def test_a_page_of_hits_goes_by_an_index(filters: Filters, index: str) -> None:
    found = plan_of(filters)
    assert index in found, found
    assert "Seq Scan on search_entry" not in found, found
    assert "Seq Scan on record" not in found, found


@pytest.mark.usefixtures("filled")
def test_what_takes_place_today_or_on_some_days_goes_by_an_index() -> None:
    assert "Seq Scan" not in plan_of(Filters(kind="event", when="today"))
    first = timezone.now().date().replace(year=timezone.now().year + 1, day=1, month=1)
    found = plan_of(Filters(kind="event", first=first, last=first))
    assert "occurrence_day" in found, found
    assert "occurrence_lasting" in found, found


@pytest.mark.usefixtures("filled")
def test_a_month_is_read_day_by_day() -> None:
    today = timezone.now().date()
    where, values = clauses.conditions(Filters(past=True), today)
    found = plan(month.MONTH.format(where=where), **values, first=today, last=today, named=3, most=300)
    assert "Seq Scan on occurrence" not in found, found


@pytest.mark.usefixtures("filled")
def test_lists_are_refreshed_without_reading_all_of_them() -> None:
    today = timezone.now().date()
    assert "search_soonest" in plan(freshness.NEXT_DAYS, today=today)
    found = plan(freshness.REFRESH, today=today)
    assert "search_unconfirmed" in found, found
    assert "Seq Scan on search_entry" not in found, found
