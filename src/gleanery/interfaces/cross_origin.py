"""Open data for scripts of other sites: which addresses they may read, and nothing but reading."""

from __future__ import annotations

from collections.abc import Callable
from http import HTTPStatus

from django.http import HttpRequest, HttpResponse

# What is the same for everybody. The console, forms and keys stay with their own site.
OPEN = ("/api/v1/records", "/api/v1/changes", "/api/v1/openapi.json", "/feeds/", "/data/", "/hsds/", "/common-grants/")
METHODS = "GET, HEAD, OPTIONS"
ANYBODY = {
    "Access-Control-Allow-Origin": "*",
    "Access-Control-Expose-Headers": "Content-Disposition, ETag, Last-Modified, Link, Location, Retry-After",
}
# A browser asks this before a request that is more than a plain GET. Keys are not among the headers.
PREFLIGHT = {
    **ANYBODY,
    "Access-Control-Allow-Methods": METHODS,
    "Access-Control-Allow-Headers": "Accept, Accept-Language, If-Modified-Since, If-None-Match",
    "Access-Control-Max-Age": "86400",
    "Allow": METHODS,
}


class CrossOrigin:
    """Middleware: lets scripts of any site read open data; answers HEAD where a route knows only GET."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        if not is_open(request.path):
            return self.get_response(request)
        if request.method == "OPTIONS":
            return HttpResponse(status=HTTPStatus.NO_CONTENT, headers=PREFLIGHT)
        response = self._head(request) if request.method == "HEAD" else self.get_response(request)
        for name, value in ANYBODY.items():
            response.setdefault(name, value)
        return response

    def _head(self, request: HttpRequest) -> HttpResponse:
        """The answer to a GET, without its body."""
        request.method = "GET"
        response = self.get_response(request)
        request.method = "HEAD"
        if not response.streaming:
            response["Content-Length"] = str(len(response.content))
            response.content = b""
        return response


def is_open(path: str) -> bool:
    return path.startswith(OPEN) or path.endswith(".ics")
