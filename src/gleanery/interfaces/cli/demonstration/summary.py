"""Results of the demo in numbers: how much was found, kept, merged and flagged, and how much of it is correct."""

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


def summarise(story: dict[str, Any], day: date) -> dict[str, Any]:
    """Return the numbers; `story` holds the results of the steps, the rest is counted in the database."""
    from gleanery.domains.models import Domain
    from gleanery.extraction.models import Observation
    from gleanery.resolution.models import Merge
    from gleanery.resolution.presenting.record_list import filtered

    flags = list(_flags())
    return {
        "sites": Domain.objects.exclude(processing_status="blacklisted").count(),
        "spam": sum(session["numbers"]["spam"] for session in story["sessions"]),
        "candidates": sum(session["judging"]["created"] for session in story["sessions"]),
        "approved": Domain.objects.filter(approval_status="approved").count(),
        "pages": sum(crawl["numbers"]["states"]["stored"] for crawl in story["crawls"]),
        "observations": Observation.objects.filter(superseded_at=None).count(),
        "records": {kind: count for kind, count in story["records"].items() if kind != "in_review"},
        "joined": Merge.objects.filter(undone_at=None).count(),
        "flagged": len({frozenset(pair) for pair in flags}),
        "in_review": filtered(status="in_review").count(),
        "published": filtered(status="published").count(),
        "truth": evaluate(_mentions(), flags, day).as_dict(),
    }


def _flags() -> Iterator[tuple[str, str]]:
    """Yield pairs of records flagged as possible duplicates."""
    for record, other in _doubts().values_list("item__record", "detail__duplicate_of"):
        yield str(record), other


def _doubts() -> QuerySet[Any]:
    from gleanery.review.models import Warning as Doubt

    return Doubt.objects.filter(item__status="pending", item__kind="record", detail__has_key="duplicate_of")


def _mentions() -> Iterator[Mention]:
    """Yield what each page and feed states; venues and organisers are stated by the event that names them."""
    from gleanery.extraction.models import Observation
    from gleanery.feeds.models import Feed

    current = Observation.objects.filter(superseded_at=None).exclude(record=None).select_related("page")
    feeds = dict(Feed.objects.values_list("pk", "url"))
    stated = {(each.source_id, each.external_id): list(_parts(each, feeds)) for each in current}
    for each in current:
        own = stated[each.source_id, each.external_id]
        parent = stated.get((each.source_id, each.external_id.rpartition("#")[0]), [])
        for url, payload in own or [(url, each.payload) for url, _ in parent]:
            day = (payload.get("start") or payload.get("deadline") or "")[:10]
            yield Mention(url, each.kind, payload.get("name", ""), day, str(each.record))


def _parts(row: Observation, feeds: dict[UUID, str]) -> Iterator[tuple[str, dict[str, Any]]]:
    """Yield the address and the fields of each part: a feed and the page it links to may state the same event."""
    parts = row.parts or {}
    if row.feed in feeds:
        yield feeds[row.feed], parts.get("feed", {"fields": row.payload})["fields"]
    if row.page:
        yield row.page.url, parts.get("page", {"fields": row.payload})["fields"]


def likeliest_pair() -> tuple[str, str] | None:
    """Return the most probable flagged pair with different names."""
    from gleanery.resolution.models import Record

    for doubt in _doubts().select_related("item__record").order_by("-detail__probability", "id"):
        other = doubt.detail["duplicate_of"]
        if Record.objects.get(pk=other).name != doubt.item.record.name:
            return str(doubt.item.record_id), other
    return None


def print_summary(numbers: dict[str, Any]) -> None:
    records = counted_kinds(numbers["records"])
    say("\nResults:")
    for sentence in (
        "{sites} sites were found, and {spam} results were filtered out as spam.",
        "{candidates} sites became candidates, {approved} were approved, {pages} of their pages are stored.",
        f"They contain {{observations}} observations, which make these records: {records}.",
        "{joined} places and organisations were merged; {flagged} pairs are flagged as possible duplicates.",
        "{in_review} records are waiting for review, {published} are published.",
    ):
        say(f"  {sentence.format(**numbers)}")
    print_truth(numbers["truth"])


def print_truth(truth: dict[str, Any]) -> None:
    details = truth["details"]
    say(
        "\nCompared with the known truth of the sample web: {right} right, {wrong} wrong, {missed} missed.".format(
            **truth
        )
    )
    for name, meaning in (
        ("joined", "one record from several pages"),
        ("flagged", "flagged for a reviewer"),
        ("missed", "duplicates not noticed"),
        ("apart", "similar records rightly kept apart"),
        ("in_vain", "similar records flagged in vain"),
        ("wrong", "different things in one record"),
    ):
        say(f"  {name.replace('_', ' '):8} {len(details[name]):3}  {meaning}: {', '.join(details[name]) or 'none'}")
