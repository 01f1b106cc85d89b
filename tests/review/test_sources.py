"""Deciding about sources: every cell of both tables, one transaction, and two who decide at once."""

import threading
from collections.abc import Callable
from functools import partial
from itertools import product
from typing import Any

import pytest
from django.db import connection, transaction

from gleanery import pipeline
from gleanery.accounts.actor import Actor, system
from gleanery.accounts.models import JournalEntry
from gleanery.crawling import services as crawling
from gleanery.crawling.models import Crawl
from gleanery.domains import registry
from gleanery.domains import services as domains
from gleanery.domains.life import APPROVAL
from gleanery.domains.models import Domain
from gleanery.errors import Conflict, GleaneryError, Invalid, NotAllowed
from gleanery.judging.models import Candidate
from gleanery.review.life import ITEM
from gleanery.review.models import Item
from gleanery.review.queue import claims
from gleanery.review.services import ABOUT_SOURCES, allowed_actions, decide
from gleanery.review.sources import bulk, locked_source, source_decisions
from gleanery.roles import DECIDER, SYSTEM, Role, may_act
from tests.review.shop import proposed, put, somebody

pytestmark = pytest.mark.django_db

ACTS: dict[str, Callable[[Actor, Domain], Any]] = {
    "approve": source_decisions.approve,
    "reject": lambda actor, domain: source_decisions.reject(actor, domain, "not for us"),
    "suspend": source_decisions.suspend,
    "resume": source_decisions.resume,
    "undo": source_decisions.undo,
}
# Whoever approves or rejects a domain that was only found has submitted it by that.
SUBMITTED_FIRST = {"approve": "approved", "reject": "rejected"}


def trio(domain: Domain) -> tuple[str, str, str]:
    """Domain, candidate, item."""
    item = Item.objects.filter(domain=domain).order_by("-id").first()
    approval = Domain.objects.get(pk=domain.pk).approval_status
    return approval, Candidate.objects.get(domain=domain).status, item.status if item else ""


@pytest.mark.parametrize(("state", "action", "who"), list(product(APPROVAL.states, ACTS, [*Role, SYSTEM, "agent"])))
def test_every_state_action_and_role_does_what_the_table_says(state: str, action: str, who: str) -> None:
    domain, actor = put(state), somebody(who)
    before, written = trio(domain), JournalEntry.objects.count()
    after = next((move.after for move in APPROVAL.moves if (move.before, move.action) == (state, action)), None)
    after = SUBMITTED_FIRST.get(action) if state == "none" else after
    try:
        decision = ACTS[action](actor, domain)
    except NotAllowed:
        assert not may_act(actor.who, DECIDER)
    except Conflict:
        assert after is None
    else:
        assert may_act(actor.who, DECIDER)
        assert decision.domain.approval_status == after
        assert trio(domain) != before
        assert JournalEntry.objects.count() > written
        return
    assert (trio(domain), JournalEntry.objects.count()) == (before, written)


def test_domain_candidate_and_item_move_together_and_back() -> None:
    domain, anna = proposed(), somebody(Role.REVIEWER)
    assert trio(domain) == ("pending_review", "pending_crawl", "pending")
    decision = source_decisions.approve(anna, domain)
    assert trio(domain) == ("approved", "approved", "approved")
    assert (decision.domain.reviewed_by, decision.domain.reviewed_at is None) == (anna.user, False)
    assert decision.item is not None
    assert (decision.item.decided_by, decision.item.version) == (anna.user, 2)
    decision = source_decisions.undo(anna, decision.domain)
    assert trio(domain) == ("pending_review", "pending_crawl", "pending")
    assert (decision.domain.reviewed_by, decision.domain.reviewed_at) == (None, None)
    decision = source_decisions.reject(anna, decision.domain, "  it sells\x00 shoes ")
    assert trio(domain) == ("rejected", "rejected", "rejected")
    assert decision.domain.rejection_reason == "it sells shoes"
    assert decision.candidate is not None
    assert decision.candidate.rejection_reason == "it sells shoes"
    source_decisions.undo(anna, decision.domain)
    assert Item.objects.count() == 1
    assert Domain.objects.get().rejection_reason == ""


