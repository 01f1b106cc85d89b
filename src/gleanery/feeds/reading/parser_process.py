"""Child process that finds signs on pages and parses answers, for a Parser."""

from __future__ import annotations

import zlib
from collections.abc import Iterable, Mapping
from dataclasses import asdict
from datetime import date
from itertools import islice
from typing import Any

from gleanery.crawling.pages.flattening import flattened
from gleanery.crawling.pages.page_reader import LONGEST_PARSED, MANY_TAGS
from gleanery.crawling.processes.child_process import packed, serve
from gleanery.domains.names import domain_of
from gleanery.extraction.draft import Extracted
from gleanery.extraction.running.extractor_process import as_message
from gleanery.feeds.addresses import LONGEST
from gleanery.feeds.finding.markup import markup_of
from gleanery.feeds.platform import Answer, AnswerContent, NotThisPlatform, Platform, Sign
from gleanery.feeds.platforms import BY_NAME, shown_on
from gleanery.net.charset import decoded
from gleanery.text import clean_text

Message = tuple[Any, ...]
SIGNS, READ = "signs", "read"
LONGEST_TITLE = 200
MOST_SIGNS = 200
MOST_COVERED = 20  # per sign


def pack_signs_request(raw: bytes, charset: str, url: str, headers: Mapping[str, str]) -> bytes:
    """Pack a request for signs. `raw` is a stored snapshot."""
    return packed((SIGNS, raw, charset, url, dict(headers)))


def pack_read_request(platforms: Iterable[Platform], body: bytes, charset: str, answer: Answer) -> bytes:
    """Pack a request to parse. The body is decoded only in the child process."""
    facts = {**asdict(answer), "text": "", "fetched": answer.fetched.isoformat()}
    return packed((READ, [each.name for each in platforms], body, charset, facts))


def handle_request(given: Message) -> Message:
    what, *rest = given
    return _signs(*rest) if what == SIGNS else _read(*rest)


def _signs(raw: bytes, charset: str, url: str, headers: dict[str, str]) -> Message:
    text, _ = decoded(zlib.decompressobj().decompress(raw, LONGEST_PARSED), charset or None)
    return ([_pack_sign(platform, sign) for platform, sign in _shown(text, url, headers)],)


def _shown(text: str, url: str, headers: Mapping[str, str]) -> list[tuple[Platform, Sign]]:
    if text.count("<") > MANY_TAGS:
        text = flattened(text)
    found = (each for each in shown_on(markup_of(text, url, headers)) if len(each[1].url) <= LONGEST)
    return list(islice(found, MOST_SIGNS))


def _pack_sign(platform: Platform, sign: Sign) -> Message:
    title = clean_text(sign.title, limit=LONGEST_TITLE)
    covers = [clean_text(each) for each in sign.covers if len(each) <= LONGEST][:MOST_COVERED]
    return platform.name, clean_text(sign.url), title, sign.guess, covers


def _read(platforms: list[str], body: bytes, charset: str, facts: dict[str, Any]) -> Message:
    """Parse the answer with the platform that finds most events, or return the first problem."""
    text, _ = decoded(body, charset or None)
    answer = Answer(**{**facts, "text": text, "fetched": date.fromisoformat(facts["fetched"])})
    readings: list[tuple[str, AnswerContent]] = []
    problem = ""
    for name in platforms:
        try:
            readings.append((name, BY_NAME[name].read(answer)))
        except NotThisPlatform as other:
            problem = problem or clean_text(str(other), limit=500)
    if not readings:
        return None, problem, _links_in(text, facts["url"]) if len(platforms) > 1 else []
    name, content = max(readings, key=lambda each: len(each[1].drafts))
    return (name, *_pack_reading(content)), "", []


def _pack_reading(content: AnswerContent) -> Message:
    found = Extracted(drafts=content.drafts, contacts=content.contacts, problems=content.problems)
    seconds = content.ttl.total_seconds() if content.ttl else None
    return as_message(found), clean_text(content.title, limit=LONGEST_TITLE), clean_text(content.follows), seconds


def _links_in(text: str, url: str) -> list[str]:
    """Return feeds linked from an answer that is a web page."""
    return [clean_text(sign.url) for _, sign in _shown(text[:LONGEST_PARSED], url, {})]


if __name__ == "__main__":
    domain_of("example.org")  # reads the list of public suffixes
    serve(handle_request)
