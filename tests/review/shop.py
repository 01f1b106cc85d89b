"""Sources in every state, for the tests of deciding about them."""

from django.db import connection

from gleanery import pipeline
from gleanery.accounts import services as accounts
from gleanery.accounts.actor import Actor, system
from gleanery.accounts.models import User
from gleanery.discovery import services as discovery
from gleanery.discovery.models import Topic
from gleanery.domains import registry
from gleanery.domains.models import Domain
from gleanery.judging.models import Candidate, Run
from gleanery.roles import SYSTEM, Role, Scope

CANDIDATES = {
    "none": "skipped_low_confidence",
    "pending_review": "pending_crawl",
    "approved": "approved",
    "suspended": "approved",
    "rejected": "rejected",
}


def topic() -> Topic:
    return Topic.objects.filter(name="funding-bulgaria").first() or discovery.add_topic(system(), "funding", "Bulgaria")


def proposed(name: str = "iskra.bg", confidence: str = "0.80") -> Domain:
    """As the judges leave a good one: a candidate, and in the queue."""
    domain = registry.register(name)
    run = Run.objects.create()
    Candidate.objects.create(domain=domain, topic=topic(), run=run, status="pending_crawl", confidence=confidence)
    pipeline.happened_to_domains("proposed", [domain.pk])
    domain.refresh_from_db()
    return domain


def put(state: str, name: str = "iskra.bg") -> Domain:
    """A domain of this approval, with its candidate and its item as they are then."""
    domain = proposed(name)
    with connection.cursor() as cursor:
        values = {"state": state, "id": domain.pk, "candidate": CANDIDATES[state]}
        cursor.execute(
            "UPDATE domain SET approval_status = %(state)s, rejection_reason = 'because' WHERE id = %(id)s", values
        )
        cursor.execute(
            "UPDATE candidate SET status = %(candidate)s, rejection_reason = 'because' WHERE domain_id = %(id)s", values
        )
        if state == "none":
            cursor.execute("DELETE FROM review_warning")
            cursor.execute("DELETE FROM review_item WHERE domain_id = %(id)s", values)
        elif state != "pending_review":
            values["state"] = "rejected" if state == "rejected" else "approved"
            cursor.execute(
                "UPDATE review_item SET status = %(state)s, reason = 'because' WHERE domain_id = %(id)s",
                values,
            )
        cursor.execute("DELETE FROM visit")
        cursor.execute("DELETE FROM crawl")
    domain.refresh_from_db()
    return domain


def somebody(who: str) -> Actor:
    """A person of this role, the machine, or an agent that may decide."""
    if who == SYSTEM:
        return system()
    if who == "agent":
        owner = somebody(Role.ADMIN)
        key, _ = accounts.create_key(system(), "agent", [Scope.READ, Scope.DECIDE], owner=owner.user)
        return Actor(owner.user, key)
    found = User.objects.filter(username=f"a-{who}").first()
    return Actor(found or accounts.create_user(system(), f"a-{who}", Role(who)))
