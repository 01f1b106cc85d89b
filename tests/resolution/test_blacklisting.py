"""Observations of a blacklisted domain are not used: records are withdrawn or lose values, and come back."""

from __future__ import annotations

from typing import Any

import pytest
from django.db import connection, transaction

from gleanery.accounts.actor import Actor
from gleanery.accounts.models import JournalEntry
from gleanery.domains import registry
from gleanery.domains import services as domains
from gleanery.domains.effect import effect_of, foreseen
from gleanery.domains.models import Domain
from gleanery.errors import Conflict
from gleanery.extraction.models import Source
from gleanery.resolution import services
from gleanery.resolution.models import Record
from gleanery.review.models import Item
from tests.resolution import history
from tests.resolution.shop import JAZZ, given, record_of, tell

pytestmark = pytest.mark.django_db

NIGHT = JAZZ | {"description": "Of the site."}


def site(name: str = "spam.example") -> Source:
    """Return the source of a crawled domain."""
    domain = registry.register(name)
    return Source.objects.get_or_create(domain=domain, defaults={"kind": "crawled", "name": name, "trust": 8})[0]


def say(who: Source, kind: str, key: str, /, **payload: Any) -> Record:
    (answer,) = services.intake(who, [given(kind, key, **payload)])
    return record_of(answer)


def blacklisted(actor: Actor, name: str = "spam.example") -> Domain:
    return domains.blacklist(actor, name, "Lies.")


def counts(withdrawn: int = 0, reduced: int = 0, back: int = 0, completed: int = 0) -> dict[str, int]:
    names = ("records_withdrawn", "records_reduced", "records_brought_back", "records_completed")
    return dict(zip(names, (withdrawn, reduced, back, completed), strict=True))


def test_records_without_another_source_are_withdrawn_and_come_back_unchanged(admin: Actor) -> None:
    say(site(), "event", "1", **NIGHT)
    say(site(), "event", "2", **(NIGHT | {"name": "Backwards", "end": "2027-03-11T19:00:00+02:00"}))
    before = history.snapshot()
    assert sorted(row[1] for row in before.values()) == ["in_review", "published", "published"], "with the venue"
    domain = registry.find("spam.example")
    expected = {"records_withdrawn": 3, "records_reduced": 0, "said": "Of its records 3 are withdrawn."}
    assert foreseen(domain) == expected
    assert history.snapshot() == before, "nothing was done yet"
    assert effect_of(blacklisted(admin)) == counts(withdrawn=3)
    assert {row.status for row in Record.objects.all()} == {"withdrawn"}
    assert Item.objects.get().reason == "All sources of its record are blacklisted."
    history.likeness_is_kept()
    taken = JournalEntry.objects.filter(action="take_down", subject_kind="record")
    assert {entry.reason for entry in taken} == {"The domains of all its sources are blacklisted."}
    assert taken.count() == 3
    domain.refresh_from_db()
    assert effect_of(domains.lift(admin, domain, "They mended it.")) == counts(back=3)
    assert history.snapshot() == before
    assert [each.code for each in Item.objects.get(status="pending").warnings.all()] == ["reversed_dates"]
    history.check()


def test_records_with_another_source_lose_values_and_get_them_back(admin: Actor) -> None:
    record = say(site(), "event", "1", **NIGHT)
    tell("library", "event", "9", **(JAZZ | {"description": "Of the library."}))
    assert Record.objects.get(pk=record.pk).fields["description"] == "Of the site."
    before = history.snapshot()
    domain = blacklisted(admin)
    assert effect_of(domain) == counts(reduced=2)
    now = Record.objects.get(pk=record.pk)
    assert (now.status, now.fields["description"]) == ("published", "Of the library.")
    assert effect_of(domains.lift(admin, domain, "They mended it.")) == counts(completed=2)
    assert history.snapshot() == before


def test_another_source_brings_back_what_was_withdrawn_in_its_own_words(admin: Actor) -> None:
    record = say(site(), "event", "1", **NIGHT)
    domain = blacklisted(admin)
    answer = tell("library", "event", "9", **(JAZZ | {"description": "Of the library."}))
    assert (answer.outcome, answer.record) == ("merged", str(record.pk))
    record.refresh_from_db()
    assert (record.status, record.fields["description"]) == ("published", "Of the library.")
    history.likeness_is_kept()
    domains.lift(admin, domain, "They mended it.")
    record.refresh_from_db()
    assert record.fields["description"] == "Of the site."
    history.check()


def test_nothing_is_taken_from_a_blacklisted_domain_until_it_is_lifted(admin: Actor) -> None:
    source = site()
    domain = blacklisted(admin)
    with pytest.raises(Conflict, match="blacklisted"):
        say(source, "event", "1", **NIGHT)
    assert services.resolve(source) == 0
    domains.lift(admin, domain, "They mended it.")
    assert say(source, "event", "1", **NIGHT).status == "published"


def test_what_is_split_off_or_restored_meanwhile_stays_withdrawn(admin: Actor) -> None:
    one = record_of(tell("library", "place", "1", name="Amber hall", locality="x"))
    other = say(site(), "place", "1", name="Quartz house", locality="x")
    third = say(site(), "place", "2", name="Raven inn", locality="x")
    services.merge(admin, other, one)
    services.delete(admin, third, "No good.")
    domain = blacklisted(admin)
    assert effect_of(domain) == counts(reduced=1)
    services.unmerge(admin, other)
    services.restore(admin, third)
    assert [Record.objects.get(pk=each.pk).status for each in (one, other, third)] == [
        "published",
        "withdrawn",
        "withdrawn",
    ]
    assert effect_of(domains.lift(admin, domain, "They mended it.")) == counts(back=2)
    assert {each.status for each in Record.objects.all()} == {"published"}
    history.check()


def test_a_record_of_two_blacklisted_domains_comes_back_with_the_first(admin: Actor) -> None:
    record = say(site(), "event", "1", **NIGHT)
    say(site("other.example"), "event", "1", **NIGHT)
    first, second = blacklisted(admin), blacklisted(admin, "other.example")
    assert (effect_of(first), effect_of(second)) == (counts(reduced=2), counts(withdrawn=2))
    assert effect_of(domains.lift(admin, first, "They mended it.")) == counts(back=2)
    assert Record.objects.get(pk=record.pk).status == "published"
    assert effect_of(domains.lift(admin, second, "They too.")) == counts(completed=2)


def test_thousands_are_withdrawn_by_a_few_statements(admin: Actor) -> None:
    source = site()
    for begin in range(0, 2_000, 1_000):
        things = [given("place", str(n), name=f"House {n}", locality=f"Town {n}") for n in range(begin, begin + 1_000)]
        services.intake(source, things)
    connection.force_debug_cursor = True
    try:
        before = len(connection.queries)
        domain = blacklisted(admin)
        asked = len(connection.queries) - before
    finally:
        connection.force_debug_cursor = False
    assert effect_of(domain) == counts(withdrawn=2_000)
    assert asked < 100, "for each thousand a few"
    assert effect_of(domains.lift(admin, domain, "They mended it.")) == counts(back=2_000)
    assert Record.objects.filter(status="published").count() == 2_000


def test_a_blacklisting_that_is_taken_back_withdraws_nothing(admin: Actor) -> None:
    record = say(site(), "event", "1", **NIGHT)
    with transaction.atomic():
        blacklisted(admin)
        transaction.set_rollback(True)
    assert Record.objects.get(pk=record.pk).status == "published"
    assert registry.find("spam.example").processing_status == "discovered"
