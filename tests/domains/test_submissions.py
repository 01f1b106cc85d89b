"""Submissions: every outcome, what is kept, how much is taken from one address, and what is never told."""

from __future__ import annotations

import hashlib
import socket
import threading
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from django.conf import settings as django_settings
from django.db import connection
from django.db.models.functions import Now
from hypothesis import example, given
from hypothesis import strategies as st

from gleanery.accounts.actor import Actor, system
from gleanery.accounts.models import JournalEntry, User
from gleanery.crawling.models import Crawl, Visit
from gleanery.domains import registry
from gleanery.domains.models import Domain, Submission
from gleanery.domains.submissions import answers, limits, submitting
from gleanery.domains.submissions.proposal import proposal_of
from gleanery.domains.submissions.submitting import submit
from gleanery.domains.tasks import forget_submitters
from gleanery.environment import Environment
from gleanery.errors import Invalid, NotFound
from gleanery.review.models import Item
from gleanery.review.sources import source_decisions
from gleanery.roles import Role

HERE = "203.0.113.7"
SECRETS = ("the reviewer's own words", "anna")


def known(name: str, **facts: Any) -> Domain:
    domain = registry.register(name)
    Domain.objects.filter(pk=domain.pk).update(**facts)
    domain.refresh_from_db()
    return domain


def rejected(name: str = "foodbank.org") -> Domain:
    return known(name, approval_status="rejected", rejection_reason=SECRETS[0])


def blacklisted(name: str = "foodbank.org") -> Domain:
    facts = {"blacklisted_at": Now(), "blacklisted_by": system().user, "blacklist_reason": SECRETS[0]}
    return known(name, processing_status="blacklisted", **facts)


@pytest.fixture
def reviewer(person: Callable[[Role], User]) -> Actor:
    return Actor(person(Role.REVIEWER))


@pytest.fixture
def viewer(person: Callable[[Role], User]) -> Actor:
    return Actor(person(Role.VIEWER))


@pytest.mark.parametrize(
    ("typed", "name", "url"),
    [
        ("foodbank.org", "foodbank.org", ""),
        ("  https://www.FoodBank.org/  ", "foodbank.org", ""),
        ("foodbank.org/?utm_source=mail#top", "foodbank.org", ""),
        ("https://foodbank.org:443", "foodbank.org", ""),
        ("//foodbank.org", "foodbank.org", ""),
        ("foodbank.org/services/housing", "foodbank.org", "https://foodbank.org/services/housing"),
        ("http://foodbank.org?p=12", "foodbank.org", "http://foodbank.org/?p=12"),
        ("www.foodbank.org/a", "foodbank.org", "https://www.foodbank.org/a"),
        ("фондация.бг", "xn--80ahnre9as7e.xn--90ae", ""),
    ],
)
def test_sites_and_pages_are_distinguished(typed: str, name: str, url: str) -> None:
    proposal = proposal_of(typed)
    assert (proposal.name.name, proposal.url) == (name, url)


@pytest.mark.parametrize(
    "typed",
    [
        "",
        "127.0.0.1",
        "http://127.0.0.1/admin",
        "2130706433",
        "localhost",
        "localhost:8000",
        "printer.localhost",
        "[::1]",
        "http://[::ffff:127.0.0.1]/",
        "169.254.169.254",
        "http://169.254.169.254/latest/meta-data/",
        "router.local",
        "nas.lan/share",
        "wiki.corp",
        "metadata.google.internal",
        "1.0.0.127.in-addr.arpa",
        "abc.onion",
        "http://user@foodbank.org",
        "http://user:pass@foodbank.org/",
        "foodbank.org:8080",
        "https://foodbank.org:22/",
        "javascript:alert(1)",
        "file:///etc/passwd",
        "http://foodbank.org\\@evil.org",
        "co.uk",
        "food bank",
        "https://foodbank.org/" + "a" * 3000,
    ],
)
@pytest.mark.django_db
def test_private_sites_are_refused_by_name(typed: str) -> None:
    outcome = submit(typed, address=HERE, yes=True)
    assert (outcome.code, outcome.status, outcome.field) == ("refused", 422, "given")
    assert outcome.message.endswith(".")
    assert not Submission.objects.exists()
    assert not Domain.objects.exists()


