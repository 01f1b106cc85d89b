"""Orders of hits, and the cursors that lead from one page of them to the next."""

from __future__ import annotations

import base64
import binascii
import json
from collections.abc import Callable
from datetime import date, datetime
from decimal import Decimal
from typing import Final, NamedTuple
from uuid import UUID

from gleanery.publishing.search.clauses import QUERY
from gleanery.publishing.search.filters import Filters
from gleanery.text import clean_text


class Order(NamedTuple):
    key: str  # an expression over `search_entry AS entry`, never NULL
    type: str
    descending: bool = False


KM: Final = "km_between(entry.lat, entry.lon, %(lat)s, %(lon)s)"
ORDERS: Final[dict[str, Order]] = {
    "best": Order(
        f"round((ts_rank(entry.words, {QUERY}) + word_similarity(folded(%(q)s), entry.name))::numeric, 4)",
        "numeric",
        descending=True,
    ),
    "soon": Order("entry.soon", "date"),
    "near": Order(KM, "float8"),
    "new": Order("entry.published_at", "timestamptz", descending=True),
    "name": Order("entry.name", "text"),
}
# By the first of the days that are asked for, where these do not begin today: the next one of all, if it is among
# them. Index: occurrence_once.
FROM_DAY: Final = Order(
    """
    CASE WHEN %(from_day)s > %(today)s AND entry.soon >= %(from_day)s THEN entry.soon ELSE coalesce(
        (SELECT min(greatest(o.start_date, %(from_day)s)) FROM occurrence AS o
         WHERE o.record_id = entry.record_id AND (o.start_date >= %(from_day)s OR o."end" >= %(from_day)s)),
        entry.soon) END
    """,
    "date",
)
READERS: Final[dict[str, Callable[[str], object]]] = {
    "numeric": Decimal,
    "date": date.fromisoformat,
    "float8": float,
    "timestamptz": datetime.fromisoformat,
    "text": clean_text,
}


def order_of(filters: Filters, today: date) -> Order:
    first, _ = filters.days(today)
    return FROM_DAY if filters.order == "soon" and first not in (None, today) else ORDERS[filters.order]


def cursor_after(key: str, record: object) -> str:
    return base64.urlsafe_b64encode(json.dumps([key, str(record)]).encode()).rstrip(b"=").decode()


def position_of(cursor: str, order: Order) -> tuple[str | None, str | None]:
    """Where the page begins; one that cannot be read is the first page."""
    if not cursor:
        return None, None
    try:
        key, record = json.loads(base64.urlsafe_b64decode(cursor.encode("ascii") + b"=="))
        READERS[order.type](key)
        return key, str(UUID(record))
    except (ValueError, TypeError, AttributeError, ArithmeticError, binascii.Error, RecursionError):
        return None, None
