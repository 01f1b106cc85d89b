"""Downloads the pages of a feed within limits and combines them."""

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
from gleanery.feeds.reading.host_access import HostAccess, Refused
from gleanery.feeds.reading.parser import ParsedAnswer, Parser
from gleanery.net.client import Client
from gleanery.net.exchange import Request, Response
from gleanery.net.redirect import MOST_REDIRECTS, REDIRECTS, escaped
from gleanery.net.target import web_target
from gleanery.text import clean_text, counted

LARGEST = 10 * 1024 * 1024  # bytes per answer
LARGEST_IN_ALL = 20 * 1024 * 1024
MOST_EVENTS = 5_000
MOST_PROBLEMS = 50
LONGEST_VALIDATOR = 300
IF_TAG, IF_SINCE = "If-None-Match", "If-Modified-Since"
# Lines that change with every request.
_STAMPS = re.compile(rb"^(?:DTSTAMP|LAST-MODIFIED|PRODID)[;:].*$\r?\n?", re.MULTILINE)


class ReadingFailed(Exception):
    """Raised if nothing usable came. `passing` failures may resolve themselves; `retry_after` is in seconds."""

    def __init__(self, sentence: str, *, passing: bool = False, retry_after: float = 0.0) -> None:
        super().__init__(sentence)
        self.passing = passing
        self.retry_after = retry_after


class PreviousReading(NamedTuple):
    """Request address, validators and digest of the previous reading."""

    asked_url: str = ""
    etag: str = ""
    last_modified: str = ""
    digest: bytes = b""


NO_PREVIOUS = PreviousReading()


