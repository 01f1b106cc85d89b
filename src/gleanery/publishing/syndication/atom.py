"""The Atom feed of a search: the newest records first, in pages that lead on (RFC 4287, RFC 5005)."""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import UTC, date, datetime, time
from typing import Any

from django.utils import translation
from django.utils.feedgenerator import Atom1Feed
from django.utils.html import escape, format_html, format_html_join, linebreaks
from django.utils.safestring import SafeString, mark_safe

from gleanery.publishing.search.filters import Filters
from gleanery.publishing.showing import reading_many
from gleanery.publishing.showing.addresses import path_of, safe_link
from gleanery.publishing.showing.facts import facts, status_of
from gleanery.publishing.showing.kinds import KIND_WORDS
from gleanery.publishing.showing.reading import Published
from gleanery.publishing.syndication import selection
from gleanery.publishing.syndication.title import title_of

A_PAGE = 50
LONGEST = 5_000
_NOT_XML = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\ud800-\udfff\ufffe\uffff]")


@dataclass(frozen=True, slots=True)
class Links:
    root: str
    first: str  # the feed itself, from its beginning
    here: str  # this page of it
    search: str


class PagedFeed(Atom1Feed):
    """Django's Atom with pages, and with the whole entry beside its summary."""

    def add_root_elements(self, handler: Any) -> None:
        super().add_root_elements(handler)
        for name in ("first", "next"):
            if self.feed[name]:
                handler.addQuickElement("link", "", {"rel": name, "href": self.feed[name]})

    def add_item_elements(self, handler: Any, item: dict[str, Any]) -> None:
        super().add_item_elements(handler, item)
        handler.addQuickElement("content", item["content"], {"type": "html"})

    def latest_post_date(self) -> datetime:
        """Return when an entry last changed; what is empty has not changed today."""
        changed = [each["updateddate"] for each in self.items]
        return max(changed) if changed else self.feed["since"]  # type: ignore[no-any-return]


def atom(filters: Filters, today: date, cursor: str, site: str, links: Links) -> str:
    picked = selection.newest(filters, today, cursor, A_PAGE)
    following = f"{links.first}{'&' if '?' in links.first else '?'}cursor={picked.next_cursor}"
    feed = PagedFeed(
        title=_clean(f"{site}: {title_of(filters)}"),
        link=links.search,
        description="",
        language=translation.get_language(),
        author_name=_clean(site),
        feed_url=links.here,
        feed_guid=links.first,
        first=links.first if cursor else "",
        next=following if picked.next_cursor else "",
        since=datetime.combine(today, time.min, UTC),
    )
    for batch in reading_many.in_batches(picked.ids):
        for of in batch:
            feed.add_item(**_entry(of, today, links.root))
    return feed.writeString("utf-8")


def _entry(of: Published, today: date, root: str) -> dict[str, Any]:
    record, status = of.record, status_of(of.fields)
    about = str(of.fields.get("description") or "")
    lines = [(each.label, each.text) for each in facts(of, today)]
    return {
        "title": _clean(f"{status}: {record.name}" if status else record.name),
        "link": root + path_of(record.pk, record.name),
        "unique_id": f"urn:uuid:{record.pk}",
        "pubdate": record.published_at,
        "updateddate": reading_many.changed_at(of),
        "categories": [str(KIND_WORDS[record.kind].one)],
        "description": escape(_clean(" · ".join(text for _, text in lines[:4]))),
        "content": _clean(_content(lines, about, of)),
    }


def _content(lines: list[tuple[str, str]], about: str, of: Published) -> SafeString:
    links = dict.fromkeys(link for each in of.said if (link := safe_link(each.page) or safe_link(each.url)))
    return format_html(
        "<dl>{}</dl>{}<p>{}</p>",
        format_html_join("", "<dt>{}</dt><dd>{}</dd>", lines),
        mark_safe(linebreaks(about[:LONGEST], autoescape=True)),  # noqa: S308  # escaped by it
        format_html_join(" ", '<a href="{}">{}</a>', [(link, link) for link in links]),
    )


def _clean(text: str) -> str:
    """Return the text without what XML cannot carry."""
    return _NOT_XML.sub("", text)
