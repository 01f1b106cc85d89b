"""Rendering of pages through the views that serve them, as anybody would get them."""

from __future__ import annotations

from http import HTTPStatus
from typing import Any, Final
from urllib.parse import quote

from django.contrib.auth.models import AnonymousUser
from django.http import HttpRequest, HttpResponse, StreamingHttpResponse
from django.http.response import HttpResponseBase
from django.template.loader import render_to_string
from django.test import RequestFactory
from django.urls import NoReverseMatch, ResolverMatch, resolve, reverse
from django.urls.exceptions import Resolver404
from django.utils import translation

from gleanery.publishing.site import presentation

# A place that no page can name otherwise; whole addresses of the copy take its stead.
HERE: Final = "http://localhost:9"
_REQUESTS: Final = RequestFactory(HTTP_HOST="localhost:9")
_SITE: Final = "gleanery.public_site"  # where the context of templates keeps it


def moved(data: bytes, base_url: str) -> bytes:
    """The text with the address of the copy in place of HERE, in links that are written into links as well."""
    for here, there in ((HERE, base_url), (quote(HERE, safe=""), quote(base_url, safe="")), _without_scheme(base_url)):
        data = data.replace(here.encode(), there.encode())
    return data


def _without_scheme(base_url: str) -> tuple[str, str]:
    return HERE.partition(":")[2], base_url.partition(":")[2]  # of webcal://


def match_of(path: str) -> ResolverMatch | None:
    try:
        return resolve(path)
    except Resolver404:
        return None


def path_if_there(name: str) -> str:
    """The address of a route, empty where this version has none of that name."""
    try:
        return reverse(name)
    except NoReverseMatch:
        return ""


class Renderer:
    """Renders pages in the language of the site, which is read once for all of them."""

    def __init__(self) -> None:
        self._site = presentation.current()

    def page(self, path: str) -> bytes | None:
        """Return the response to this address, or None if it is no page."""
        match = match_of(path)
        if match is None:
            return None
        answer = match.func(self._request(path, match), *match.args, **match.kwargs)
        return _content(answer) if answer.status_code == HTTPStatus.OK else None

    def own_page(self, path: str, template: str, context: dict[str, Any]) -> bytes:
        """A page that the live site has not, in the same dress."""
        with translation.override(self._site.language):
            return render_to_string(template, context, request=self._request(path, None)).encode()

    def _request(self, path: str, match: ResolverMatch | None) -> HttpRequest:
        request = _REQUESTS.get(path, headers={"Cookie": f"language={self._site.language}"})
        request.META[_SITE] = self._site
        request.user = AnonymousUser()
        request.resolver_match = match
        return request


def _content(answer: HttpResponseBase) -> bytes:
    if isinstance(answer, HttpResponse):
        return answer.content
    assert isinstance(answer, StreamingHttpResponse)  # noqa: S101  # there is no third kind
    return b"".join(answer)