@dataclass(slots=True)
class FeedContent:
    """Content of a feed. `whole` is False if a later page failed; `is_unchanged` means nothing to store.

    A sample is the first page only.
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

    def take(self, read: ParsedAnswer) -> int:
        """Add a page and return the number of new drafts."""
        self.platform, content = read
        self.title = self.title or content.title
        self.ttl = self.ttl or content.ttl
        self.contacts.update(dict.fromkeys(content.contacts))
        self.problems.update(dict.fromkeys(content.problems))
        before = len(self.drafts)
        for draft in content.drafts:
            own = self._with_own_id(draft)
            self.drafts.setdefault((own.kind, own.external_id), own)
        return len(self.drafts) - before

    def _with_own_id(self, draft: Draft) -> Draft:
        """Add the start to the id of a date that shares it with a date on an earlier page."""
        known = self.drafts.get((draft.kind, draft.external_id))
        start = draft.fields.get("start", "")
        if known is None or known.fields.get("start", "") == start:
            return draft
        return replace(draft, external_id=f"{draft.external_id}#{start}")

    @property
    def problem_list(self) -> list[str]:
        return list(self.problems)[:MOST_PROBLEMS]


@dataclass(frozen=True, slots=True, kw_only=True)
class FeedRequest:
    """A feed to read. `platforms` may parse the answer; there is one if it is known."""

    url: str
    platforms: tuple[Platform, ...]
    country: str = ""
    before: PreviousReading = NO_PREVIOUS
    most_pages: int = MOST_PAGES

    def first_address(self, day: date) -> str:
        return self.platforms[0].address(self.url, day) if len(self.platforms) == 1 else self.url

    def sample(self) -> FeedRequest:
        """Return the request limited to the first page."""
        return replace(self, most_pages=1)

    @property
    def accept(self) -> str:
        return self.platforms[0].accept if len(self.platforms) == 1 else "*/*"


class FeedDownload:
    """Use as `content = await FeedDownload(request, access, client, parser).read()`."""

    def __init__(self, feed_request: FeedRequest, access: HostAccess, client: Client, parser: Parser) -> None:
        self._feed_request = feed_request
        self._access = access
        self._client = client
        self._parser = parser
        self._found = FeedContent(is_sample=feed_request.most_pages == 1)
        self._platforms = feed_request.platforms
        self._hash = hashlib.sha256()

    async def read(self, first: Response | None = None) -> FeedContent:
        """Read all pages. Raises ReadingFailed if the first one fails, NotWanted if the feed was stopped."""
        found, day = self._found, datetime.now(UTC).date()
        found.asked_url = url = self._feed_request.first_address(day)
        seen: set[str] = set()
        while url:
            seen.add(url)
            try:
                response = first if first and not found.pages else await self.fetch_page(url)
                url = await self._read_page(response, day)
            except ReadingFailed as problem:
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
            found.is_unchanged = found.whole and found.digest == self._feed_request.before.digest
        return found

    def _limit(self, url: str, seen: set[str]) -> str:
        found = self._found
        if url in seen:
            return "Its pages link in a circle. The rest was not read."
        if found.pages >= self._feed_request.most_pages:
            return f"Only its first {counted(found.pages, 'page')} {'was' if found.pages == 1 else 'were'} read."
        if found.size >= LARGEST_IN_ALL:
            return f"Only its first {found.pages} pages were read, since they exceed the size limit."
        return f"Only its first {MOST_EVENTS:,} events were kept." if len(found.drafts) >= MOST_EVENTS else ""

    async def _read_page(self, response: Response, day: date) -> str:
        """Parse a page and return the address of the next one, or ""."""
        found = self._found
        if response.status != NOT_MODIFIED:
            self._hash.update(_STAMPS.sub(b"", response.body))
        if not found.pages:
            found.etag = _validator(response, "ETag")
            found.last_modified = _validator(response, "Last-Modified")
            if response.status == NOT_MODIFIED or self._hash.digest() == self._feed_request.before.digest:
                found.is_unchanged, found.digest = True, self._feed_request.before.digest
                return ""
        answer = Answer(
            url=response.url,
            media_type=response.media_type,
            text="",
            fetched=day,
            country=self._feed_request.country,
        )
        try:
            read = await self._parser.read(self._platforms, response.body, response.charset or "", answer)
        except (NotThisPlatform, Unreadable) as problem:
            raise ReadingFailed(str(problem)) from problem
        found.pages += 1
        found.size += len(response.body)
        new = found.take(read)
        self._platforms = (read.platform,)
        follows = read.content.follows
        if follows and not new and found.pages > 1:
            found.problems[f"Page {found.pages} had nothing new. The rest was not read."] = None
            return ""
        return follows if len(follows) <= LONGEST and host_of(follows) == host_of(response.url) else ""

    async def fetch_page(self, url: str) -> Response:
        """Fetch an address. Each redirect is admitted separately and must stay on the site or platform."""
        for _ in range(MOST_REDIRECTS + 1):
            try:
                await self._access.admit(url)
                request = self._request(url)
                response = await self._client.fetch(request)
            except Refused as problem:
                raise ReadingFailed(str(problem), passing=problem.passing) from None
            except FetchError as problem:
                raise ReadingFailed(str(problem), passing=problem.kind in PASSING) from None
            finally:
                self._access.rest()
            if response.status not in REDIRECTS or "Location" not in response.headers:
                return _checked(response, is_conditional=not {IF_TAG, IF_SINCE}.isdisjoint(request.headers))
            url = self._redirect_target(response)
        raise ReadingFailed("There are too many redirects.")

    def _request(self, url: str) -> Request:
        before, headers = self._feed_request.before, {"Accept": self._feed_request.accept}
        if not self._found.pages and url == before.asked_url:
            headers |= {IF_TAG: before.etag} if before.etag else {}
            headers |= {IF_SINCE: before.last_modified} if before.last_modified else {}
        return Request(url=url, headers=headers, follow=False, largest=LARGEST)

    def _redirect_target(self, response: Response) -> str:
        try:
            url = web_target(escaped(response.headers["Location"]), base=response.url).url
        except FetchError:
            raise ReadingFailed("It redirects to an address that cannot be fetched.") from None
        hosts = tuple(host for platform in self._platforms for host in platform.hosts)
        if not _same_owner(url, response.url) and not (is_on(url, *hosts) and is_on(response.url, *hosts)):
            raise ReadingFailed(
                f"It redirects to another site: {url[:200]}. If that belongs to the source, add it as a feed."
            )
        return url


def _checked(response: Response, *, is_conditional: bool) -> Response:
    """Return a response with content or an expected 304; raise ReadingFailed for others."""
    status = response.status
    if (status == NOT_MODIFIED and is_conditional) or (status in OK and response.body):
        return response
    if status == NOT_MODIFIED:
        raise ReadingFailed("It reports no change (status 304), although it was never read before.")
    if status in OK:
        raise ReadingFailed("The answer was empty.")
    if status in BUSY:
        rest = retry_after(response.headers.get("Retry-After", ""))
        raise ReadingFailed(f"The site asked us to wait (status {status}).", passing=True, retry_after=rest)
    if status in GONE:
        raise ReadingFailed(f"The feed was not found (status {status}).")
    if status in SERVER_ERROR:
        raise ReadingFailed(f"The site had an error (status {status}).", passing=True)
    raise ReadingFailed(f"The site refused the request (status {status}).")


def _validator(response: Response, name: str) -> str:
    """Return a validator header, or "" if it is too long to store."""
    value = clean_text(response.headers.get(name, ""))
    return value if len(value) <= LONGEST_VALIDATOR else ""


def _same_owner(one: str, other: str) -> bool:
    try:
        return domain_of(one).registrable == domain_of(other).registrable
    except InvalidDomain:
        return False
