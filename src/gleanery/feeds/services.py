"""Use cases of feeds: store found feeds, approve, leave out, remove, add, and store readings or failures."""

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
from gleanery.extraction.contacts.deduplication import unique_contacts
from gleanery.extraction.feed_joining import link_of
from gleanery.extraction.running.batch import topics_of
from gleanery.extraction.running.extractor_pool import EXTRACTOR_VERSION
from gleanery.extraction.services import source_of
from gleanery.extraction.storing import feed_statements
from gleanery.extraction.storing import statements as observations
from gleanery.extraction.write_lock import take_write_lock
from gleanery.feeds import storage
from gleanery.feeds.finding.candidates import Candidate
from gleanery.feeds.life import FEED
from gleanery.feeds.models import Feed
from gleanery.feeds.observation_versions import changed_versions
from gleanery.feeds.reading import schedule
from gleanery.feeds.reading.download import FeedContent, ReadingFailed
from gleanery.feeds.sample import sample_of
from gleanery.text import clean_text

LONGEST_REASON = 500
# Values that make the next answer count as changed.
NO_VALIDATORS: dict[str, Any] = {"digest": b"", "etag": "", "last_modified": ""}


@transaction.atomic
def store_found(domain: Domain, candidates: Collection[Candidate]) -> list[Feed]:
    """Store feeds found on pages and return the new ones, which are due at once."""
    new = storage.store_candidates(domain.pk, list(candidates)) if candidates else []
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
    """Return the feeds of a source, oldest first, without removed ones."""
    return list(Feed.objects.filter(domain=domain).exclude(state="removed").order_by("pk"))


def approve_found(actor: Actor, domain: Domain, leave_out: Collection[UUID | str] = ()) -> int:
    """Approve the feeds of a source, in the transaction that approves it. Guesses must have been read once.

    Feeds to leave out are given by id or address.
    """
    if leave_out:
        take_write_lock()
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
    """Return the actions that the actor may take now."""
    return list(FEED.allowed(feed.state, actor.who))


def may_add(actor: Actor) -> None:
    FEED.move("found", "approve", actor.who)


@transaction.atomic
def approve(actor: Actor, feed: Feed) -> Feed:
    """Approve a feed. It is read at once, if its source is approved."""
    return journal.move(feed, FEED, "approve", actor, state_reason="", due_at=Now(), failures=0, **NO_VALIDATORS)


@transaction.atomic
def leave_out_feed(actor: Actor, feed: Feed) -> Feed:
    """Stop reading a feed; its source stays as it is."""
    take_write_lock()
    return _withdraw_events(journal.move(feed, FEED, "leave_out", actor, due_at=None))


@transaction.atomic
def remove(actor: Actor, feed: Feed, reason: str = "") -> Feed:
    """Remove a feed, so that it is not found again. Its observations stay, marked as no longer seen."""
    take_write_lock()
    reason = clean_text(reason, limit=LONGEST_REASON)
    return _withdraw_events(
        journal.move(feed, FEED, "remove", actor, reason=reason, state_reason=reason, due_at=None, covers=[])
    )


@transaction.atomic
def add(actor: Actor, domain: Domain, url: str, host: str, platform: str, title: str) -> Feed:
    """Add a feed to a source, or take up one that was removed or left out."""
    domain = Domain.objects.select_for_update(no_key=True).get(pk=domain.pk)
    facts = {"host": host, "platform": platform, "title": title}
    # A crawl may store it at the same time.
    known, is_new = Feed.objects.select_for_update().get_or_create(domain=domain, url=url, defaults=facts)
    if is_new:
        journal.write(actor, "find_feed", known, after={"domain": domain.name, "platform": platform})
    elif known.state == "approved":
        raise Conflict(f"{url[:200]} is already a feed of {domain.display}.")
    return approve(actor, known) if known.state != "found" or may_crawl(domain) else known


@transaction.atomic
def store_content(feed_id: UUID, content: FeedContent) -> None:
    """Store a reading: a sample while the source is undecided, observations once it is approved."""
    take_write_lock()
    feed = _locked(feed_id)
    if feed is None:
        return
    domain = feed.domain
    if feed.state == "found" and may_crawl(domain) and _wants_events(domain):
        feed = journal.move(feed, FEED, "approve", system())
    if feed.state == "approved" and content.is_sample:
        # Approved while a sample was read: read the whole feed now.
        Feed.objects.filter(pk=feed.pk).update(asked_at=Now(), read_at=Now(), due_at=Now())
        return
    changes: dict[str, Any] = {"asked_at": Now(), "read_at": Now(), "failures": 0, "due_at": None}
    if feed.state == "approved":
        changes["due_at"] = Now() + schedule.until_next_reading(content.ttl or feed.ttl, domain.scrape_frequency_hours)
    if content.is_unchanged:
        changes["answer"] = "It has not changed."
    else:
        changes |= _content_fields(feed, content)
    Feed.objects.filter(pk=feed.pk).update(**changes)
    if feed.state == "approved":
        _store_observations(feed, content)