def test_approving_replaces_the_preview_with_a_full_crawl() -> None:
    domain = proposed()
    preview = Crawl.objects.get(kind="preview")
    decision = source_decisions.approve(somebody(Role.REVIEWER), domain)
    assert decision.said == "iskra.bg is approved. Crawling started. Check back in a few minutes."
    assert decision.crawl is not None
    assert (decision.crawl.kind, decision.crawl.status) == ("full", "waiting")
    preview.refresh_from_db()
    assert preview.status == "cancelled"
    assert decision.domain.processing_status == "pending_crawl"


@pytest.mark.parametrize("action", ["suspend", "undo"])
def test_sources_no_longer_approved_are_not_crawled(action: str) -> None:
    anna = somebody(Role.REVIEWER)
    decision = source_decisions.approve(anna, proposed())
    ACTS[action](anna, decision.domain)
    assert not Crawl.objects.filter(kind="full", status__in=("waiting", "running")).exists()


def test_a_rejected_source_is_no_longer_crawled() -> None:
    source_decisions.reject(somebody(Role.REVIEWER), proposed(), "no")
    assert Crawl.objects.get().status == "cancelled"


def test_resuming_crawls_again() -> None:
    decision = source_decisions.resume(somebody(Role.REVIEWER), put("suspended"))
    assert decision.crawl is not None
    assert decision.domain.approval_status == "approved"


def test_approving_a_found_domain_submits_it() -> None:
    domain, anna = registry.register("iskra.bg"), somebody(Role.REVIEWER)
    decision = source_decisions.approve(anna, domain)
    assert (decision.domain.submitted_by, decision.domain.submitter_type) == (anna.user, "admin")
    assert decision.domain.processing_status == "pending_crawl"
    told = JournalEntry.objects.filter(subject_kind="domain", actor=anna.user).order_by("id")
    assert [entry.action for entry in told] == ["submit", "approve", "crawl"]
    decision = source_decisions.undo(anna, decision.domain)
    assert decision.item is not None
    assert decision.item.status == "pending"


def test_people_overrule_a_skipped_candidate() -> None:
    domain = put("none")
    source_decisions.approve(somebody(Role.REVIEWER), domain)
    assert trio(domain)[:2] == ("approved", "approved")
    assert JournalEntry.objects.filter(action="lift", subject_kind="candidate").count() == 1


def test_a_rejection_needs_a_reason() -> None:
    domain = proposed()
    for reason in ("", "  ", "\x00"):
        with pytest.raises(Invalid, match="reason"):
            source_decisions.reject(somebody(Role.REVIEWER), domain, reason)
    assert trio(domain)[0] == "pending_review"


def test_only_people_may_blacklist_when_rejecting() -> None:
    domain = proposed()
    with pytest.raises(NotAllowed):
        source_decisions.reject(somebody("agent"), domain, "spam", blacklist=True)
    decision = source_decisions.reject(somebody(Role.REVIEWER), domain, "spam", blacklist=True)
    assert (decision.domain.processing_status, decision.domain.blacklist_reason) == ("blacklisted", "spam")
    assert trio(domain) == ("rejected", "rejected", "rejected")
    for act in (source_decisions.approve, source_decisions.undo):
        with pytest.raises(Conflict, match=r"blacklisted \(spam\)\. An admin must take it off the blacklist first"):
            act(somebody(Role.ADMIN), decision.domain)


def test_a_domain_taken_off_the_blacklist_starts_over() -> None:
    decision = source_decisions.reject(somebody(Role.REVIEWER), proposed(), "spam", blacklist=True)
    domain = domains.lift(somebody(Role.ADMIN), decision.domain, "a mistake")
    assert trio(domain) == ("none", "pending_crawl", "rejected")
    source_decisions.approve(somebody(Role.REVIEWER), domain)
    assert trio(domain)[:2] == ("approved", "approved")


