"""The sample web as a WSGI application: sites by Host header, search engines on the server's own address.

    python -m granian --interface wsgi --host 127.0.0.1 --port 8099 gleanery.demo.web:application

Settings from the environment: GLEANERY_DEMO_DAY (the day that dates count from, default today), GLEANERY_DEMO_VERSION
(1 or 2) and GLEANERY_DEMO_FAULTS (see search_engine). `POST /version/2` on the server's own address changes the
version while it runs.
"""

from __future__ import annotations

import os
import time
from collections.abc import Iterable, Mapping
from datetime import UTC, date, datetime
from datetime import time as clock
from email.utils import format_datetime, parsedate_to_datetime
from hashlib import sha256
from http import HTTPStatus
from typing import TYPE_CHECKING, Any
from urllib.parse import parse_qsl, quote

from gleanery.demo.answer import Answer, Request, json_answer, not_found, redirect
from gleanery.demo.dates import in_sofia
from gleanery.demo.hostile_pages import HANDLERS
from gleanery.demo.rendering import is_newer, last_changed, robots_txt, sitemap_xml, text_of
from gleanery.demo.search_engine import SearchEngines, faults_of
from gleanery.demo.sites import Page, Site, by_host, page_in

if TYPE_CHECKING:
    from _typeshed.wsgi import StartResponse

OWN_ADDRESSES = ("127.0.0.1", "localhost", "[::1]")
READING = ("GET", "HEAD")


class SampleWeb:
    """All sites on one day, in one of two versions."""

    def __init__(self, day: date, version: int = 1, faults: str = "") -> None:
        self.day = day
        self.version = version
        self.changed = in_sofia(day, clock(6))  # start of version 2
        self.engines = SearchEngines(day, faults_of(faults))

    def __call__(self, environ: dict[str, Any], start_response: StartResponse) -> Iterable[bytes]:
        request = request_of(environ)
        answer = self.answer(request)
        headers = [("Content-Type", answer.type), *answer.headers]
        if answer.stream is None and answer.status != HTTPStatus.NOT_MODIFIED:
            headers.append(("Content-Length", str(len(answer.body))))
        start_response(f"{answer.status} {HTTPStatus(answer.status).phrase}", headers)
        if request.method == "HEAD" or answer.status == HTTPStatus.NOT_MODIFIED:
            return []
        return [answer.body] if answer.stream is None else answer.stream

    def answer(self, request: Request) -> Answer:
        if request.host in OWN_ADDRESSES:
            return self.own(request)
        site = by_host().get(request.host)
        if site is None:
            return not_found(f"There is no site called {request.host[:80]!a}.")
        if request.method not in READING:
            return Answer(status=405, headers=(("Allow", "GET, HEAD"),))
        time.sleep(site.delay)
        return self.of_site(site, request)

    def own(self, request: Request) -> Answer:
        if request.method == "POST" and request.path in ("/version/1", "/version/2"):
            self.version = int(request.path[-1])
            self.changed = datetime.now(UTC).replace(microsecond=0)
        if request.path in ("/version", "/version/1", "/version/2"):
            return json_answer({"day": self.day.isoformat(), "version": self.version})
        return self.engines.answer(request) or not_found()

    def of_site(self, site: Site, request: Request) -> Answer:
        wanted = {"to-www": f"www.{site.host}", "to-apex": site.host}.get(site.www, request.host)
        if request.host != wanted:
            return redirect(f"http://{wanted}{quote(request.path)}")
        if request.path == "/robots.txt" and (text := robots_txt(site)):
            return Answer(text.encode(), "text/plain; charset=utf-8")
        if request.path == "/sitemap.xml" and (text := sitemap_xml(site, self.day, self.version)):
            return Answer(text.encode(), "application/xml")
        page = page_at(site, request.path, self.version)
        if page is None:
            return not_found()
        time.sleep(page.delay)
        return self.of_page(site, page, request)

    def of_page(self, site: Site, page: Page, request: Request) -> Answer:
        if page.handler:
            return HANDLERS[page.handler](request, page)
        if page.redirect:
            return redirect(page.redirect, page.status if page.status in range(300, 400) else 302)
        charset = page.charset or site.charset
        body = text_of(site, page, self.day).encode(charset, "xmlcharrefreplace")
        said = next((said for said in (page.says, site.says) if said is not None), charset)
        answer = Answer(body, f"{page.type}; charset={said}" if said else page.type, page.status)
        return conditional(answer, self.changed_at(page), request) if page.status == HTTPStatus.OK else answer

    def changed_at(self, page: Page) -> datetime:
        if self.version > 1 and is_newer(page):
            return self.changed
        return in_sofia(last_changed(page, self.day, self.version), clock(6))


def page_at(site: Site, path: str, version: int) -> Page | None:
    """Return the page with this path, else the nearest page above it with a handler."""
    exact = [page for page in site.pages if page.path == path]
    above = [page for page in site.pages if page.handler and path.startswith(page.path)]
    found = exact or sorted(above, key=lambda page: -len(page.path))
    return page_in(found[0], version) if found else None


def conditional(answer: Answer, changed: datetime, request: Request) -> Answer:
    """Return 304 if the client has the page; the ETag is checked first, as in RFC 9110."""
    etag = f'"{sha256(answer.body).hexdigest()[:20]}"'
    headers = (("ETag", etag), ("Last-Modified", format_datetime(changed.astimezone(UTC), usegmt=True)))
    if known := request.headers.get("if-none-match"):
        fresh = known.strip() == "*" or etag in [each.strip().removeprefix("W/") for each in known.split(",")]
    else:
        fresh = not_changed_since(request.headers.get("if-modified-since", ""), changed)
    body, status = (b"", 304) if fresh else (answer.body, answer.status)
    return Answer(body, answer.type, status, headers)


def not_changed_since(text: str, changed: datetime) -> bool:
    try:
        return changed <= parsedate_to_datetime(text)
    except (TypeError, ValueError):  # missing, not a date, or without a time zone
        return False


def request_of(environ: Mapping[str, Any]) -> Request:
    """Return the parsed request: the host without its port, the path decoded."""
    host = str(environ.get("HTTP_HOST", "")).lower()
    headers = {
        name.removeprefix("HTTP_").replace("_", "-").lower(): str(value)
        for name, value in environ.items()
        if name.startswith("HTTP_")
    }
    return Request(
        method=environ["REQUEST_METHOD"],
        host=host if host.endswith("]") else host.rpartition(":")[0] or host,
        path=environ.get("PATH_INFO", "/").encode("latin-1", "replace").decode("utf-8", "replace") or "/",
        query=dict(parse_qsl(environ.get("QUERY_STRING", ""), keep_blank_values=True)),
        headers=headers,
    )


def from_environment() -> SampleWeb:
    day = os.environ.get("GLEANERY_DEMO_DAY")
    version = os.environ.get("GLEANERY_DEMO_VERSION", "1")
    if version not in ("1", "2"):
        raise ValueError(f"GLEANERY_DEMO_VERSION is {version!r}; use 1 or 2.")
    return SampleWeb(
        date.fromisoformat(day) if day else datetime.now().astimezone().date(),
        int(version),
        os.environ.get("GLEANERY_DEMO_FAULTS", ""),
    )


application = from_environment()
