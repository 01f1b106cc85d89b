"""Use cases of feeds: find them on pages, approve or leave out, keep what they bring, stop, add and remove."""

from __future__ import annotations

from collections.abc import Collection
from typing import Any
from uuid import UUID

from django.db import transaction
from django.db.models.functions import Now

from gleanery import pipeline
from gleanery.accounts import journal
from gleanery.accounts.actor import Actor, system
from gleanery.crawling.frontier import hosts
from gleanery.crawling.services import may_crawl
from gleanery.domains.models import Domain
from gleanery.errors import Conflict, Invalid, NotFound
from gleanery.extraction.contacts.identity import distinct
from gleanery.extraction.joining import link_of
from gleanery.extraction.running.batch import topics_of
from gleanery.extraction.running.extractor_pool import EXTRACTOR_VERSION
from gleanery.extraction.services import source_of
from gleanery.extraction.storing import feed_statements as fed
from gleanery.extraction.storing import statements as observations
from gleanery.extraction.turn import take_turn
from gleanery.feeds import storage
from gleanery.feeds.finding.choosing import Candidate
from gleanery.feeds.life import FEED
from gleanery.feeds.models import Feed
from gleanery.feeds.news import news
from gleanery.feeds.reading import due
from gleanery.feeds.reading.harvest import Failed, Harvest
from gleanery.feeds.sample import sample_of
from gleanery.text import clean_text

LONGEST_REASON = 500
# The next answer is news, whatever was read before.
FORGOTTEN: dict[str, Any] = {"digest": b"", "etag": "", "last_modified": ""}


@transaction.atomic
def find(domain: Domain, candidates: Collection[Candidate]) -> list[Feed]:
    """What pages show; the new ones are journalled and read as soon as a worker is free."""
    new = storage.find(domain.pk, list(candidates)) if candidates else []
    found = list(Feed.objects.select_related("domain").filter(pk__in=new).order_by("pk"))
    for feed in found:
        journal.write(system(), "find_feed", feed, after={"domain": domain.name, "platform": feed.platform})
    return found


def find_feed(feed_id: UUID) -> Feed:
    feed = Feed.objects.select_related("domain").filter(pk=feed_id).first()
    if feed is None:
        raise NotFound("There is no such feed.")
    return feed


def feeds_of(domain: Domain) -> list[Feed]:
    """Those that somebody may want to know of, in the order of their finding."""
    return list(Feed.objects.filter(domain=domain).exclude(state="removed").order_by("pk"))


def approve_found(actor: Actor, domain: Domain, leave_out: Collection[UUID | str] = ()) -> int:
    """Belongs into the transaction that approves the source. A guess is approved when it was seen to be a feed.

    Those to be left out are given by id or address.
    """
    if leave_out:
        take_turn()
    feeds = list(Feed.objects.select_for_update().filter(domain=domain).exclude(state="removed").order_by("pk"))
    left = {str(each) for each in leave_out}
    if strange := left - {name for feed in feeds for name in (str(feed.pk), feed.url)}:
        raise Invalid(f"{domain.display} has no such feed to leave out: {', '.join(sorted(strange))[:500]}.")
    approved = 0
    for feed in feeds:
        if not left.isdisjoint((str(feed.pk), feed.url)) and feed.state != "left_out":
            leave_out_feed(actor, feed)
        elif feed.state == "found" and not (feed.is_guess and feed.read_at is None):
            approve(actor, feed)
            approved += 1
    if approved:
        hosts.want(domain.pk)
    return approved


def allowed(actor: Actor, feed: Feed) -> list[str]:
    """The buttons for this one, now."""
    return list(FEED.allowed(feed.state, actor.who))


def may_add(actor: Actor) -> None:
    FEED.move("found", "approve", actor.who)


@transaction.atomic
def approve(actor: Actor, feed: Feed) -> Feed:
    """It is read from now on, if its source is approved."""
    return journal.move(feed, FEED, "approve", actor, state_reason="", due_at=Now(), failures=0, **FORGOTTEN)


@transaction.atomic
def leave_out_feed(actor: Actor, feed: Feed) -> Feed:
    """It is not read; its source stays as it is."""
    take_turn()
    return _silenced(journal.move(feed, FEED, "leave_out", actor, due_at=None))


@transaction.atomic
def remove(actor: Actor, feed: Feed, reason: str = "") -> Feed:
    """It is not read, and not found again. What it told of stays, as no longer seen."""
    take_turn()
    reason = clean_text(reason, limit=LONGEST_REASON)
    return _silenced(
        journal.move(feed, FEED, "remove", actor, reason=reason, state_reason=reason, due_at=None, covers=[])
    )


@transaction.atomic
def add(actor: Actor, domain: Domain, url: str, host: str, platform: str, title: str) -> Feed:
    """A person says that this is a feed of the source; what was removed or left out before is taken up again."""
    domain = Domain.objects.select_for_update(no_key=True).get(pk=domain.pk)
    facts = {"host": host, "platform": platform, "title": title}
    # A crawl may find it at the same moment.
    known, is_new = Feed.objects.select_for_update().get_or_create(domain=domain, url=url, defaults=facts)
    if is_new:
        journal.write(actor, "find_feed", known, after={"domain": domain.name, "platform": platform})
    elif known.state == "approved":
        raise Conflict(f"{url[:200]} is a feed of {domain.display} already.")
    return approve(actor, known) if known.state != "found" or may_crawl(domain) else known