def test_a_domain_blacklisted_while_waiting_can_return_to_the_queue() -> None:
    domain = proposed()
    domains.blacklist_row(somebody(Role.REVIEWER), domain, "spam")
    assert trio(domain)[2] == "superseded"
    domain.refresh_from_db()
    with pytest.raises(Conflict, match="blacklisted"):
        source_decisions.undo(somebody(Role.REVIEWER), domain)
    domain = domains.lift(somebody(Role.ADMIN), domain, "a mistake")
    source_decisions.undo(somebody(Role.REVIEWER), domain)
    assert trio(domain) == ("pending_review", "pending_crawl", "pending")


@pytest.mark.parametrize("action", ["approve", "reject", "undo"])
def test_a_failure_rolls_everything_back(action: str, monkeypatch: pytest.MonkeyPatch) -> None:
    domain, anna = put("approved" if action == "undo" else "pending_review"), somebody(Role.REVIEWER)
    before, written = trio(domain), JournalEntry.objects.count()

    def pulled(*_: object, **__: object) -> None:
        raise RuntimeError("the plug was pulled")

    # Stands for whatever may fail last: a full disk, a lost connection.
    monkeypatch.setattr(crawling, "request_crawl" if action == "approve" else "stop_crawls", pulled)
    with pytest.raises(RuntimeError):
        ACTS[action](anna, domain)
    assert (trio(domain), JournalEntry.objects.count()) == (before, written)


def test_a_stale_version_is_a_conflict() -> None:
    proposed()
    anna, item = somebody(Role.REVIEWER), Item.objects.get()
    decide(anna, item, "approve", version=1)
    with pytest.raises(Conflict, match="approved"):
        decide(anna, Item.objects.get(), "approve")
    decide(anna, Item.objects.get(), "undo", version=2)
    with pytest.raises(Conflict, match="has changed since you opened it"):
        decide(anna, Item.objects.get(), "approve", version=1)
    with pytest.raises(Conflict, match="has changed since you opened it"):
        decide(anna, item, "approve")


def test_only_the_latest_item_of_a_subject_can_be_decided() -> None:
    domain = put("rejected")
    old = Item.objects.get()
    Domain.objects.update(approval_status="pending_review")
    pipeline.happened_to_domains("submitted", [domain.pk])
    assert allowed_actions(system(), claims.find(old.pk)) == []
    with pytest.raises(Conflict):
        decide(system(), old, "undo")
    assert Item.objects.filter(status="pending").count() == 1


@pytest.mark.parametrize(
    ("state", "action", "who"), list(product(ITEM.states, ABOUT_SOURCES, [*Role, SYSTEM, "agent"]))
)
def test_every_cell_of_the_item_table_matches_actions_and_effects(state: str, action: str, who: str) -> None:
    domain, actor = put(state if state in ("approved", "rejected") else "pending_review"), somebody(who)
    if state == "superseded":
        domains.lift(system(), domains.blacklist_row(system(), domain, "spam"), "a mistake")
    if state == "merged":
        Item.objects.update(status=state)
    item = claims.find(Item.objects.get().pk)
    # Nothing merges sources, so nothing undoes that either.
    offered = action in allowed_actions(actor, item)
    assert offered == (state != "merged" and action in ITEM.allowed(state, actor.who))
    try:
        decide(actor, item, action, **({"reason": "because"} if action == "reject" else {}))
    except GleaneryError:
        assert not offered
        assert Item.objects.get().status == state
    else:
        assert offered
        assert Item.objects.get().status == ITEM.step(state, action).after


def test_deciding_on_an_outdated_page_is_refused() -> None:
    seen, anna = proposed(), somebody(Role.REVIEWER)
    approved = source_decisions.approve(anna, Domain.objects.get(pk=seen.pk)).domain
    source_decisions.undo(anna, approved)
    with pytest.raises(Conflict, match="has changed since you opened it"):
        source_decisions.suspend(anna, approved)


