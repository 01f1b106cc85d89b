"""The registry: finding and registering names, many at once in one statement."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime
from typing import Any
from uuid import UUID

from django.db import connection

from gleanery.domains.life import BLACKLISTED
from gleanery.domains.models import Domain
from gleanery.domains.names import DomainName, domain_of
from gleanery.errors import NotFound
from gleanery.ids import hex7, uuid7
from gleanery.sql import execute

# Names are sorted, so that two writers of the same names lock them in the same order and never wait in a circle.
# A blacklisted domain is locked but not touched and not returned. `xmax = 0` tells a new row from a known one.
SEE = """
    INSERT INTO domain (id, name, registrable, first_session)
    SELECT *, %(session)s::uuid FROM unnest(%(ids)s::uuid[], %(names)s::text[], %(registrables)s::text[])
    ON CONFLICT (name) DO UPDATE SET last_seen_at = greatest(domain.last_seen_at, coalesce(%(at)s, now()))
        WHERE domain.processing_status <> 'blacklisted'
    RETURNING name, id, (xmax = 0) AS is_new
"""
# To name a domain is not to see it: a submission or a decision leaves `last_seen_at` as it is.
REGISTER = """
    INSERT INTO domain (id, name, registrable, first_session)
    VALUES (%(id)s, %(name)s, %(registrable)s, %(session)s)
    ON CONFLICT (name) DO NOTHING
"""


@dataclass(frozen=True, slots=True)
class Seen:
    id: UUID
    is_new: bool


def see(names: Iterable[DomainName], session: UUID | None = None, at: datetime | None = None) -> dict[str, Seen]:
    """Registers the names that are new and marks the others as seen by a search, now or `at` some time before.

    A blacklisted one is missing from the answer.
    """
    registrables = {each.name: each.registrable for each in names}
    found = sorted(registrables)
    values: dict[str, Any] = {
        "ids": [hex7() for _ in found],
        "names": found,
        "registrables": [registrables[name] for name in found],
        "session": session,
        "at": at,
    }
    with connection.cursor() as cursor:
        cursor.execute(SEE, values)
        return {name: Seen(row_id, is_new) for name, row_id, is_new in cursor.fetchall()}


def register(url_or_host: str, session: UUID | None = None) -> Domain:
    """The one row of this name, made if it is new; a blacklisted one is returned as it is."""
    name = domain_of(url_or_host)
    execute(REGISTER, id=uuid7(), name=name.name, registrable=name.registrable, session=session)
    return Domain.objects.get(name=name.name)


def find(url_or_host: str) -> Domain:
    name = domain_of(url_or_host).name
    domain = Domain.objects.filter(name=name).first()
    if domain is None:
        raise NotFound(f"{name} is not known yet.")
    return domain


def exists(url_or_host: str) -> bool:
    return Domain.objects.filter(name=domain_of(url_or_host).name).exists()


def is_blacklisted(url_or_host: str) -> bool:
    return Domain.objects.filter(name=domain_of(url_or_host).name, processing_status=BLACKLISTED).exists()
