"""Intake: a page of hits becomes rows, set-based and in one transaction, however many there are."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from uuid import UUID

from django.db import connection, transaction

from gleanery.accounts.actor import system
from gleanery.discovery.sifting import Sifted
from gleanery.domains import registry, services
from gleanery.domains.registry import Seen
from gleanery.ids import uuid7

# The unique key makes a page that is taken in twice count once.
STORE = """
    INSERT INTO result (id, session_id, provider, query, position, url, title, description,
                        domain_name, domain_id, outcome, rule, reason)
    SELECT id, %(session)s, %(provider)s, query, position, url, title, description,
           domain_name, domain_id, outcome, rule, reason
    FROM unnest(%(ids)s::uuid[], %(queries)s::text[], %(positions)s::int[], %(urls)s::text[], %(titles)s::text[],
                %(descriptions)s::text[], %(names)s::text[], %(domains)s::uuid[], %(outcomes)s::text[],
                %(rules)s::text[], %(reasons)s::text[])
         AS hit (id, query, position, url, title, description, domain_name, domain_id, outcome, rule, reason)
    ON CONFLICT (session_id, provider, query, position) DO NOTHING
    RETURNING outcome
"""
# Three results that sell something else and not one honest one. Index: result_domain_name.
SELLERS = """
    SELECT domain_name FROM result WHERE domain_name = ANY(%(names)s)
    GROUP BY domain_name
    HAVING count(*) FILTER (WHERE outcome = 'spam' AND rule = 'cross_category') >= 3
       AND count(*) FILTER (WHERE outcome IN ('new', 'duplicate')) = 0
    ORDER BY domain_name
"""


@transaction.atomic
def take_in(session: UUID, provider: str, hits: Sequence[Sifted]) -> Counter[str]:
    """How many became what; hits that are there already count nothing."""
    seen = registry.see((hit.domain for hit in hits if hit.domain and not hit.outcome), session)
    settled = list(_settled(hits, seen))
    with connection.cursor() as cursor:
        cursor.execute(STORE, {"session": session, "provider": provider, **_columns(settled, seen)})
        outcomes = Counter(outcome for (outcome,) in cursor.fetchall())
    _blacklist_sellers({hit.domain.name for hit in settled if hit.domain and hit.rule == "cross_category"})
    return outcomes


def _settled(hits: Sequence[Sifted], seen: dict[str, Seen]) -> list[Sifted]:
    """Of several hits on a new domain, the first is the new one and the others are duplicates of it."""
    met: set[str] = set()
    settled = []
    for hit in hits:
        if hit.domain and not hit.outcome:
            name = hit.domain.name
            if name not in seen:
                hit = replace(hit, outcome="blacklisted", reason=f"{name} is blacklisted.")  # noqa: PLW2901
            else:
                is_first = seen[name].is_new and name not in met
                hit = replace(hit, outcome="new" if is_first else "duplicate")  # noqa: PLW2901
                met.add(name)
        settled.append(hit)
    return settled


def _columns(hits: list[Sifted], seen: dict[str, Seen]) -> dict[str, list[object]]:
    names = [hit.domain.name if hit.domain else "" for hit in hits]
    found = [hit.outcome in ("new", "duplicate") for hit in hits]
    return {
        "ids": [uuid7() for _ in hits],
        "queries": [hit.query for hit in hits],
        "positions": [hit.position for hit in hits],
        "urls": [hit.url for hit in hits],
        "titles": [hit.title for hit in hits],
        "descriptions": [hit.description for hit in hits],
        "names": list(names),
        "domains": [seen[name].id if is_found else None for name, is_found in zip(names, found, strict=True)],
        "outcomes": [hit.outcome for hit in hits],
        "rules": [hit.rule for hit in hits],
        "reasons": [hit.reason for hit in hits],
    }


def _blacklist_sellers(names: set[str]) -> None:
    """Only domains with a fresh hit are looked at, and only the machine's own rule speaks here."""
    if not names:
        return
    with connection.cursor() as cursor:
        cursor.execute(SELLERS, {"names": sorted(names)})
        sellers = [name for (name,) in cursor.fetchall()]
    for name in sellers:
        if not registry.is_blacklisted(name):
            services.blacklist(system(), name, "Three or more results sell something else, and none is honest.")