def test_only_admins_set_trust_which_approves_waiting_sources() -> None:
    domain = proposed()
    for who in (Role.REVIEWER, "agent"):
        with pytest.raises(NotAllowed):
            source_decisions.trust(somebody(who), domain)
    decision = source_decisions.trust(somebody(Role.ADMIN), domain)
    assert decision.domain.is_trusted
    assert trio(domain) == ("approved", "approved", "approved")
    decision = source_decisions.untrust(somebody(Role.ADMIN), decision.domain)
    assert (decision.domain.is_trusted, decision.domain.approval_status) == (False, "approved")
    changes = JournalEntry.objects.filter(action__in=("trust", "untrust")).order_by("id")
    assert [entry.after for entry in changes] == [{"is_trusted": True}, {"is_trusted": False}]


def test_trusting_a_rejected_domain_does_not_undo_that() -> None:
    domain = put("rejected")
    source_decisions.trust(somebody(Role.ADMIN), domain)
    assert trio(domain)[0] == "rejected"


def test_crawl_now_reads_every_page_of_approved_domains_only() -> None:
    decision = source_decisions.crawl_now(somebody("agent"), put("approved"))
    assert decision.crawl is not None
    assert decision.crawl.kind == "deep"
    with pytest.raises(Conflict, match="not approved"):
        source_decisions.crawl_now(somebody(Role.REVIEWER), proposed("other.bg"))
    with pytest.raises(NotAllowed):
        source_decisions.crawl_now(somebody(Role.VIEWER), put("approved", "third.bg"))


def test_the_pace_is_changed_within_its_limits_and_journalled() -> None:
    domain = proposed()
    decision = source_decisions.configure(somebody(Role.REVIEWER), domain, depth=5, rate=10, frequency=None)
    assert (decision.domain.max_crawl_depth, decision.domain.crawl_rate_limit_seconds) == (5, 10)
    assert decision.domain.scrape_frequency_hours == 24
    entry = JournalEntry.objects.get(action="configure")
    assert entry.before == {"max_crawl_depth": 3, "crawl_rate_limit_seconds": 2}
    assert entry.after == {"max_crawl_depth": 5, "crawl_rate_limit_seconds": 10}
    source_decisions.configure(somebody(Role.REVIEWER), domain, depth=5)
    assert JournalEntry.objects.filter(action="configure").count() == 1
    for wrong in ({"depth": 7}, {"depth": -1}, {"rate": 0}, {"rate": 3601}, {"frequency": 0}, {"frequency": 8761}):
        with pytest.raises(Invalid, match="a whole number from"):
            source_decisions.configure(somebody(Role.REVIEWER), domain, **wrong)


def test_approving_can_set_the_pace_and_the_crawl_keeps_to_it() -> None:
    decision = source_decisions.approve(somebody(Role.REVIEWER), proposed(), depth=1, rate=5, frequency=48)
    assert decision.crawl is not None
    assert (decision.crawl.max_depth, decision.domain.crawl_rate_limit_seconds) == (1, 5)


def test_each_of_many_domains_is_decided_separately() -> None:
    proposed("aa.bg"), proposed("bb.bg"), put("rejected", "cc.bg")
    anna, why = somebody(Role.REVIEWER), bulk.Wish("no")
    done, refused = bulk.decide(anna, "approve", ["aa.bg", "https://www.bb.bg/x", "cc.bg", "zz.bg", "a b"], why)
    assert [each.name for each in done] == ["aa.bg", "bb.bg"]
    assert [each.given for each in refused] == ["cc.bg", "zz.bg", "a b"]
    assert "Undo that first" in refused[0].reason
    done, _ = bulk.decide(anna, "suspend", ["aa.bg", "bb.bg"], why)
    assert len(done) == 2
    done, _ = bulk.decide(anna, "resume", ["aa.bg"], why)
    assert done[0].approval_status == "approved"
    proposed("dd.bg")
    with pytest.raises(Invalid):
        bulk.decide(anna, "reject", ["dd.bg"], bulk.Wish(" "))
    done, _ = bulk.decide(anna, "reject", ["dd.bg"], why)
    assert done[0].approval_status == "rejected"


