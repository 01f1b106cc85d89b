"""How PostgreSQL goes about the change feed when there is much of it: by the indexes that the statements name."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest
from django.db import connection

from gleanery.publishing.changes import feed, listing, rpde
from gleanery.publishing.webhooks import delivering
from gleanery.sql import rows

pytestmark = pytest.mark.django_db
# A year of changes of 500 records, of which a few came just now.
FILL = """
    INSERT INTO record_change (record_id, kind, change, transaction, position, listed_at, is_latest)
    SELECT md5((n %% 500)::text)::uuid, (ARRAY['event', 'place', 'funding'])[n %% 3 + 1], 'updated', n, n,
           now() - (20000 - n) * interval '26 minutes', n > 19500
    FROM generate_series(1, 20000) AS n;
    INSERT INTO record_change (record_id, kind, change, transaction)
    SELECT md5(n::text)::uuid, 'event', 'updated', 1 FROM generate_series(1, 20) AS n;
    ANALYZE record_change
"""
STATEMENTS: tuple[tuple[str, str, dict[str, Any]], ...] = (
    (listing.IS_WAITING, "record_change_position", {}),
    (listing.LIST, "record_change_position change_latest", {}),
    (feed.AFTER, "record_change_position", {"after": 19_000, "most": 101}),
    (feed.STANDS, "record_change_position change_listed", {"kept": listing.KEPT}),
    (rpde.LATEST, "change_latest_of_kind", {"kind": "event", "after": 0, "most": 500}),
    (delivering.CLAIM, "record_change_position", {"lease": timedelta(minutes=2)}),
)


@pytest.mark.parametrize(("statement", "indexes", "values"), STATEMENTS, ids=range(len(STATEMENTS)))
def test_the_feed_is_read_by_its_indexes(statement: str, indexes: str, values: dict[str, Any]) -> None:
    with connection.cursor() as cursor:
        cursor.execute(FILL.replace("%%", "%"))
    plan = "\n".join(line for (line,) in rows(f"EXPLAIN {statement}", **values))
    assert all(index in plan for index in indexes.split()), plan
    assert "Seq Scan on record_change" not in plan
