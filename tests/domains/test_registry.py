"""The registry: one row for each name, whatever its spelling, however many write at once."""

import threading
from uuid import uuid4

import pytest
from django.db import IntegrityError, connection, transaction
from django.db.models.functions import Now

from gleanery.accounts.actor import Actor, system
from gleanery.accounts.models import JournalEntry
from gleanery.domains import registry, services
from gleanery.domains.models import Domain
from gleanery.domains.names import domain_of
from gleanery.errors import Conflict, Invalid, InvalidDomain, NotAllowed, NotFound
from gleanery.roles import Role

pytestmark = [pytest.mark.database, pytest.mark.django_db]

SEED_EXAMPLE = (
    "https://us-bulgaria.org/programs/education-grant",
    "https://us-bulgaria.org/about/mission",
    "https://www.us-bulgaria.org/contact",
)


def test_the_three_addresses_of_one_foundation_are_one_domain() -> None:
    rows = {registry.register(url).pk for url in SEED_EXAMPLE}
    assert len(rows) == 1
    assert Domain.objects.get().name == "us-bulgaria.org"


def test_a_domain_remembers_the_session_that_found_it_first() -> None:
    first, second = uuid4(), uuid4()
    registry.register("example.org", first)
    assert registry.register("www.example.org", second).first_session == first


def test_siblings_share_a_registrable_name() -> None:
    registry.register("grants.example.org")
    registry.register("example.org")
    assert Domain.objects.filter(registrable="example.org").count() == 2


def test_find_and_exists_take_any_spelling() -> None:
    registry.register("example.org")
    assert registry.exists("HTTPS://WWW.Example.ORG:443/a?b#c")
    assert registry.find("www.example.org").name == "example.org"
    assert not registry.exists("example.com")
    with pytest.raises(NotFound, match=r"example\.com is not known"):
        registry.find("example.com")


def test_invalid_domains_are_refused_and_not_stored() -> None:
    with pytest.raises(InvalidDomain):
        registry.register("http://127.0.0.1/")
    assert not Domain.objects.exists()


def test_blacklisting_needs_a_reason_and_a_curator(admin: Actor, person: object) -> None:
    with pytest.raises(Invalid, match="reason"):
        services.blacklist(admin, "spam.example", "  ")
    with pytest.raises(NotAllowed):
        services.blacklist(Actor(person(Role.VIEWER)), "spam.example", "spam")  # type: ignore[operator]
    assert not Domain.objects.exists()


def test_blacklisting_an_unknown_domain_is_journalled(admin: Actor) -> None:
    domain = services.blacklist(admin, "https://www.spam.example/x", "sells essays")
    assert registry.is_blacklisted("spam.example")
    assert (domain.blacklisted_by, domain.blacklist_reason) == (admin.user, "sells essays")
    assert domain.blacklisted_at is not None
    entry = JournalEntry.objects.get(action="blacklist")
    assert (entry.subject_name, entry.reason) == ("spam.example", "sells essays")


def test_blacklisting_twice_is_a_conflict(admin: Actor) -> None:
    services.blacklist(admin, "spam.example", "spam")
    with pytest.raises(Conflict):
        services.blacklist(admin, "spam.example", "spam again")


def test_only_an_admin_lifts_and_the_domain_begins_anew(admin: Actor, person: object) -> None:
    domain = services.blacklist(admin, "spam.example", "a mistake")
    Domain.objects.update(approval_status="approved")
    with pytest.raises(NotAllowed):
        services.lift(Actor(person(Role.REVIEWER)), domain, "it is honest")  # type: ignore[operator]
    domain = services.lift(admin, domain, "it is honest")
    assert (domain.processing_status, domain.approval_status) == ("discovered", "none")
    assert domain.blacklisted_at is None


def test_many_are_blacklisted_at_once_and_a_bad_one_does_not_stop_the_others(admin: Actor) -> None:
    services.blacklist(admin, "b.example", "before")
    done, refused = services.blacklist_many(admin, ["a.example", "b.example", "127.0.0.1", "c.example"], "spam")
    assert [domain.name for domain in done] == ["a.example", "c.example"]
    assert [refusal.given for refusal in refused] == ["b.example", "127.0.0.1"]


def test_a_blacklisted_domain_is_not_marked_as_seen(admin: Actor) -> None:
    services.blacklist(admin, "spam.example", "spam")
    before = Domain.objects.get().last_seen_at
    assert registry.see([domain_of("spam.example")]) == {}
    assert Domain.objects.get().last_seen_at == before


@pytest.mark.parametrize(
    "values",
    [
        {"processing_status": "blacklisted"},
        {"approval_status": "rejected"},
        {"processing_status": "processing_failed", "failure_reason": "timeout"},
        {"processing_status": "processing_failed", "failure_reason": "timeout", "last_processed_at": Now()},
        {"processing_status": "no_funds_this_year"},
        {"processing_status": "no_funds_this_year", "no_funds_year": 2019},
        {"processing_status": "no_funds_this_year", "no_funds_year": 2101},
    ],
)
def test_the_database_refuses_a_domain_that_contradicts_itself(values: dict[str, object]) -> None:
    registry.register("example.org")
    with pytest.raises(IntegrityError), transaction.atomic():
        Domain.objects.update(**values)


@pytest.mark.django_db(transaction=True)
def test_fifty_writers_of_the_same_names_in_other_spellings_make_one_row_each() -> None:
    names = [f"site{number}.example" for number in range(20)] + ["правителство.bg"]
    ascii_name = "правителство".encode("idna").decode() + ".bg"
    spellings = [
        str,
        str.upper,
        lambda name: f"https://www.{name}:443/page",
        lambda name: f"http://{name.title()}/?q=1#x",
        lambda name: f"{name}.",
        lambda name: ascii_name.upper() if name == "правителство.bg" else name,
        lambda name: f"https://www.{ascii_name}/" if name == "правителство.bg" else f"https://{name}/",
    ]
    gate, problems, new = threading.Barrier(50), [], []

    def write(number: int) -> None:
        mine = names[number % 21 :] + names[: number % 21]
        gate.wait()
        try:
            seen = registry.see(domain_of(spellings[number % len(spellings)](name)) for name in mine)
            new.extend(name for name, each in seen.items() if each.is_new)
        except Exception as problem:  # whatever it is, it must fail the test
            problems.append(problem)
        finally:
            connection.close()

    threads = [threading.Thread(target=write, args=[number]) for number in range(50)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert problems == []
    assert Domain.objects.count() == 21
    assert Domain.objects.filter(name=ascii_name).count() == 1
    assert len(new) == 21, "each name was new exactly once"


def test_the_system_user_may_blacklist() -> None:
    assert services.blacklist(system(), "spam.example", "rule").blacklisted_by.username == "system"  # type: ignore[union-attr]


def test_a_domain_taken_off_the_blacklist_has_no_old_failures(admin: Actor) -> None:
    domain = registry.register("spam.example")
    Domain.objects.update(failure_count=3, failure_reason="timeout", no_funds_year=2024, retry_after=Now())
    domain.refresh_from_db()
    domain = services.lift(admin, services.blacklist_row(admin, domain, "spam"), "a mistake")
    assert (domain.failure_count, domain.failure_reason) == (0, "")
    assert (domain.retry_after, domain.no_funds_year) == (None, None)