@pytest.mark.django_db
def test_only_staff_may_name_what_the_operator_has_on_an_intranet(
    monkeypatch: pytest.MonkeyPatch, reviewer: Actor
) -> None:
    monkeypatch.setattr(django_settings, "ENVIRONMENT", Environment(net_resolve={"wiki.corp": ("10.0.0.5", 80)}))
    assert submit("wiki.corp", by=reviewer).code == "submitted"
    there, nothing = submit("wiki.corp", address=HERE), submit("none.corp", address=HERE)
    assert there.message.replace("wiki", "none") == nothing.message
    assert there.code == nothing.code == "refused"


@pytest.mark.django_db
def test_a_submission_makes_no_network_requests(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_args: object) -> None:
        raise AssertionError("the network was asked")

    for name in ("getaddrinfo", "gethostbyname", "create_connection"):
        monkeypatch.setattr(socket, name, refuse)
    monkeypatch.setattr(socket.socket, "connect", refuse)
    codes = [submit(typed, address=HERE).code for typed in ("10.0.0.1", "router.local", "a.org", "b.org/page")]
    assert codes == ["refused", "refused", "submitted", "unknown_domain"]


@pytest.mark.django_db
def test_a_new_site_waits_for_review_with_its_context() -> None:
    outcome = submit("https://www.foodbank.org/", context="Helps\nin Ohio\x00", depth=2, address=HERE)
    assert (outcome.code, outcome.domain, outcome.status) == ("submitted", "foodbank.org", 201)
    domain = Domain.objects.get(name="foodbank.org")
    assert (domain.approval_status, domain.processing_status) == ("pending_review", "pending_crawl")
    assert (domain.submitter_type, domain.submitted_by) == ("public_user", None)
    assert (domain.submission_context, domain.max_crawl_depth) == ("Helps\nin Ohio", 2)
    assert Item.objects.get(domain=domain).status == "pending"
    kept = Submission.objects.get()
    assert (kept.given, kept.url, kept.depth) == ("https://www.foodbank.org/", "", 2)
    assert (kept.outcome, kept.domain) == ("submitted", domain)
    moves = JournalEntry.objects.filter(subject_id=str(domain.pk)).values_list("action", flat=True)
    assert {"submit", "propose"} <= set(moves)


@pytest.mark.django_db
def test_staff_submissions_store_the_user(reviewer: Actor, viewer: Actor) -> None:
    submit("a.org", by=reviewer)
    submit("b.org", by=viewer, address=HERE)
    submit("c.org", by=system())
    kept = {each.name: (each.submitter_type, each.submitted_by) for each in Domain.objects.all()}
    assert kept == {
        "a.org": ("admin", reviewer.user),
        "b.org": ("public_user", viewer.user),
        "c.org": ("admin", system().user),
    }
    assert Submission.objects.get(domain__name="a.org").address_hash == ""


@pytest.mark.django_db
def test_a_page_of_an_unknown_site_gives_an_offer_to_submit_the_site() -> None:
    asked = submit("foodbank.org/services/housing", address=HERE)
    assert (asked.code, asked.status, asked.token) == ("unknown_domain", 200, "")
    assert asked.offer is not None
    assert asked.offer.question == "Would you like to submit foodbank.org for review?"
    assert asked.offer.button == "Yes, submit foodbank.org"
    assert not Domain.objects.exists()
    said = submit("foodbank.org/services/housing", address=HERE, yes=True)
    assert said.code == "submitted"
    domain = Domain.objects.get()
    assert domain.approval_status == "pending_review"
    assert submitting.submitted_urls(domain.pk) == ["https://foodbank.org/services/housing"]
    assert Submission.objects.count() == 1, "the question and its yes count once"


@pytest.mark.django_db
def test_the_page_that_was_submitted_is_read_when_its_site_is_approved(reviewer: Actor) -> None:
    submit("foodbank.org/services/housing", address=HERE, yes=True)
    submit("foodbank.org/menu", address=HERE)
    domain = Domain.objects.get()
    source_decisions.approve(reviewer, domain)
    crawl = Crawl.objects.get(domain=domain, kind="full")
    asked = set(Visit.objects.filter(crawl=crawl).values_list("url", flat=True))
    assert asked == {"https://foodbank.org/services/housing", "https://foodbank.org/menu"}


@pytest.mark.django_db
def test_a_site_that_was_only_found_counts_as_unknown() -> None:
    known("foodbank.org")
    assert submit("foodbank.org/a", address=HERE).code == "unknown_domain"
    assert submit("foodbank.org", address=HERE).code == "submitted"
    assert Domain.objects.count() == 1


