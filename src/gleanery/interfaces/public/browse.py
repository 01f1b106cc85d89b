"""The start page and the search: what is published as a list, as a month of days and as a map."""

from __future__ import annotations

from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import conditional_page, require_safe

from gleanery.interfaces.public.language import in_their_language
from gleanery.interfaces.public.records import FRESH
from gleanery.publishing.search import facets, statements
from gleanery.publishing.search.chips import chips, language_name, offers
from gleanery.publishing.search.drawing import HIGH, WIDE
from gleanery.publishing.search.filters import DISTANCES, SORTS, Filters, read
from gleanery.publishing.search.front import front_kept
from gleanery.publishing.search.map import map_of
from gleanery.publishing.search.month import month, month_named
from gleanery.publishing.search.positions import located
from gleanery.publishing.showing.cards import card
from gleanery.publishing.showing.kinds import KIND_WORDS

# The fields of the form beside the hits; all else goes along with it.
IN_THE_FORM = ("from", "to", "deadline", "near", "within", "topic", "language", "sort", "when")


@require_safe
@conditional_page
@in_their_language
def home(request: HttpRequest) -> HttpResponse:
    shown = front_kept(timezone.now().date())
    return _fresh(render(request, "public/home.html", {"front": shown, "filters": Filters()}))


@require_safe
@conditional_page
@in_their_language
def search(request: HttpRequest) -> HttpResponse:
    today = timezone.now().date()
    filters = located(read(request.GET))
    cursor = request.GET.get("cursor", "")[:1000]
    hits = statements.search(filters, today, cursor)
    languages = dict.fromkeys([*facets.languages_of(filters, today), *filter(None, [filters.language])])
    shown = {
        **_around(filters, "search"),
        "hits": hits,
        "cards": [card(each, today) for each in hits.rows],
        "kinds": [
            (KIND_WORDS[kind].many, count, filters.address(kind="" if kind == filters.kind else kind), kind)
            for kind, count in hits.kinds
        ],
        "towns": [
            (town.name, town.many, filters.address(place="" if town.is_asked else town.name), town.is_asked)
            for town in hits.towns
        ],
        "languages_there": [(code, language_name(code)) for code in languages],
        "distances": DISTANCES,
        "sorts": [(code, words) for code, words in SORTS.items() if _is_possible(code, filters)],
        "following": f"{filters.address()}&cursor={hits.next_cursor}" if hits.next_cursor else "",
        "is_first": not cursor,
    }
    return _fresh(render(request, "public/search.html", shown))


@require_safe
@conditional_page
@in_their_language
def calendar(request: HttpRequest) -> HttpResponse:
    """A month of events; without JavaScript and on a small screen a list of its days."""
    today = timezone.now().date()
    filters = located(read(request.GET))
    shown = month(filters, month_named(request.GET.get("month", ""), today), today)
    others = filters.address(kind="", when="", first=None, last=None, deadline=None, sort="")
    return _fresh(
        render(
            request,
            "public/calendar.html",
            {
                **_around(filters, "month"),
                "month": shown,
                "today": today,
                "others": others and f"&{others}",
                "also": f"&month={shown.first:%Y-%m}",
            },
        )
    )


@require_safe
@conditional_page
@in_their_language
def on_map(request: HttpRequest) -> HttpResponse:
    filters = located(read(request.GET))
    shown = map_of(filters, timezone.now().date())
    size = {"wide": WIDE, "high": HIGH}
    return _fresh(render(request, "public/map.html", {**_around(filters, "map"), "map": shown, "size": size}))


def _around(filters: Filters, view: str) -> dict[str, Any]:
    """Context that the list, the month and the map share: filters, and links to one another."""
    topics = facets.topics()
    views = (("search", _("List")), ("month", _("Month")), ("map", _("Map")))
    address = filters.address()
    return {
        "filters": filters,
        "chips": chips(filters, topics),
        "offers": offers(filters),
        "topics": topics.items() if len(topics) > 1 or filters.topic else (),
        "carried": [each for each in filters.parts().items() if each[0] != "q"],
        "carried_by_form": [each for each in filters.parts().items() if each[0] not in IN_THE_FORM],
        "views": [
            (words, f"{reverse(name)}?{address}" if address else reverse(name), name == view) for name, words in views
        ],
        "unknown_place": filters.near if filters.near and filters.position is None else "",
    }


def _is_possible(sort: str, filters: Filters) -> bool:
    return {"best": bool(filters.q), "near": filters.position is not None}.get(sort, True)


def _fresh(answer: HttpResponse) -> HttpResponse:
    answer["Cache-Control"] = FRESH
    return answer
