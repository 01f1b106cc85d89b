"""The life of a domain: every cell of its table, its rests by the clock of the database, and actors who race."""

from datetime import timedelta
from itertools import product

import pytest
from django.db import connection
from django.db.models import F
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.extra.django import TestCase
from hypothesis.stateful import RuleBasedStateMachine, invariant, rule, run_state_machine_as_test

from gleanery.accounts import services as accounts
from gleanery.accounts.actor import Actor, system
from gleanery.accounts.models import JournalEntry, User
from gleanery.domains import registry, services
from gleanery.domains.life import BACK_OFF, PROCESSING, SETTLED
from gleanery.domains.models import Domain
from gleanery.errors import Conflict, GleaneryError, Invalid, NotAllowed
from gleanery.roles import SYSTEM, Role

ACTS = {
    "propose": lambda actor, domain: services.update_status(actor, domain, "propose"),
    "start": services.start,
    "finish": services.finish,
    "fail": lambda actor, domain: services.fail(actor, domain, "it timed out"),
    "rate_high": lambda actor, domain: services.rate(actor, domain, high=True),
    "rate_low": lambda actor, domain: services.rate(actor, domain, high=False),
    "no_funds": lambda actor, domain: services.no_funds(actor, domain, 2020),
    "blacklist": lambda actor, domain: services.blacklist_row(actor, domain, "spam"),
    "lift": lambda actor, domain: services.lift(actor, domain, "a mistake"),
}
# What else a row in this state must have, so that the database takes it.
NEEDS = {
    "blacklisted": "blacklisted_at = now(), blacklist_reason = 'spam',"
    " blacklisted_by_id = (SELECT id FROM account LIMIT 1)",
    "processing_failed": "failure_reason = 'x', last_processed_at = now() - interval '2 h',"
    " retry_after = now() - interval '1 h'",
    "no_funds_this_year": "no_funds_year = 2020",
}


def put(state: str) -> Domain:
    domain = registry.register("example.org")
    with connection.cursor() as cursor:
        more = f", {NEEDS[state]}" if state in NEEDS else ""
        cursor.execute(f"UPDATE domain SET processing_status = %s{more}", [state])  # noqa: S608  # constants of this file
    domain.refresh_from_db()
    return domain


def somebody(who: str) -> Actor:
    if who == SYSTEM:
        return system()
    found = User.objects.filter(username=f"a-{who}").first()
    return Actor(found or accounts.create_user(system(), f"a-{who}", Role(who)))


@pytest.mark.django_db
@pytest.mark.parametrize(("state", "action", "who"), list(product(PROCESSING.states, ACTS, [*Role, SYSTEM])))
def test_every_state_action_and_role_does_what_the_table_says(state: str, action: str, who: str) -> None:
    domain, actor = put(state), somebody(who)
    allowed = action in PROCESSING.allowed(state, actor.who)
    written = JournalEntry.objects.filter(subject_id=str(domain.pk)).count()
    try:
        ACTS[action](actor, domain)
    except (Conflict, NotAllowed):
        assert not allowed
        assert Domain.objects.get().processing_status == state
        assert JournalEntry.objects.filter(subject_id=str(domain.pk)).count() == written
    else:
        assert allowed
        assert Domain.objects.get().processing_status == PROCESSING.step(state, action).after
        assert JournalEntry.objects.filter(subject_id=str(domain.pk)).count() == written + 1


def test_this_test_covers_all_actions() -> None:
    assert set(ACTS) == set(PROCESSING.actions)


@pytest.mark.django_db
def test_a_domain_pauses_longer_after_each_failure_in_a_row() -> None:
    domain = put("processing")
    for count, rest in enumerate((*BACK_OFF, BACK_OFF[-1]), 1):
        domain = services.fail(system(), domain, "it timed out")
        assert domain.failure_count == count
        assert domain.retry_after is not None
        assert domain.last_processed_at is not None
        assert domain.retry_after - domain.last_processed_at == rest
        with pytest.raises(Conflict, match="too early"):
            services.start(system(), domain)
        Domain.objects.update(retry_after=domain.last_processed_at + timedelta(microseconds=1))
        domain = services.start(system(), domain)
    assert domain.processing_count == 5
    domain = services.finish(system(), domain)
    assert (domain.failure_count, domain.failure_reason, domain.retry_after) == (0, "", None)


@pytest.mark.django_db
@pytest.mark.parametrize("state", SETTLED)
def test_a_source_without_funds_is_processed_again_next_year(state: str) -> None:
    with connection.cursor() as cursor:
        cursor.execute("SELECT extract(year FROM now())::int")
        (this_year,) = cursor.fetchone()
    domain = services.no_funds(system(), put(state), this_year)
    with pytest.raises(Conflict):
        services.start(system(), domain)
    Domain.objects.update(no_funds_year=this_year - 1)
    domain.refresh_from_db()
    domain = services.start(system(), domain)
    assert (domain.processing_status, domain.no_funds_year) == ("processing", None)


@pytest.mark.django_db
@pytest.mark.parametrize("year", [2019, 2101, -1])
def test_a_year_out_of_range_is_refused(year: int) -> None:
    with pytest.raises(Invalid, match="from 2020 to 2100"):
        services.no_funds(system(), put("crawled"), year)


class TwoActors(RuleBasedStateMachine):
    """Two actors who saw the domain at the same moment act on what they saw, one after the other."""

    def __init__(self) -> None:
        super().__init__()
        Domain.objects.all().delete()
        self.domain = registry.register("example.org").pk
        self.path = ["discovered"]

    @rule(
        first=st.sampled_from(sorted(ACTS)),
        second=st.sampled_from(sorted(ACTS)),
        who=st.sampled_from([SYSTEM, Role.ADMIN, Role.REVIEWER]),
    )
    def race(self, first: str, second: str, who: str) -> None:
        seen = [Domain.objects.get(pk=self.domain) for _ in range(2)]
        before = seen[0].processing_status
        moved = [self._try(first, system(), seen[0]), self._try(second, somebody(who), seen[1])]
        if moved[0] and moved[1]:
            # The second acted on what it saw: that holds only if the first left the state as it was.
            assert PROCESSING.step(before, first).after == before
        rested = F("last_processed_at") + timedelta(microseconds=1)
        Domain.objects.filter(pk=self.domain, retry_after__isnull=False).update(retry_after=rested)

    def _try(self, action: str, actor: Actor, seen: Domain) -> bool:
        before = seen.processing_status
        try:
            ACTS[action](actor, seen)
        except GleaneryError:
            return False
        self.path.append(PROCESSING.step(before, action).after)
        return True

    @invariant()
    def is_where_the_journal_says(self) -> None:
        domain = Domain.objects.get(pk=self.domain)
        told = JournalEntry.objects.filter(subject_id=str(self.domain)).order_by("at", "id")
        arrivals = ["discovered", *(entry.after["processing_status"] for entry in told if entry.after)]
        assert domain.processing_status in PROCESSING.states
        assert sorted(arrivals) == sorted(self.path)
        assert domain.processing_status == self.path[-1]


class TestTwoActors(TestCase):
    def test_two_actors_never_reach_an_illegal_state_and_every_arrival_is_journalled(self) -> None:
        run_state_machine_as_test(TwoActors, settings=settings(max_examples=30, stateful_step_count=12, deadline=None))
