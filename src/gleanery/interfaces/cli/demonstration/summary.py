"""What the demo has come to, in numbers: how much was found, kept, joined and flagged, and how much of that is true."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import date
from typing import TYPE_CHECKING, Any

from gleanery.demo.evaluation import Mention, evaluate
from gleanery.interfaces.cli.terminal.output import counted_kinds, say

if TYPE_CHECKING:
    from uuid import UUID

    from django.db.models import QuerySet

    from gleanery.extraction.models import Observation


def reckon(told: dict[str, Any], day: date) -> dict[str, Any]:
    """`told` is what the steps of the demo said; the rest stands in the database."""
    from gleanery.domains.models import Domain
    from gleanery.extraction.models import Observation
    from gleanery.resolution.models import Merge
    from gleanery.resolution.presenting.record_list import filtered

    flags = list(_flags())
    return {
        "sites": Domain.objects.exclude(processing_status="blacklisted").count(),
        "spam": sum(session["numbers"]["spam"] for session in told["sessions"]),
        "candidates": sum(session["judging"]["created"] for session in told["sessions"]),
        "approved": Domain.objects.filter(approval_status="approved").count(),
        "pages": sum(crawl["numbers"]["states"]["stored"] for crawl in told["crawls"]),
        "observations": Observation.objects.filter(superseded_at=None).count(),
        "records": {kind: count for kind, count in told["records"].items() if kind != "in_review"},
        "joined": Merge.objects.filter(undone_at=None).count(),
        "flagged": len({frozenset(pair) for pair in flags}),
        "in_review": filtered(status="in_review").count(),
        "published": filtered(status="published").count(),
        "truth": evaluate(_mentions(), flags, day).as_dict(),
    }


def _flags() -> Iterator[tuple[str, str]]:
    """Pairs of records that wait for somebody to say whether they are one."""
    for record, other in _doubts().values_list("item__record", "detail__duplicate_of"):
        yield str(record), other


def _doubts() -> QuerySet[Any]:
    from gleanery.review.models import Warning as Doubt

    return Doubt.objects.filter(item__status="pending", item__kind="record", detail__has_key="duplicate_of")


def _mentions() -> Iterator[Mention]:
    """What pages and feeds tell of; a venue or an organiser is told of by what names it."""
    from gleanery.extraction.models import Observation
    from gleanery.feeds.models import Feed

    current = Observation.objects.filter(superseded_at=None).exclude(record=None).select_related("page")
    feeds = dict(Feed.objects.values_list("pk", "url"))
    told = {(each.source_id, each.external_id): list(_parts(each, feeds)) for each in current}
    for each in current:
        own = told[each.source_id, each.external_id]
        parent = told.get((each.source_id, each.external_id.rpartition("#")[0]), [])
        for url, payload in own or [(url, each.payload) for url, _ in parent]:
            day = (payload.get("start") or payload.get("deadline") or "")[:10]
            yield Mention(url, each.kind, payload.get("name", ""), day, str(each.record))


def _parts(said: Observation, feeds: dict[UUID, str]) -> Iterator[tuple[str, dict[str, Any]]]:
    """Where it stands, and what is said there: a feed and the page that it links to each say it in their words."""
    parts = said.parts or {}
    if said.feed in feeds:
        yield feeds[said.feed], parts.get("feed", {"fields": said.payload})["fields"]
    if said.page:
        yield said.page.url, parts.get("page", {"fields": said.payload})["fields"]


def worth_a_look() -> tuple[str, str] | None:
    """The likeliest of the pairs that are told under different names."""
    from gleanery.resolution.models import Record

    for doubt in _doubts().select_related("item__record").order_by("-detail__probability", "id"):
        other = doubt.detail["duplicate_of"]
        if Record.objects.get(pk=other).name != doubt.item.record.name:
            return str(doubt.item.record_id), other
    return None


def print_reckoning(numbers: dict[str, Any]) -> None:
    records = counted_kinds(numbers["records"])
    say("\nWhat came of it:")
    for sentence in (
        "{sites} sites were found, and {spam} results thrown out as spam.",
        "{candidates} sites became candidates, {approved} were approved, {pages} of their pages are stored.",
        f"These tell {{observations}} times of something, which makes these records: {records}.",
        "{joined} places and organisations joined others; {flagged} pairs are flagged as near duplicates.",
        "{in_review} records wait for a look, {published} are published.",
    ):
        say(f"  {sentence.format(**numbers)}")
    print_truth(numbers["truth"])


def print_truth(truth: dict[str, Any]) -> None:
    details = truth["details"]
    say("\nHeld against what is true of the sample web: {right} right, {wrong} wrong, {missed} missed.".format(**truth))
    for name, meaning in (
        ("joined", "one record of what several pages tell of"),
        ("flagged", "somebody is asked whether they are one"),
        ("missed", "nobody noticed that they are one"),
        ("apart", "look-alikes that stay apart"),
        ("in_vain", "look-alikes about which somebody is asked"),
        ("wrong", "two things in one record"),
    ):
        say(f"  {name.replace('_', ' '):8} {len(details[name]):3}  {meaning}: {', '.join(details[name]) or 'none'}")