@pytest.mark.django_db
def test_a_second_submission_is_kept_as_evidence_and_changes_nothing() -> None:
    submit("foodbank.org", context="first", address=HERE)
    again = submit("foodbank.org/menu", context="second", depth=0, address="203.0.113.8")
    assert (again.code, again.status) == ("pending", 200)
    domain = Domain.objects.get()
    assert (domain.submission_context, domain.max_crawl_depth) == ("first", 3)
    assert [each.context for each in submitting.submissions_of(domain)] == ["second", "first"]
    assert submitting.submitted_urls(domain.pk) == ["https://foodbank.org/menu"]
    assert Item.objects.count() == 1


@pytest.mark.django_db
def test_a_page_of_an_approved_site_goes_to_the_crawler_at_once() -> None:
    domain = known("foodbank.org", approval_status="approved")
    for path in ("a", "b"):
        outcome = submit(f"https://foodbank.org/{path}?utm_source=x", address=HERE)
        assert (outcome.code, outcome.status) == ("queued", 201)
    crawl = Crawl.objects.get(domain=domain)
    assert set(Visit.objects.filter(crawl=crawl).values_list("url", flat=True)) >= {
        "https://foodbank.org/a",
        "https://foodbank.org/b",
    }
    assert submitting.submitted_urls(domain.pk) == []


@pytest.mark.django_db
def test_staff_are_offered_to_crawl_an_approved_site_again(reviewer: Actor, viewer: Actor) -> None:
    domain = known("foodbank.org", approval_status="approved", last_crawled_at=datetime(2026, 3, 4, tzinfo=UTC))
    for nobody in (None, viewer):
        public = submit("foodbank.org", address=HERE, by=nobody, yes=True)
        assert (public.code, public.offer) == ("approved", None)
        assert "4 March 2026" in public.message
    assert not Crawl.objects.exists()
    offered = submit("foodbank.org", by=reviewer)
    assert offered.offer is not None
    assert offered.offer.question == "Would you like to re-scrape foodbank.org?"
    assert submit("foodbank.org", by=reviewer, yes=True).code == "queued"
    assert (Crawl.objects.get().domain, Crawl.objects.get().kind) == (domain, "deep")
    under_way = submit("foodbank.org", by=reviewer, yes=True)
    assert (under_way.code, under_way.message) == ("approved", "foodbank.org is already being crawled.")


@pytest.mark.django_db
def test_staff_may_resubmit_a_rejected_site(reviewer: Actor) -> None:
    domain = rejected()
    public = submit("foodbank.org", address=HERE, yes=True)
    assert (public.code, public.status, public.offer) == ("rejected", 409, None)
    offered = submit("foodbank.org", by=reviewer)
    assert offered.offer is not None
    assert offered.message == f"foodbank.org was rejected: {SECRETS[0]}"
    assert submit("foodbank.org", by=reviewer, yes=True).code == "submitted"
    domain.refresh_from_db()
    assert domain.approval_status == "pending_review"
    assert Item.objects.get(domain=domain).status == "pending"


@pytest.mark.django_db
def test_submitting_a_suspended_or_blacklisted_site_changes_nothing(reviewer: Actor) -> None:
    known("paused.org", approval_status="suspended")
    blacklisted("casino.org")
    for who in (None, reviewer):
        for name, code in (("paused.org", "suspended"), ("casino.org", "blacklisted"), ("casino.org/a", "blacklisted")):
            outcome = submit(name, by=who, address=HERE, yes=True)
            assert (outcome.code, outcome.status) == (code, 409)
    assert SECRETS[0] in submit("casino.org", by=reviewer).message
    assert not Crawl.objects.exists()
    assert not Item.objects.exists()
    assert submitting.submissions_of(Domain.objects.get(name="paused.org")).count() == 2


@pytest.mark.django_db
def test_a_trusted_site_is_approved_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(django_settings, "ENVIRONMENT", Environment(trusted_suffixes=("gov.bg",)))
    outcome = submit("help.gov.bg/grants", address=HERE, yes=True)
    assert (outcome.code, outcome.status) == ("approved_at_once", 201)
    domain = Domain.objects.get()
    assert domain.approval_status == "approved"
    assert Submission.objects.get().outcome == "approved_at_once"
    assert "https://help.gov.bg/grants" in Visit.objects.values_list("url", flat=True)
    assert submitting.standing_of(submitting.follow(outcome.token).domain) == "approved"


