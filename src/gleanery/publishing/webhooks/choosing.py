"""Which changes a webhook wants: by the kind of record, and by a search."""

from __future__ import annotations

from collections.abc import Collection
from uuid import UUID

from django.utils import timezone

from gleanery.publishing.api.query import filters_of_address
from gleanery.publishing.changes.feed import Change
from gleanery.publishing.changes.models import PRESENT
from gleanery.publishing.search import statements
from gleanery.publishing.search.positions import located
from gleanery.publishing.webhooks.models import Webhook
from gleanery.sql import array, rows

# Index: search_entry_pkey.
FOUND = "SELECT entry.record_id FROM search_entry AS entry WHERE entry.record_id = ANY(%(ids)s::uuid[]) AND ({where})"


def wanted(webhook: Webhook, changes: list[Change]) -> list[Change]:
    """No search finds a record that left: all of these are sent, and who does not know one passes it over."""
    of_kind = [each for each in changes if not webhook.kinds or each.kind in webhook.kinds]
    if not webhook.query:
        return of_kind
    found = _found(webhook.query, {each.record for each in of_kind if each.change in PRESENT})
    return [each for each in of_kind if each.change not in PRESENT or each.record in found]


def _found(query: str, ids: Collection[UUID]) -> set[UUID]:
    filters = located(filters_of_address(query))
    if not ids or (filters.near and filters.position is None):
        return set()
    where, values = statements.conditions(filters, timezone.now().date())
    return {record for (record,) in rows(FOUND.format(where=where), **values, ids=array(ids))}
