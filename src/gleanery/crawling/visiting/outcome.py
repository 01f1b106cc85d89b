"""Outcomes of requests: read the response, follow it, try again or give up (pure)."""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime

from gleanery.crawling.pages.pdf import CAN_READ, PDF
from gleanery.domains.names import DomainName, in_scope
from gleanery.domains.urls import canonical_url
from gleanery.errors import FetchError, FetchProblem, InvalidUrl
from gleanery.net.exchange import Response
from gleanery.net.redirect import MOST_REDIRECTS, REDIRECTS, escaped
from gleanery.net.target import web_target

HTML = frozenset({"text/html", "application/xhtml+xml"})
CALENDAR = frozenset({"text/calendar"})
READ = HTML | CALENDAR | ({PDF} if CAN_READ else frozenset())
NOTED = frozenset({PDF}) - READ

OK = range(200, 300)
NOT_MODIFIED = 304
GONE = (404, 410)
BUSY = (429, 503)
SERVER_ERROR = range(500, 600)
MOST_ATTEMPTS = 3
LONGEST_PAUSE = 3600.0
SHORTEST_PAUSE = 30.0

# Temporary failures: the same request may succeed later.
PASSING = frozenset(
    {FetchProblem.DNS, FetchProblem.CONNECT, FetchProblem.TLS, FetchProblem.TIMEOUT, FetchProblem.RESET}
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Outcome:
    """The result of a request. `state` is the visit's state; "queued" means try again, "read" means parse the body.

    `leads_to` is the target of a redirect, `pause` the seconds the site asks us to wait, and `down` is true if the site
    did not respond or is busy.
    """

    state: str
    reason: str = ""
    leads_to: str = ""
    pause: float = 0.0
    down: bool = False
    gone: bool = False


def of_error(problem: FetchError, attempts: int) -> Outcome:
    passing = problem.kind in PASSING
    again = passing and attempts < MOST_ATTEMPTS - 1
    return Outcome(state="queued" if again else "failed", reason=str(problem), down=passing)


def of_response(  # noqa: PLR0911  # one line for each kind of answer
    response: Response, attempts: int, hops: int, domain: DomainName
) -> Outcome:
    status = response.status
    if status == NOT_MODIFIED:
        return Outcome(state="unchanged", reason="The site says that it has not changed.")
    if status in REDIRECTS and "Location" in response.headers:
        return _redirected(response, hops, domain)
    if status in BUSY:
        return _busy(response, attempts)
    if status in GONE:
        return Outcome(state="failed", reason=f"The page is not there (status {status}).", gone=True)
    if status in SERVER_ERROR:
        again = attempts < MOST_ATTEMPTS - 1
        reason = f"The site could not answer (status {status})."
        return Outcome(state="queued" if again else "failed", reason=reason)
    if status not in OK:
        return Outcome(state="failed", reason=f"The site refused the page (status {status}).")
    return _of_type(response.media_type, bool(response.body))


def _of_type(media_type: str, has_body: bool) -> Outcome:
    if media_type in NOTED:
        return Outcome(state="noted", reason="It is a PDF, and PDFs are only read if the extra `pdf` is installed.")
    if media_type not in READ:
        return Outcome(state="refused", reason=f"Its type is {media_type or 'unknown'}, which is not read.")
    if not has_body:
        return Outcome(state="failed", reason="The response was empty.")
    return Outcome(state="read")


def _redirected(response: Response, hops: int, domain: DomainName) -> Outcome:
    """Return the redirect as a further visit: robots.txt and the pause between requests apply to each hop."""
    try:
        address = canonical_url(web_target(escaped(response.headers["Location"]), base=response.url).url)
    except (FetchError, InvalidUrl):
        return Outcome(state="refused", reason="It redirects to an address that cannot be fetched.")
    if not in_scope(address, domain):
        return Outcome(state="refused", reason=f"It redirects to another site: {address[:200]}")
    if hops >= MOST_REDIRECTS:
        return Outcome(state="refused", reason=f"It was redirected {hops} times, which is the limit.")
    return Outcome(state="redirected", reason=f"It redirects to {address[:200]}", leads_to=address)


def _busy(response: Response, attempts: int) -> Outcome:
    pause = min(LONGEST_PAUSE, max(SHORTEST_PAUSE, retry_after(response.headers.get("Retry-After", ""))))
    reason = f"The site asked us to wait (status {response.status})."
    if attempts >= MOST_ATTEMPTS - 1:
        return Outcome(state="failed", reason=reason, pause=pause, down=True)
    return Outcome(state="queued", reason=reason, pause=pause, down=True)


def retry_after(text: str) -> float:
    """Return the seconds to wait, given as a number or a date; 0 if the text is neither."""
    text = text.strip()
    if re.fullmatch("[0-9]{1,10}", text):
        return float(text)
    try:
        return max(0.0, (parsedate_to_datetime(text) - datetime.now(UTC)).total_seconds())
    except (TypeError, ValueError):
        return 0.0


NOT_AGENTS = frozenset({"unavailable_after", "max-snippet", "max-image-preview", "max-video-preview"})


def robots_tag(header: str) -> tuple[bool, bool]:
    """Return (noindex, nofollow) from an X-Robots-Tag header, for all agents or for ours."""
    words: set[str] = set()
    ours = True
    for part in header.lower().split(","):
        agent, colon, rest = (each.strip() for each in part.partition(":"))
        names_agent = bool(colon) and agent not in NOT_AGENTS
        if names_agent:
            ours = agent in ("gleanery", "*")
        if ours:
            words.add(rest if names_agent else part.strip())
    everything = "none" in words
    return everything or "noindex" in words, everything or "nofollow" in words
