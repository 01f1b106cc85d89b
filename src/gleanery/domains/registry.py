"""Registry of domains: finds and registers names, many in one statement."""

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

# Names are sorted, so that concurrent writers lock them in the same order and cannot deadlock. A blacklisted domain is
# locked, but neither changed nor returned. `xmax = 0` marks new rows.
SEE = """
    INSERT INTO domain (id, name, registrable, first_session)
    SELECT *, %(session)s::uuid FROM unnest(%(ids)s::uuid[], %(names)s::text[], %(registrables)s::text[])
    ON CONFLICT (name) DO UPDATE SET last_seen_at = greatest(domain.last_seen_at, coalesce(%(at)s, now()))
        WHERE domain.processing_status <> 'blacklisted'
    RETURNING name, id, (xmax = 0) AS is_new
"""
# Submissions and decisions do not count as sightings, so `last_seen_at` stays.
REGISTER = """
    INSERT INTO domain (id, name, registrable, first_session)
    VALUES (%(id)s, %(name)s, %(registrable)s, %(session)s)
    ON CONFLICT (name) DO NOTHING
"""


@dataclass(frozen=True, slots=True)
class RegisteredDomain:
    id: UUID
    is_new: bool


def see(
    names: Iterable[DomainName], session: UUID | None = None, at: datetime | None = None
) -> dict[str, RegisteredDomain]:
    """Register new names and mark the others as seen now, or `at` an earlier time; blacklisted ones are left out."""
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
        return {name: RegisteredDomain(row_id, is_new) for name, row_id, is_new in cursor.fetchall()}


def register(url_or_host: str, session: UUID | None = None) -> Domain:
    """Return the row of this name, made if it is new; a blacklisted one is returned unchanged."""
    name = domain_of(url_or_host)
    execute(REGISTER, id=uuid7(), name=name.name, registrable=name.registrable, session=session)
    return Domain.objects.get(name=name.name)


def find(url_or_host: str) -> Domain:
    name = domain_of(url_or_host).name
    domain = Domain.objects.filter(name=name).first()
    if domain is None:
        raise NotFound(f"{name} is not known yet. To add it, submit it as a source.")
    return domain


def exists(url_or_host: str) -> bool:
    return Domain.objects.filter(name=domain_of(url_or_host).name).exists()


def is_blacklisted(url_or_host: str) -> bool:
    return Domain.objects.filter(name=domain_of(url_or_host).name, processing_status=BLACKLISTED).exists()