def at_once(*acts: Callable[[], Any]) -> list[Any]:
    """Each in a thread with a connection of its own, started at one moment; what each returned or raised."""
    gate, said = threading.Barrier(len(acts)), [None] * len(acts)

    def run(number: int, act: Callable[[], Any]) -> None:
        try:
            gate.wait()
            said[number] = act()
        except GleaneryError as problem:
            said[number] = problem  # type: ignore[call-overload]
        finally:
            connection.close()

    threads = [threading.Thread(target=run, args=pair) for pair in enumerate(acts)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(30)
    return said


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("others", ["approve", "reject"])
def test_of_two_concurrent_decisions_exactly_one_wins(others: str) -> None:
    anna, boris = somebody(Role.REVIEWER), somebody(Role.ADMIN)
    for number in range(8):
        domain = proposed(f"race{number}.bg")
        first, second = (Domain.objects.get(pk=domain.pk) for _ in range(2))
        said = at_once(partial(source_decisions.approve, anna, first), partial(ACTS[others], boris, second))
        assert [type(each) for each in said if not isinstance(each, locked_source.Decision)] == [Conflict]
        won = next(each for each in said if isinstance(each, locked_source.Decision)).domain.approval_status
        assert trio(domain) == (won, won, won)


@pytest.mark.django_db(transaction=True)
def test_concurrent_decisions_proposals_and_blacklisting_never_deadlock() -> None:
    anna, boris = somebody(Role.REVIEWER), somebody(Role.ADMIN)
    names = [f"circle{number}.bg" for number in range(6)]
    ids = [proposed(name).pk for name in names]

    def blacklist() -> None:
        domains.blacklist_many(boris, names[::2], "spam")

    def propose() -> None:
        with transaction.atomic():
            pipeline.happened_to_domains("proposed", ids)

    why = bulk.Wish("x")
    said = at_once(
        lambda: bulk.decide(anna, "approve", names, why),
        blacklist,
        propose,
        lambda: bulk.decide(boris, "reject", names, why),
    )
    assert not [each for each in said if isinstance(each, Exception)]
    for domain in Domain.objects.filter(name__in=names):
        approval, candidate, item = trio(domain)
        assert approval in ("approved", "rejected", "pending_review")
        assert approval in ("pending_review", candidate)
        assert item == ("superseded" if approval == "pending_review" else approval)


@pytest.mark.django_db(transaction=True)
def test_a_crawl_may_end_while_its_domain_is_suspended() -> None:
    anna, boris = somebody(Role.REVIEWER), somebody(Role.ADMIN)
    for number in range(8):
        decision = source_decisions.approve(anna, proposed(f"ends{number}.bg"))
        Crawl.objects.filter(domain=decision.domain, kind="full").update(status="running")
        Domain.objects.filter(pk=decision.domain.pk).update(processing_status="processing")
        crawl = Crawl.objects.get(domain=decision.domain, kind="full")
        said = at_once(partial(crawling.cancel, boris, crawl), partial(source_decisions.suspend, anna, decision.domain))
        assert isinstance(said[1], locked_source.Decision)
        assert said[1].domain.processing_status == "crawled"
        assert Crawl.objects.get(pk=crawl.pk).status == "cancelled"


def test_deciding_a_claimed_item_is_a_conflict_that_names_the_holder() -> None:
    domain, anna = proposed(), somebody(Role.REVIEWER)
    claims.claim(anna, Item.objects.get())
    with pytest.raises(Conflict, match=r"a-reviewer has claimed iskra\.bg until"):
        source_decisions.approve(system(), domain)
    decision = source_decisions.approve(anna, domain)
    assert decision.item is not None
    assert decision.item.claimed_by is None
