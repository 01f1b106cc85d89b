"""Leases for reading feeds: the site's lease if the host is a known domain, else a lease of the host itself."""

from __future__ import annotations

from typing import NamedTuple
from uuid import UUID

from gleanery.crawling.frontier.leases import LEASE_SECONDS, execute, rows
from gleanery.crawling.visiting.crawl_stages import keep_robots
from gleanery.errors import Conflict
from gleanery.ids import uuid7
from gleanery.net.robots import Answer

RATE = 2.0  # seconds between two requests to a host that is not a known domain
WANTED_SECONDS = 60.0  # longer than a time slice of a crawl, so that the feed gets the site next

DOMAIN = "SELECT id, crawl_rate_limit_seconds, processing_status FROM domain WHERE name = %(host)s"
ADD_SITE = "INSERT INTO site (domain_id) VALUES (%(key)s) ON CONFLICT DO NOTHING"
ADD_HOST = "INSERT INTO host (name) VALUES (%(key)s) ON CONFLICT DO NOTHING"
# As for crawls: a lease is free if it is not held, has expired, or its holder's connection is gone.
TAKE = """
    WITH alive AS MATERIALIZED (
        SELECT pid, pid || '@' || coalesce(extract(epoch FROM backend_start)::text, '') AS holder FROM pg_stat_activity
    )
    UPDATE {table} SET lease = %(token)s, leased_until = now() + make_interval(secs => %(seconds)s),
           holder = (SELECT holder FROM alive WHERE pid = pg_backend_pid()) {more}
    WHERE {key} = %(key)s AND ready_at <= now()
      AND (lease IS NULL OR leased_until <= now() OR holder NOT IN (SELECT holder FROM alive))
    RETURNING lease
"""
HOLD = """
    UPDATE {table} SET leased_until = clock_timestamp() + make_interval(secs => %(seconds)s),
           ready_at = greatest(ready_at, clock_timestamp() + make_interval(secs => %(pause)s))
    WHERE {key} = %(key)s AND lease = %(token)s AND leased_until > clock_timestamp()
    RETURNING lease
"""
RELEASE = """
    UPDATE {table} SET lease = NULL, leased_until = NULL, holder = '' WHERE {key} = %(key)s AND lease = %(token)s
"""
# Crawls of this site pause until its feed was read, or this time is over.
WANT = "UPDATE site SET wanted_until = now() + make_interval(secs => %(seconds)s) WHERE domain_id = %(domain)s"
ROBOTS = """
    SELECT status, body, reason FROM robots
    WHERE domain_id {is_it} AND origin = %(origin)s AND status BETWEEN 1 AND 499
      AND fetched_at > now() - interval '1 day'
"""
SITE = {"table": "site", "key": "domain_id", "more": ", wanted_until = NULL"}
HOST = {"table": "host", "key": "name", "more": ""}


class HostLease(NamedTuple):
    """Permission to send requests to one host; `domain` is None if the host is not a known domain."""

    token: UUID
    host: str
    domain: UUID | None
    rate: float

    @property
    def key(self) -> UUID | str:
        return self.domain or self.host

    @property
    def kind(self) -> dict[str, str]:
        return SITE if self.domain else HOST


def take(host: str) -> HostLease | None:
    """Take the lease of a host, or return None and make crawls of it pause; Conflict if it is blacklisted."""
    found = rows(DOMAIN, host=host)
    domain, rate, status = found[0] if found else (None, RATE, "")
    if status == "blacklisted":
        raise Conflict(f"{host} is blacklisted, so nothing is fetched from it.")
    lease = HostLease(uuid7(), host, domain, float(rate))
    execute(ADD_SITE if domain else ADD_HOST, key=lease.key)
    if rows(TAKE.format(**lease.kind), key=lease.key, token=lease.token, seconds=LEASE_SECONDS):
        return lease
    if domain:
        want(domain)
    return None


def want(domain: UUID) -> None:
    """Make crawls of a site pause, so that its feeds are read first."""
    execute(WANT, domain=domain, seconds=WANTED_SECONDS)


def hold(lease: HostLease, pause: float) -> bool:
    """Extend the lease and set the host's pause before the next request; False if the lease was lost."""
    values = {"key": lease.key, "token": lease.token, "seconds": LEASE_SECONDS, "pause": pause}
    return bool(rows(HOLD.format(**lease.kind), **values))


def release(lease: HostLease) -> None:
    execute(RELEASE.format(**lease.kind), key=lease.key, token=lease.token)


def robots_of(lease: HostLease, origin: str) -> Answer | None:
    """Return the robots.txt response of the last 24 hours, if any."""
    statement = ROBOTS.format(is_it="= %(domain)s" if lease.domain else "IS NULL")
    values = {"domain": lease.domain} if lease.domain else {}
    found = rows(statement, **values, origin=origin)
    return Answer(found[0][0], bytes(found[0][1]), found[0][2]) if found else None


def keep(lease: HostLease, origin: str, answer: Answer) -> None:
    keep_robots(lease.domain, origin, answer)