@pytest.mark.parametrize("depth", [-1, 7, 10**30])
@pytest.mark.django_db
def test_a_depth_beyond_the_table_is_refused(depth: int) -> None:
    outcome = submit("foodbank.org", depth=depth, address=HERE)
    assert (outcome.code, outcome.field) == ("refused", "depth")
    assert not Domain.objects.exists()


@pytest.mark.parametrize(("depth", "warned"), [(None, False), (0, False), (3, False), (4, True), (6, True)])
@pytest.mark.django_db
def test_a_great_depth_is_accepted_with_a_warning(depth: int | None, warned: bool) -> None:
    outcome = submit("foodbank.org", depth=depth, address=HERE)
    assert outcome.code == "submitted"
    assert bool(outcome.warnings) == warned
    assert Domain.objects.get().max_crawl_depth == (3 if depth is None else depth)


@pytest.mark.parametrize("make", [rejected, blacklisted])
@pytest.mark.django_db
def test_the_public_never_sees_reasons_or_names(make: Callable[[], Domain]) -> None:
    domain = make()
    Domain.objects.filter(pk=domain.pk).update(notes=SECRETS[0], submission_context=SECRETS[1])
    outcome = submit("foodbank.org", address=HERE, yes=True)
    followed = submitting.standing_of(submitting.follow(outcome.token).domain)
    told = f"{outcome} {answers.STANDING[followed]}"
    assert not any(secret in told for secret in SECRETS)


@pytest.mark.django_db
def test_only_the_digest_of_a_follow_link_is_stored() -> None:
    outcome = submit("foodbank.org", address=HERE)
    kept = submitting.follow(outcome.token)
    assert kept.follow_hash == hashlib.sha256(outcome.token.encode()).hexdigest()
    assert len(outcome.token) >= 40
    assert submitting.standing_of(kept.domain) == "pending_review"
    for wrong in ("", "x", outcome.token[:-1], kept.follow_hash, str(kept.pk)):
        with pytest.raises(NotFound):
            submitting.follow(wrong)


@pytest.mark.django_db
def test_the_hidden_field_gives_the_usual_answer_and_stores_nothing() -> None:
    real, pretended = submit("foodbank.org", address=HERE), submitting.pretend("foodbank.org")
    assert (pretended.code, pretended.message, pretended.domain) == (real.code, real.message, real.domain)
    assert len(pretended.token) == len(real.token)
    assert Submission.objects.count() == 1
    assert submitting.pretend("localhost").code == "refused"


@pytest.mark.django_db
def test_one_address_may_submit_twenty_a_day_and_staff_any_number(reviewer: Actor) -> None:
    for number in range(20):
        assert submit(f"site{number}.org", address=HERE).code == "submitted"
    over = submit("more.org", address=HERE)
    assert (over.code, over.status) == ("limit", 429)
    assert 0 < over.retry_after <= 86_401
    assert not Domain.objects.filter(name="more.org").exists()
    assert submit("site0.org", address=HERE).code == "limit", "questions about what is known count too"
    assert submit("more.org", address="203.0.113.8").code == "submitted"
    for number in range(25):
        assert submit(f"staff{number}.org", by=reviewer, address=HERE).code == "submitted"


@pytest.mark.django_db
def test_there_is_a_total_daily_limit(monkeypatch: pytest.MonkeyPatch, reviewer: Actor) -> None:
    monkeypatch.setattr(limits, "A_DAY_IN_ALL", 3)
    for number in range(3):
        submit(f"site{number}.org", address=f"203.0.113.{number}")
    assert submit("more.org", address=HERE).code == "limit"
    Submission.objects.update(created_at=Now() - timedelta(days=1))
    assert submit("more.org", address=HERE).code == "submitted"


@pytest.mark.django_db(transaction=True)
def test_concurrent_requests_do_not_exceed_the_limit() -> None:
    codes: list[str] = []
    start = threading.Barrier(10)

    def hurry(thread: int) -> None:
        try:
            start.wait()
            codes.extend(submit(f"site{thread}-{number}.org", address=HERE).code for number in range(4))
        finally:
            connection.close()

    _all_at_once(hurry)
    assert sorted(codes) == ["limit"] * 20 + ["submitted"] * 20
    assert Submission.objects.count() == Domain.objects.count() == Item.objects.count() == 20