@transaction.atomic
def keep(feed_id: UUID, harvest: Harvest) -> None:
    """What a reading brought: a sample while the source waits for its decision, observations once it is approved."""
    take_turn()
    feed = _locked(feed_id)
    if feed is None:
        return
    domain = feed.domain
    if feed.state == "found" and may_crawl(domain) and _is_of_interest(domain):
        feed = journal.move(feed, FEED, "approve", system())
    if feed.state == "approved" and harvest.is_sample:
        # It was approved while its first page was read for a sample: now it is read as a whole.
        Feed.objects.filter(pk=feed.pk).update(asked_at=Now(), read_at=Now(), due_at=Now())
        return
    changes: dict[str, Any] = {"asked_at": Now(), "read_at": Now(), "failures": 0, "due_at": None}
    if feed.state == "approved":
        changes["due_at"] = Now() + due.next_look(harvest.ttl or feed.ttl, domain.scrape_frequency_hours)
    if harvest.is_unchanged:
        changes["answer"] = "It says the same as before."
    else:
        changes |= _brought(feed, harvest)
    Feed.objects.filter(pk=feed.pk).update(**changes)
    if feed.state == "approved":
        _tell(feed, harvest)


def _locked(feed_id: UUID) -> Feed | None:
    """None where it was stopped since, or somebody else was faster: then what was read is thrown away."""
    feed = Feed.objects.select_for_update(of=("self",)).select_related("domain").get(pk=feed_id)
    return feed if storage.is_wanted(feed_id) else None


def _brought(feed: Feed, harvest: Harvest) -> dict[str, Any]:
    drafts = list(harvest.drafts.values())
    said = [f"{each.kind} {each.external_id}" for each in drafts]
    if not harvest.whole:
        said = list(dict.fromkeys([*said, *feed.said]))
    pages = f" on {harvest.pages} pages" if harvest.pages > 1 else ""
    facts = {
        "asked_url": harvest.asked_url,
        "etag": harvest.etag if harvest.pages == 1 else "",
        "last_modified": harvest.last_modified if harvest.pages == 1 else "",
        "digest": harvest.digest if harvest.whole else b"",
        "ttl": harvest.ttl,
        "changed_at": Now(),
        "answer": f"It brings {len(drafts):,} event{'' if len(drafts) == 1 else 's'}{pages}.",
        "pages": harvest.pages,
        "size": harvest.size,
        "said": said,
        "sample": sample_of(drafts),
        "problems": harvest.told_problems,
    }
    return facts | ({"title": harvest.title[:200]} if harvest.title and not feed.title else {})


def _tell(feed: Feed, harvest: Harvest) -> None:
    """Observations of the source; what vanished from all its feeds is marked, and what changed gets its records."""
    domain = feed.domain
    source = source_of(domain)
    storage.leave_to_feeds(domain.pk, feed.url)
    if harvest.is_unchanged:
        fed.seen_again(source.pk, [key.partition(" ")[2] for key in feed.said])
        return
    said = storage.said(domain.pk)
    others = {each: keys for each, keys in said.items() if each != feed.pk}
    kept = news(source.pk, feed, list(harvest.drafts.values()), others)
    observations.store_observations(kept, source.pk, EXTRACTOR_VERSION)
    links = {key: link_of(draft.fields.get("url")) for (_, key), draft in harvest.drafts.items()}
    fed.seen(source.pk, feed.pk, links)
    vanished = fed.gone(source.pk, {key for keys in said.values() for key in keys})
    observations.store_contacts(domain.pk, {key: (None, who) for key, who in distinct(harvest.contacts).items()})
    observations.mark(domain.pk, source.pk)
    if kept or vanished:
        pipeline.finished("extraction", extraction=domain.pk)


def _silenced(feed: Feed) -> Feed:
    """It tells of nothing any more. Whoever calls this has the turn."""
    Feed.objects.filter(pk=feed.pk).update(said=[], **FORGOTTEN)
    if hasattr(feed.domain, "source"):
        fed.gone(feed.domain.source.pk, {key for keys in storage.said(feed.domain_id).values() for key in keys})
        observations.mark(feed.domain_id, feed.domain.source.pk)
    return feed


@transaction.atomic
def fail(feed_id: UUID, failed: Failed) -> None:
    """It is asked again after a rest. What keeps failing is stopped; a guess that was none is not asked again."""
    feed = _locked(feed_id)
    if feed is None:
        return
    failures, reason = feed.failures + 1, clean_text(str(failed), limit=LONGEST_REASON)
    changes: dict[str, Any] = {"asked_at": Now(), "failures": failures, "answer": reason}
    changes["due_at"] = Now() + due.after_failure(failures, failed.retry_after)
    is_no_feed = feed.state == "found" and feed.is_guess and feed.read_at is None and not failed.passing
    if is_no_feed or failures >= due.MOST_FAILURES:
        told = reason if is_no_feed else f"It failed {failures} times in a row. {reason}"
        action = "stop" if feed.state == "approved" else "remove"
        _end(feed, action, told, changes)
    else:
        Feed.objects.filter(pk=feed.pk).update(**changes)


def _end(feed: Feed, action: str, reason: str, changes: dict[str, Any]) -> None:
    journal.move(feed, FEED, action, system(), reason=reason, **{**changes, "state_reason": reason, "due_at": None})


def _is_of_interest(domain: Domain) -> bool:
    """Without being asked, the machine takes on feeds only for topics that want events."""
    topics = topics_of(domain)
    return not topics or any(not topic.kinds or "event" in topic.kinds for topic in topics)
