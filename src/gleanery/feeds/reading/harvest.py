"""One reading of a feed: its pages asked one after the other, within limits, and made one."""

from __future__ import annotations

import hashlib
import re
from dataclasses import dataclass, field, replace
from datetime import UTC, date, datetime, timedelta
from typing import NamedTuple

from gleanery.crawling.visiting.outcome import BUSY, GONE, NOT_MODIFIED, OK, PASSING, SERVER_ERROR, retry_after
from gleanery.domains.names import domain_of
from gleanery.errors import FetchError, InvalidDomain, Unreadable
from gleanery.extraction.draft import ContactDraft, Draft
from gleanery.feeds.addresses import LONGEST, MOST_PAGES, host_of, is_on
from gleanery.feeds.platform import Answer, NotThisPlatform, Platform
from gleanery.feeds.reading.gate import Gate, Refused
from gleanery.feeds.reading.parser import Parser, Read
from gleanery.net.client import Client
from gleanery.net.exchange import Request, Response
from gleanery.net.redirect import MOST_REDIRECTS, REDIRECTS, escaped
from gleanery.net.target import web_target
from gleanery.text import clean_text, counted

LARGEST = 10 * 1024 * 1024  # of one answer, in bytes
LARGEST_IN_ALL = 20 * 1024 * 1024
MOST_EVENTS = 5_000
MOST_PROBLEMS = 50
LONGEST_VALIDATOR = 300
IF_TAG, IF_SINCE = "If-None-Match", "If-Modified-Since"
# Of calendars that are made anew for every visitor.
_STAMPS = re.compile(rb"^(?:DTSTAMP|LAST-MODIFIED|PRODID)[;:].*$\r?\n?", re.MULTILINE)


class Failed(Exception):
    """Nothing came that can be used; its text says why. `passing` may mend itself, `retry_after` is in seconds."""

    def __init__(self, sentence: str, *, passing: bool = False, retry_after: float = 0.0) -> None:
        super().__init__(sentence)
        self.passing = passing
        self.retry_after = retry_after


class Before(NamedTuple):
    """What an earlier reading left: the address that was asked, its validators, and a digest of the answer."""

    asked_url: str = ""
    etag: str = ""
    last_modified: str = ""
    digest: bytes = b""


NOTHING = Before()


@dataclass(slots=True)
class Harvest:
    """What a feed brings. It is not `whole` where a later page failed; `is_unchanged` brings nothing to keep.

    A sample is the first page alone, whatever follows it.
    """

    platform: Platform | None = None
    asked_url: str = ""
    etag: str = ""
    last_modified: str = ""
    digest: bytes = b""
    is_unchanged: bool = False
    whole: bool = True
    is_sample: bool = False
    title: str = ""
    ttl: timedelta | None = None
    pages: int = 0
    size: int = 0
    drafts: dict[tuple[str, str], Draft] = field(default_factory=dict)
    contacts: dict[ContactDraft, None] = field(default_factory=dict)
    problems: dict[str, None] = field(default_factory=dict)

    def take(self, read: Read) -> int:
        """How many of its things are new."""
        self.platform, reading = read
        self.title = self.title or reading.title
        self.ttl = self.ttl or reading.ttl
        self.contacts.update(dict.fromkeys(reading.contacts))
        self.problems.update(dict.fromkeys(reading.problems))
        before = len(self.drafts)
        for draft in reading.drafts:
            own = self._with_own_id(draft)
            self.drafts.setdefault((own.kind, own.external_id), own)
        return len(self.drafts) - before

    def _with_own_id(self, draft: Draft) -> Draft:
        """Another date of an event that an earlier page has under the same id adds its start, as within one page."""
        known = self.drafts.get((draft.kind, draft.external_id))
        start = draft.fields.get("start", "")
        if known is None or known.fields.get("start", "") == start:
            return draft
        return replace(draft, external_id=f"{draft.external_id}#{start}")

    @property
    def told_problems(self) -> list[str]:
        return list(self.problems)[:MOST_PROBLEMS]


@dataclass(frozen=True, slots=True, kw_only=True)
class Errand:
    """What is asked: `platforms` are those that may read the answer, one if it is known which."""

    url: str
    platforms: tuple[Platform, ...]
    country: str = ""
    before: Before = NOTHING
    most_pages: int = MOST_PAGES

    def first_address(self, day: date) -> str:
        return self.platforms[0].address(self.url, day) if len(self.platforms) == 1 else self.url

    def sample(self) -> Errand:
        """Its first page alone."""
        return replace(self, most_pages=1)

    @property
    def accept(self) -> str:
        return self.platforms[0].accept if len(self.platforms) == 1 else "*/*"


