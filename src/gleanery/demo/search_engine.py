"""Search engines for the sample web with the response formats of SearXNG and Brave, and simulated faults.

`GLEANERY_DEMO_FAULTS=brave:slow=2,searxng:fail_after=3`: `slow` waits so many seconds, `fail_after` returns status 500
after so many queries, `limit_after` returns the vendor's rate-limit error after so many.
"""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Callable, Mapping
from datetime import date
from typing import Any
from urllib.parse import urlsplit

from gleanery.demo.answer import Answer, Request, json_answer
from gleanery.demo.search_index import Document, marked, search, snippet
from gleanery.demo.sites import ENGINES

SEARXNG_PATH = "/searxng/search"
BRAVE_PATH = "/brave/res/v1/web/search"
PAGE = 10  # results per page of SearXNG
MOST, LAST_PAGE = 20, 9  # of Brave: results per page, last page
LONGEST_QUERY, MOST_WORDS = 400, 50
FAULTS = ("slow", "fail_after", "limit_after")

Faults = Mapping[tuple[str, str], float]


def faults_of(text: str) -> Faults:
    """Parse the faults; raise ValueError for unknown ones, since a misspelt fault must not go unnoticed."""
    faults = {}
    for part in filter(None, (each.strip() for each in text.split(","))):
        engine, _, rest = part.partition(":")
        fault, _, value = rest.partition("=")
        if engine not in ENGINES or fault not in FAULTS:
            raise ValueError(f"GLEANERY_DEMO_FAULTS: {part!r} is not one of {ENGINES}:{FAULTS}=number")
        faults[engine, fault] = float(value)
    return faults


class SearchEngines:
    """Both engines, with a query counter for the faults."""

    def __init__(self, day: date, faults: Faults) -> None:
        self.day = day
        self.faults = faults
        self.asked: Counter[str] = Counter()

    def answer(self, request: Request) -> Answer | None:
        """Return the response to a search, None for other paths."""
        served: dict[str, tuple[str, Callable[[Request], Answer], Answer]] = {
            SEARXNG_PATH: ("searxng", self.searxng, SEARXNG_LIMITED),
            BRAVE_PATH: ("brave", self.brave, BRAVE_LIMITED),
        }
        if request.path not in served:
            return None
        engine, ask, limited = served[request.path]
        self.asked[engine] += 1
        time.sleep(self.faults.get((engine, "slow"), 0))
        if self.asked[engine] > self.faults.get((engine, "fail_after"), float("inf")):
            return Answer(b"<html><h1>500 Internal Server Error</h1></html>", status=500)
        if self.asked[engine] > self.faults.get((engine, "limit_after"), float("inf")):
            return limited
        return ask(request)

    def searxng(self, request: Request) -> Answer:
        query = request.query.get("q", "").strip()
        if not query:
            return Answer(b"No query", "text/plain", 400)
        if request.query.get("format") != "json":
            return Answer(b"Only JSON here", "text/plain", 403)
        page = max(1, number(request.query.get("pageno"), 1))
        found = search("searxng", query, self.day)[(page - 1) * PAGE : page * PAGE]
        results = [
            searxng_result(document, query, place) for place, document in enumerate(found, (page - 1) * PAGE + 1)
        ]
        return json_answer(searxng_body(query, results))

    def brave(self, request: Request) -> Answer:
        if not request.headers.get("x-subscription-token"):
            return brave_error(422, "SUBSCRIPTION_TOKEN_INVALID", "The provided subscription token is invalid.")
        query = request.query.get("q", "").strip()
        size, page = number(request.query.get("count"), MOST), number(request.query.get("offset"), 0)
        fits = 0 < len(query) <= LONGEST_QUERY and len(query.split()) <= MOST_WORDS
        if not (fits and 1 <= size <= MOST and 0 <= page <= LAST_PAGE):
            return brave_error(422, "VALIDATION", "Unable to validate request parameter(s)")
        found = search("brave", query, self.day)
        plain = request.query.get("text_decorations") in ("false", "0")
        results = [brave_result(each, query, plain=plain) for each in found[page * size : (page + 1) * size]]
        return json_answer(brave_body(query, results, more=len(found) > (page + 1) * size), headers=RATE_LIMIT)


def number(text: str | None, default: int) -> int:
    """Return the number, or -1 for an invalid one, which every check refuses."""
    if text is None:
        return default
    return int(text) if text.isascii() and text.isdigit() else -1


def searxng_body(
    query: str, results: list[dict[str, Any]], unresponsive: tuple[tuple[str, str], ...] = ()
) -> dict[str, Any]:
    return {
        "query": query,
        "number_of_results": 0,  # as most instances report
        "results": results,
        "answers": [],
        "corrections": [],
        "infoboxes": [],
        "suggestions": [],
        "unresponsive_engines": [list(pair) for pair in unresponsive],
    }


def searxng_result(document: Document, query: str, place: int) -> dict[str, Any]:
    url = urlsplit(document.url)
    return {
        "url": document.url,
        "title": document.title,
        "content": snippet(document, query),
        "publishedDate": None,
        "thumbnail": "",
        "engine": "duckduckgo",
        "template": "default.html",
        "parsed_url": [url.scheme, url.netloc, url.path, "", url.query, ""],
        "img_src": "",
        "priority": "",
        "engines": ["duckduckgo"],
        "positions": [place],
        "score": round(1 / place, 4),
        "category": "general",
    }


def brave_body(query: str, results: list[dict[str, Any]], *, more: bool) -> dict[str, Any]:
    body: dict[str, Any] = {
        "query": {"original": query, "is_navigational": False, "spellcheck_off": True, "more_results_available": more},
        "mixed": {"type": "mixed", "main": [{"type": "web", "index": i, "all": False} for i in range(len(results))]},
        "type": "search",
    }
    # Without results, Brave leaves the key out.
    return {**body, "web": {"type": "search", "results": results, "family_friendly": True}} if results else body


def brave_result(document: Document, query: str, *, plain: bool) -> dict[str, Any]:
    url = urlsplit(document.url)
    text = snippet(document, query)
    return {
        "title": document.title,
        "url": document.url,
        "is_source_local": False,
        "is_source_both": False,
        "description": text if plain else marked(text, query),
        "profile": {"name": document.site, "url": document.url, "long_name": url.netloc, "img": ""},
        "language": document.language,
        "family_friendly": True,
        "type": "search_result",
        "subtype": "generic",
        "meta_url": {
            "scheme": url.scheme,
            "netloc": url.netloc,
            "hostname": url.netloc,
            "favicon": "",
            "path": "› " + url.path,
        },
    }


def brave_error(status: int, code: str, detail: str, meta: dict[str, Any] | None = None) -> Answer:
    error = {"id": "demo", "status": status, "code": code, "detail": detail, "meta": meta or {}}
    return json_answer({"type": "ErrorResponse", "error": error, "time": 0}, status, RATE_LIMIT)


RATE_LIMIT = (
    ("X-RateLimit-Limit", "1, 15000"),
    ("X-RateLimit-Policy", "1;w=1, 15000;w=2592000"),
    ("X-RateLimit-Remaining", "1, 14000"),
    ("X-RateLimit-Reset", "1, 1419704"),
)
QUOTA = {"plan": "Free", "rate_limit": 1, "rate_current": 0, "quota_limit": 15000, "quota_current": 15000}
BRAVE_LIMITED = brave_error(429, "RATE_LIMITED", "Request rate limit exceeded for plan.", QUOTA)
SEARXNG_LIMITED = json_answer(searxng_body("", [], (("duckduckgo", "too many requests"), ("brave", "CAPTCHA"))))
