"""The start page and the search: lists of what is published."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils import timezone
from django.views.decorators.http import conditional_page, require_safe

from gleanery.interfaces.public.language import in_their_language
from gleanery.interfaces.public.records import FRESH
from gleanery.publishing.search import statements
from gleanery.publishing.search.filters import PERIODS, SORTS, Filters, read
from gleanery.publishing.search.front import front
from gleanery.publishing.showing.cards import card
from gleanery.publishing.showing.kinds import KIND_WORDS


@require_safe
@conditional_page
@in_their_language
def home(request: HttpRequest) -> HttpResponse:
    shown = front(timezone.now().date())
    answer = render(request, "public/home.html", {"front": shown, "filters": Filters()})
    answer["Cache-Control"] = FRESH
    return answer


@require_safe
@conditional_page
@in_their_language
def search(request: HttpRequest) -> HttpResponse:
    today = timezone.now().date()
    filters = read(request.GET)
    cursor = request.GET.get("cursor", "")[:1000]
    hits = statements.search(filters, today, cursor)
    told = {
        "filters": filters,
        "hits": hits,
        "cards": [card(each, today) for each in hits.rows],
        "kinds": [(k, KIND_WORDS[k].many, count, filters.address(kind=k)) for k, count in hits.kinds],
        "towns": [(town, count, filters.address(place=town), is_asked) for town, count, is_asked in hits.towns],
        "periods": [
            (code, words, filters.address(when=code, first=None, last=None)) for code, (words, _) in PERIODS.items()
        ],
        "sorts": [(code, words) for code, words in SORTS.items() if filters.q or code != "best"],
        "without": _without(filters),
        "following": f"{filters.address()}&cursor={hits.next_cursor}" if hits.next_cursor else "",
        "is_first": not cursor,
    }
    answer = render(request, "public/search.html", told)
    answer["Cache-Control"] = FRESH
    return answer


def _without(filters: Filters) -> dict[str, str]:
    """The address of this search without each of its filters."""
    return {
        "kind": filters.address(kind=""),
        "place": filters.address(place=""),
        "when": filters.address(when="", first=None, last=None),
        "free": filters.address(free=not filters.free),
        "online": filters.address(online=not filters.online),
        "source": filters.address(source=""),
        "deadline": filters.address(deadline=None),
        "cancelled": filters.address(cancelled=None if filters.cancelled is False else False),
    }
