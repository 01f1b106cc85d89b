"""What runs each minute looks up what is due, and reads no table as a whole."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest
from django.db import connection
from django.utils import timezone

from gleanery.publishing.digests import items, queue
from gleanery.publishing.search import statements
from gleanery.publishing.search.filters import Filters
from gleanery.publishing.showing import reading_many
from gleanery.publishing.syndication import selection

pytestmark = pytest.mark.django_db
FILL = """
    INSERT INTO subscription (id, email, rhythm, reminds, language, confirmed_at, since, due_at)
    SELECT md5(n::text)::uuid, n || '@home.example', 'daily', true, 'en', now(), now() - n * interval '1 minute',
           now() + n * interval '1 minute'
    FROM generate_series(1, 5000) AS n;
    INSERT INTO letter (id, subscription_id, type, until, status)
    SELECT md5(n::text)::uuid, md5(n::text)::uuid, 'digest', now(), 'sent' FROM generate_series(1, 5000) AS n;
    INSERT INTO record (id, kind, status, name, fields, provenance, published_at)
    SELECT md5(n::text)::uuid, 'place', 'published', 'Place ' || n, '{}', '{}', now() - n * interval '1 hour'
    FROM generate_series(1, 5000) AS n;
    INSERT INTO occurrence (id, record_id, start, start_date)
    SELECT md5(n::text)::uuid, md5(n::text)::uuid, now(), now()::date FROM generate_series(1, 5000) AS n;
    ANALYZE subscription, letter, record, search_entry, occurrence;
"""


def plan(statement: str, **values: Any) -> str:
    with connection.cursor() as cursor:
        cursor.execute(f"EXPLAIN {statement}", values)
        return "\n".join(line for (line,) in cursor.fetchall())


def test_each_step_has_its_index() -> None:
    with connection.cursor() as cursor:
        cursor.execute(FILL)
    now = timezone.now()
    due = plan(queue.QUEUE, until=now, most=500, ids="{}", daily=now, weekly=now)
    assert "subscription_due" in due
    assert "letter_waiting" in plan(queue.TAKE)
    assert "letter_taken" in plan(queue.REVIVE, dead_after=queue.DEAD_AFTER, most=8)
    where, values = statements.conditions(Filters(), now.date())
    window = {"window_since": now - timedelta(hours=9), "window_until": now, "most": items.MOST}
    found = plan(items.FOUND.format(where=where, window=items.NEW), **values, **window)
    assert "Index Cond: ((published_at >" in found
    assert "Seq Scan on search_entry" not in found
    one = "{00000000-0000-7000-8000-000000000000}"
    assert "occurrence_once" in plan(reading_many.SPANS, ids=one, most=9)
    assert "record_pkey" in plan(selection.STATES, ids=one)