def _locked(feed_id: UUID) -> Feed | None:
    """Return the locked feed, or None if it was stopped or another worker was faster."""
    feed = Feed.objects.select_for_update(of=("self",)).select_related("domain").get(pk=feed_id)
    return feed if storage.is_wanted(feed_id) else None


def _content_fields(feed: Feed, content: FeedContent) -> dict[str, Any]:
    drafts = list(content.drafts.values())
    keys = [f"{each.kind} {each.external_id}" for each in drafts]
    if not content.whole:
        keys = list(dict.fromkeys([*keys, *feed.said]))
    pages = f" on {content.pages} pages" if content.pages > 1 else ""
    facts = {
        "asked_url": content.asked_url,
        "etag": content.etag if content.pages == 1 else "",
        "last_modified": content.last_modified if content.pages == 1 else "",
        "digest": content.digest if content.whole else b"",
        "ttl": content.ttl,
        "changed_at": Now(),
        "answer": f"It has {len(drafts):,} event{'' if len(drafts) == 1 else 's'}{pages}.",
        "pages": content.pages,
        "size": content.size,
        "said": keys,
        "sample": sample_of(drafts),
        "problems": content.problem_list,
    }
    return facts | ({"title": content.title[:200]} if content.title and not feed.title else {})


def _store_observations(feed: Feed, content: FeedContent) -> None:
    """Store new versions, mark events that left all feeds, and start intake for changes."""
    domain = feed.domain
    source = source_of(domain)
    storage.leave_to_feeds(domain.pk, feed.url)
    if content.is_unchanged:
        feed_statements.confirm_unchanged(source.pk, [key.partition(" ")[2] for key in feed.said])
        return
    by_feed = storage.events_by_feed(domain.pk)
    others = {each: keys for each, keys in by_feed.items() if each != feed.pk}
    kept = changed_versions(source.pk, feed, list(content.drafts.values()), others)
    observations.store_observations(kept, source.pk, EXTRACTOR_VERSION)
    links = {key: link_of(draft.fields.get("url")) for (_, key), draft in content.drafts.items()}
    feed_statements.confirm_seen(source.pk, feed.pk, links)
    vanished = feed_statements.mark_gone(source.pk, {key for keys in by_feed.values() for key in keys})
    observations.store_contacts(domain.pk, {key: (None, who) for key, who in unique_contacts(content.contacts).items()})
    observations.mark_unseen(domain.pk, source.pk)
    if kept or vanished:
        pipeline.finished("extraction", extraction=domain.pk)


def _withdraw_events(feed: Feed) -> Feed:
    """Clear the events of a feed and mark them as no longer seen. The caller holds the write lock."""
    Feed.objects.filter(pk=feed.pk).update(said=[], **NO_VALIDATORS)
    if hasattr(feed.domain, "source"):
        feed_statements.mark_gone(
            feed.domain.source.pk, {key for keys in storage.events_by_feed(feed.domain_id).values() for key in keys}
        )
        observations.mark_unseen(feed.domain_id, feed.domain.source.pk)
    return feed


@transaction.atomic
def record_failure(feed_id: UUID, failed: ReadingFailed) -> None:
    """Record a failure. Feeds that keep failing are stopped; guesses that are no feeds are removed."""
    feed = _locked(feed_id)
    if feed is None:
        return
    failures, reason = feed.failures + 1, clean_text(str(failed), limit=LONGEST_REASON)
    changes: dict[str, Any] = {"asked_at": Now(), "failures": failures, "answer": reason}
    changes["due_at"] = Now() + schedule.after_failure(failures, failed.retry_after)
    is_no_feed = feed.state == "found" and feed.is_guess and feed.read_at is None and not failed.passing
    if is_no_feed or failures >= schedule.MOST_FAILURES:
        explanation = reason if is_no_feed else f"It failed {failures} times in a row. {reason}"
        action = "stop" if feed.state == "approved" else "remove"
        _end(feed, action, explanation, changes)
    else:
        Feed.objects.filter(pk=feed.pk).update(**changes)


def _end(feed: Feed, action: str, reason: str, changes: dict[str, Any]) -> None:
    journal.move(feed, FEED, action, system(), reason=reason, **{**changes, "state_reason": reason, "due_at": None})


def _wants_events(domain: Domain) -> bool:
    """Return True if a topic of the domain wants events, so that feeds may be approved automatically."""
    topics = topics_of(domain)
    return not topics or any(not topic.kinds or "event" in topic.kinds for topic in topics)