@pytest.mark.django_db(transaction=True)
def test_one_new_site_submitted_by_ten_at_once_is_submitted_once() -> None:
    codes: list[str] = []
    start = threading.Barrier(10)

    def hurry(thread: int) -> None:
        try:
            start.wait()
            codes.append(submit("foodbank.org", context=f"number {thread}", address=f"203.0.113.{thread}").code)
        finally:
            connection.close()

    _all_at_once(hurry)
    assert sorted(codes) == ["pending"] * 9 + ["submitted"]
    assert Item.objects.count() == 1
    assert Submission.objects.values("context").distinct().count() == 10


@pytest.mark.django_db(transaction=True)
def test_pages_of_one_approved_site_submitted_at_once_are_all_queued() -> None:
    known("foodbank.org", approval_status="approved")
    codes: list[str] = []
    start = threading.Barrier(10)

    def hurry(thread: int) -> None:
        try:
            start.wait()
            codes.append(submit(f"foodbank.org/{thread}", address=f"203.0.113.{thread}").code)
        finally:
            connection.close()

    _all_at_once(hurry)
    assert codes == ["queued"] * 10
    asked = set(Visit.objects.values_list("url", flat=True))
    assert asked >= {f"https://foodbank.org/{number}" for number in range(10)}


def _all_at_once(act: Callable[[int], None]) -> None:
    threads = [threading.Thread(target=act, args=[number]) for number in range(10)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()


def test_address_hashes_are_keyed_and_valid_for_one_day(settings: Any) -> None:
    day = datetime(2026, 11, 15, 23, 59, tzinfo=UTC)
    here = limits.address_hash(HERE, day)
    assert limits.address_hash(HERE, day - timedelta(hours=23)) == here
    assert limits.address_hash(HERE, day + timedelta(minutes=1)) != here
    assert limits.address_hash("203.0.113.8", day) != here
    assert limits.address_hash(f"::ffff:{HERE}", day) == here
    assert limits.seconds_left_today(day) == 61
    settings.SECRET_KEY = "another"
    assert limits.address_hash(HERE, day) != here


def test_one_network_of_ipv6_counts_as_one_address() -> None:
    day = datetime(2026, 11, 15, tzinfo=UTC)
    hashes = [limits.address_hash(each, day) for each in ("2001:db8::1", "2001:db8:0:0:ffff::2", "2001:db8:0:1::1")]
    assert hashes[0] == hashes[1] != hashes[2]


@pytest.mark.django_db
def test_addresses_and_unanswered_questions_are_deleted_after_two_days() -> None:
    submit("foodbank.org", address=HERE)
    submit("unknown.org/page", address=HERE)
    forget_submitters(timestamp=0)
    assert Submission.objects.exclude(address_hash="").count() == 2
    Submission.objects.update(created_at=Now() - timedelta(days=2, minutes=1))
    forget_submitters(timestamp=0)
    kept = Submission.objects.get()
    assert (kept.domain and kept.domain.name, kept.address_hash) == ("foodbank.org", "")


HOSTILE = st.one_of(
    st.text(),
    st.text(alphabet="a.:/@\\[]%?#-0x1é\x00\n\u202e\ud800"),
    st.builds("https://{}{}".format, st.sampled_from(["foodbank.org", "x.co.uk", "à.fr"]), st.text()),
)


@pytest.mark.django_db
@given(typed=HOSTILE, context=st.text(), depth=st.none() | st.integers(), yes=st.booleans())
@example(typed="foodbank.org/%00\x00", context="\x00\ud800", depth=None, yes=True)
@example(typed="https://foodbank.org/" + "é" * 1000, context="a" * 5000, depth=3, yes=True)
def test_any_input_gets_an_answer_that_can_be_stored(typed: str, context: str, depth: int | None, yes: bool) -> None:
    Submission.objects.all().delete()
    outcome = submit(typed, context=context, depth=depth, address=HERE, yes=yes)
    assert outcome.code in {"submitted", "pending", "refused", "unknown_domain"}
    f"{outcome}".encode()
    assert all(len(each.given) <= 2000 and len(each.context) <= 2000 for each in Submission.objects.all())


@given(HOSTILE)
def test_any_input_is_a_proposal_or_invalid(typed: str) -> None:
    try:
        proposal = proposal_of(typed)
    except Invalid:
        return
    assert proposal_of(proposal.url or proposal.name.name).name == proposal.name
