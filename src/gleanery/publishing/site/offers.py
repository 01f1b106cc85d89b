"""Offers to programs on the page Data, each with an address; shown where that is served."""

from __future__ import annotations

from typing import Final, NamedTuple

from django.urls import Resolver404, resolve
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _


class Offer(NamedTuple):
    name: str | Promise
    text: str | Promise
    addresses: tuple[str, ...]


OFFERS: Final = (
    Offer(
        _("Calendar"),
        _("Any search as a calendar that a telephone or a mail program keeps up to date (iCalendar)."),
        ("/feeds/calendar.ics",),
    ),
    Offer(_("News feed"), _("What is new in any search, for feed readers (Atom)."), ("/feeds/atom.xml",)),
    Offer(
        _("Downloads"),
        _("All entries of a kind as one file, for spreadsheets and programs."),
        tuple(f"/data/{kind}.{ending}" for kind in ("event", "funding", "service") for ending in ("csv", "jsonl")),
    ),
    Offer(
        _("API"),
        _("Every entry as JSON with its sources; the same filters as the search."),
        ("/api/v1/records",),
    ),
    Offer(
        _("Changes"), _("What was added, changed or taken away, in order."), ("/api/v1/changes", "/feeds/rpde/event")
    ),
    Offer(_("Help and services"), _("Open Referral HSDS 3, for directories of services."), ("/hsds/v3/",)),
    Offer(_("Funding"), _("The CommonGrants protocol, for grant search."), ("/common-grants/opportunities",)),
    Offer(_("Description of the API"), _("All routes in the OpenAPI 3.1 format."), ("/api/v1/openapi.json",)),
    Offer(_("Sitemap"), _("The addresses of all pages, for search engines."), ("/sitemap.xml",)),
)


def offers() -> list[Offer]:
    """Only addresses that this site has."""
    served = (each._replace(addresses=tuple(filter(_is_served, each.addresses))) for each in OFFERS)
    return [each for each in served if each.addresses]


def _is_served(path: str) -> bool:
    try:
        resolve(path)
    except Resolver404:
        return False
    return True