class Reader:
    """Goes on an errand: `harvest = await Reader(errand, gate, client, parser).read()`."""

    def __init__(self, errand: Errand, gate: Gate, client: Client, parser: Parser) -> None:
        self._errand = errand
        self._gate = gate
        self._client = client
        self._parser = parser
        self._found = Harvest(is_sample=errand.most_pages == 1)
        self._platforms = errand.platforms
        self._hash = hashlib.sha256()

    async def read(self, first: Response | None = None) -> Harvest:
        """Failed where the first page brings nothing; NotWanted where somebody stopped it."""
        found, day = self._found, datetime.now(UTC).date()
        found.asked_url = url = self._errand.first_address(day)
        seen: set[str] = set()
        while url:
            seen.add(url)
            try:
                response = first if first and not found.pages else await self.answered(url)
                url = await self._read_page(response, day)
            except Failed as problem:
                if not found.pages:
                    raise
                found.whole = False
                found.problems[f"Page {found.pages + 1} could not be read: {problem}"] = None
                break
            if url and (limit := self._limit(url, seen)):
                found.problems[limit] = None
                break
        if not found.is_unchanged:
            found.digest = self._hash.digest()
            found.is_unchanged = found.whole and found.digest == self._errand.before.digest
        return found

    def _limit(self, url: str, seen: set[str]) -> str:
        found = self._found
        if url in seen:
            return "It leads in circles: the rest was not read."
        if found.pages >= self._errand.most_pages:
            return f"Only its first {counted(found.pages, 'page')} {'was' if found.pages == 1 else 'were'} read."
        if found.size >= LARGEST_IN_ALL:
            return f"Only its first {found.pages} pages were read: they are larger than a feed may be."
        return f"Only its first {MOST_EVENTS:,} events were taken." if len(found.drafts) >= MOST_EVENTS else ""

    async def _read_page(self, response: Response, day: date) -> str:
        """The address of the next page; "" after the last."""
        found = self._found
        if response.status != NOT_MODIFIED:
            self._hash.update(_STAMPS.sub(b"", response.body))
        if not found.pages:
            found.etag = _validator(response, "ETag")
            found.last_modified = _validator(response, "Last-Modified")
            if response.status == NOT_MODIFIED or self._hash.digest() == self._errand.before.digest:
                found.is_unchanged, found.digest = True, self._errand.before.digest
                return ""
        answer = Answer(
            url=response.url,
            media_type=response.media_type,
            text="",
            fetched=day,
            country=self._errand.country,
        )
        try:
            read = await self._parser.read(self._platforms, response.body, response.charset or "", answer)
        except (NotThisPlatform, Unreadable) as problem:
            raise Failed(str(problem)) from problem
        found.pages += 1
        found.size += len(response.body)
        new = found.take(read)
        self._platforms = (read.platform,)
        follows = read.reading.follows
        if follows and not new and found.pages > 1:
            found.problems[f"Page {found.pages} brought nothing new: the rest was not read."] = None
            return ""
        return follows if len(follows) <= LONGEST and host_of(follows) == host_of(response.url) else ""

    async def answered(self, url: str) -> Response:
        """Every hop is admitted for itself; a feed stays with its site, or with a host of its platform."""
        for _ in range(MOST_REDIRECTS + 1):
            try:
                await self._gate.admit(url)
                request = self._request(url)
                response = await self._client.fetch(request)
            except Refused as problem:
                raise Failed(str(problem), passing=problem.passing) from None
            except FetchError as problem:
                raise Failed(str(problem), passing=problem.kind in PASSING) from None
            finally:
                self._gate.rest()
            if response.status not in REDIRECTS or "Location" not in response.headers:
                return _usable(response, is_conditional=not {IF_TAG, IF_SINCE}.isdisjoint(request.headers))
            url = self._leads_to(response)
        raise Failed("It leads on and on, from address to address.")

    def _request(self, url: str) -> Request:
        before, headers = self._errand.before, {"Accept": self._errand.accept}
        if not self._found.pages and url == before.asked_url:
            headers |= {IF_TAG: before.etag} if before.etag else {}
            headers |= {IF_SINCE: before.last_modified} if before.last_modified else {}
        return Request(url=url, headers=headers, follow=False, largest=LARGEST)

    def _leads_to(self, response: Response) -> str:
        try:
            url = web_target(escaped(response.headers["Location"]), base=response.url).url
        except FetchError:
            raise Failed("It leads to an address that cannot be fetched.") from None
        hosts = tuple(host for platform in self._platforms for host in platform.hosts)
        if not _same_owner(url, response.url) and not (is_on(url, *hosts) and is_on(response.url, *hosts)):
            raise Failed(f"It leads to another site: {url[:200]}. If that is the source's own, add it as a feed.")
        return url


def _usable(response: Response, *, is_conditional: bool) -> Response:
    """Failed unless there is something to read, or something was read before and holds still."""
    status = response.status
    if (status == NOT_MODIFIED and is_conditional) or (status in OK and response.body):
        return response
    if status == NOT_MODIFIED:
        raise Failed("It says that nothing has changed (status 304), but it was never read before.")
    if status in OK:
        raise Failed("The answer was empty.")
    if status in BUSY:
        rest = retry_after(response.headers.get("Retry-After", ""))
        raise Failed(f"The site asked us to wait (status {status}).", passing=True, retry_after=rest)
    if status in GONE:
        raise Failed(f"It is not there (status {status}).")
    if status in SERVER_ERROR:
        raise Failed(f"The site could not answer (status {status}).", passing=True)
    raise Failed(f"The site refused it (status {status}).")


def _validator(response: Response, name: str) -> str:
    """Too long to be kept whole is too long to be sent back."""
    value = clean_text(response.headers.get(name, ""))
    return value if len(value) <= LONGEST_VALIDATOR else ""


def _same_owner(one: str, other: str) -> bool:
    try:
        return domain_of(one).registrable == domain_of(other).registrable
    except InvalidDomain:
        return False
