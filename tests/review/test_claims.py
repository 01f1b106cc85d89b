"""Claims: one at a time, for a quarter of an hour, by whoever asks first."""

from datetime import timedelta

import pytest
from django.db import connection
from django.utils import timezone

from gleanery.accounts.models import JournalEntry
from gleanery.errors import Conflict, NotAllowed
from gleanery.review.models import Item
from gleanery.review.queue import claims
from gleanery.review.sources import source_decisions
from gleanery.roles import Role
from tests.review.shop import proposed, somebody

pytestmark = pytest.mark.django_db


@pytest.fixture
def item() -> Item:
    return Item.objects.get(domain=proposed())


def expire() -> None:
    with connection.cursor() as cursor:
        cursor.execute("UPDATE review_item SET claimed_until = now() - interval '1 s'")


def test_a_claim_lasts_a_quarter_of_an_hour_and_names_its_holder(item: Item) -> None:
    claimed = claims.claim(somebody(Role.REVIEWER), item)
    assert claims.holder_of(claimed) == "a-reviewer"
    assert claimed.claimed_until is not None
    assert timedelta(minutes=14) < claimed.claimed_until - timezone.now() <= timedelta(minutes=15)
    assert claimed.version == item.version


def test_others_are_refused_while_it_lasts_and_told_who_has_it(item: Item) -> None:
    claims.claim(somebody(Role.REVIEWER), item)
    for other in (somebody(Role.ADMIN), somebody("agent")):
        with pytest.raises(Conflict, match=r"a-reviewer has claimed iskra\.bg until \d\d:\d\d UTC"):
            claims.claim(other, item)


def test_renewing_a_claim_is_journalled_once(item: Item) -> None:
    anna = somebody(Role.REVIEWER)
    first = claims.claim(anna, item).claimed_until
    second = claims.claim(anna, item).claimed_until
    assert first is not None
    assert second is not None
    assert second >= first
    assert JournalEntry.objects.filter(action="claim").count() == 1


def test_an_expired_claim_has_no_effect(item: Item) -> None:
    claims.claim(somebody(Role.REVIEWER), item)
    expire()
    assert claims.holder_of(claims.find(item.pk)) == ""
    assert claims.holder_of(claims.claim(somebody(Role.ADMIN), item)) == "a-admin"


def test_deciding_past_an_expired_claim_is_possible(item: Item) -> None:
    claims.claim(somebody(Role.REVIEWER), item)
    expire()
    assert item.domain is not None
    assert source_decisions.approve(somebody(Role.ADMIN), item.domain).domain.approval_status == "approved"


def test_two_agents_of_one_owner_do_not_share_a_claim(item: Item) -> None:
    claims.claim(somebody("agent"), item)
    with pytest.raises(Conflict, match="agent"):
        claims.claim(somebody("agent"), item)


def test_the_holder_or_an_admin_releases(item: Item) -> None:
    anna, boris, agent = somebody(Role.REVIEWER), somebody(Role.ADMIN), somebody("agent")
    claims.claim(anna, item)
    with pytest.raises(Conflict):
        claims.release(agent, item)
    assert claims.holder_of(claims.release(anna, item)) == ""
    claims.claim(anna, item)
    claims.release(boris, item)
    assert JournalEntry.objects.filter(action="release").count() == 2
    claims.release(anna, item)
    assert JournalEntry.objects.filter(action="release").count() == 2


def test_viewers_cannot_claim(item: Item) -> None:
    for act in (claims.claim, claims.release):
        with pytest.raises(NotAllowed):
            act(somebody(Role.VIEWER), item)


def test_decided_items_cannot_be_claimed(item: Item) -> None:
    assert item.domain is not None
    source_decisions.approve(somebody(Role.REVIEWER), item.domain)
    with pytest.raises(Conflict, match="approved"):
        claims.claim(somebody(Role.REVIEWER), item)
