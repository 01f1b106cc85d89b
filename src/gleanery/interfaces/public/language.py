"""Language and time zone of a page: the visitor's choice, else what their browser asks for, else the site's."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import Concatenate, ParamSpec

from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.utils import timezone, translation
from django.utils.cache import patch_vary_headers
from django.utils.http import url_has_allowed_host_and_scheme
from django.utils.translation.trans_real import parse_accept_lang_header
from django.views.decorators.http import require_safe

from gleanery.interfaces.public.context import site_of
from gleanery.publishing.site.languages import LANGUAGES

COOKIE = "language"
A_YEAR = 365 * 24 * 60 * 60
P = ParamSpec("P")
View = Callable[Concatenate[HttpRequest, P], HttpResponse]


def chosen(request: HttpRequest) -> str:
    if (own := request.COOKIES.get(COOKIE, "")) in LANGUAGES:
        return own
    asked = (language for language, _ in parse_accept_lang_header(request.headers.get("Accept-Language", "")))
    return next((base for each in asked if (base := each.partition("-")[0]) in LANGUAGES), "") or (
        site_of(request).language
    )


def in_their_language(view: View[P]) -> View[P]:
    @wraps(view)
    def wrapped(request: HttpRequest, /, *args: P.args, **kwargs: P.kwargs) -> HttpResponse:
        with translation.override(chosen(request)), timezone.override(site_of(request).zone):
            answer = view(request, *args, **kwargs)
        patch_vary_headers(answer, ("Accept-Language", "Cookie"))
        return answer

    return wrapped


@require_safe
def choose(request: HttpRequest, language: str) -> HttpResponse:
    """Keep the choice, and go back to where the visitor was; never to another site."""
    back = request.GET.get("next", "")
    if not url_has_allowed_host_and_scheme(back, allowed_hosts=None):
        back = "/"
    answer = HttpResponseRedirect(back)
    answer["Cache-Control"] = "no-store"
    if language in LANGUAGES:
        answer.set_cookie(COOKIE, language, max_age=A_YEAR, httponly=True, samesite="Lax", secure=request.is_secure())
    return answer
