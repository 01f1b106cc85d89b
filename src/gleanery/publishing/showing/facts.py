"""What a visitor needs first of a record, each in one line: when, until when, where, how much, for whom, by whom."""

from __future__ import annotations

from collections.abc import Callable
from datetime import date
from typing import Any, NamedTuple

from django.utils.functional import Promise
from django.utils.translation import gettext as _

from gleanery.publishing.showing import moments
from gleanery.publishing.showing.addresses import host_of, path_of, safe_link
from gleanery.publishing.showing.kinds import EVENT_STATUS
from gleanery.publishing.showing.moments import Clocks
from gleanery.publishing.showing.reading import Published

SIGNS = {"GBP": "£", "EUR": "€", "USD": "$"}
LONGEST_LINE = 300


class Fact(NamedTuple):
    label: str
    text: str
    note: str = ""
    link: str = ""
    url: str = ""  # leads off the site


def facts(of: Published, today: date) -> list[Fact]:
    return [fact for make in FACTS if (fact := make(of, today))]


def country_of(fields: dict[str, Any]) -> str:
    return str(fields.get("country") or "")


def clocks_of(of: Published) -> Clocks:
    return Clocks([of.fields, *(each.payload for each in of.said)], country_of(of.fields))


def _when(of: Published, today: date) -> Fact | None:
    if not of.spans:
        return None
    clocks = clocks_of(of)
    told = [(clocks.at(start), clocks.at(end) if end else None) for start, end in of.spans]
    start, end = next((each for each in told if (each[1] or each[0]).day >= today), told[-1])
    is_over = (end or start).day < today
    note = _("this is over") if is_over else moments.told_distance(start.day, today)
    zone = moments.told_zone(start)
    return Fact(_("When"), moments.told_span(start, end), " · ".join(filter(None, (note, zone))))


def _closes(of: Published, today: date) -> Fact | None:
    deadline = moments.there(of.fields.get("deadline"), country_of(of.fields))
    if deadline is None:
        return None
    note = _("this is over") if deadline.day < today else moments.told_distance(deadline.day, today)
    return Fact(
        _("Closes"),
        moments.told_span(deadline, None),
        " · ".join(filter(None, (note, moments.told_zone(deadline)))),
    )


def _where(of: Published, today: date) -> Fact | None:
    fields = of.fields
    address = ", ".join(dict.fromkeys(str(fields[key]) for key in ("address", "locality", "region") if fields.get(key)))
    if of.place is not None:
        return Fact(_("Where"), of.place.name, address, path_of(of.place.pk, of.place.name))
    if venue := str(fields.get("venue_name") or ""):
        return Fact(_("Where"), venue, address)
    return Fact(_("Where"), address) if address else None


def _online(of: Published, today: date) -> Fact | None:
    link = safe_link(of.fields.get("virtual_url"))
    return Fact(_("Online"), host_of(link), url=link) if link else None


def _cost(of: Published, today: date) -> Fact | None:
    text = amount(of.fields) or cost(of.fields)
    return Fact(_("Amount") if of.record.kind == "funding" else _("Cost"), text) if text else None


def _whom(of: Published, today: date) -> Fact | None:
    text = str(of.fields.get("eligibility") or "")
    return Fact(_("For whom"), text if len(text) <= LONGEST_LINE else text[:LONGEST_LINE] + "…") if text else None


def _hours(of: Published, today: date) -> Fact | None:
    text = str(of.fields.get("opening_hours") or "")
    return Fact(_("Open"), text[:LONGEST_LINE]) if text else None


def _by(of: Published, today: date) -> Fact | None:
    if of.organization is not None:
        return Fact(_("By"), of.organization.name, link=path_of(of.organization.pk, of.organization.name))
    names = (of.fields.get(f"{role}_name") for role in ("organizer", "funder", "provider"))
    return next((Fact(_("By"), str(name)) for name in names if name), None)


def _website(of: Published, today: date) -> Fact | None:
    link = safe_link(of.fields.get("url")) or safe_link(of.fields.get("public_url"))
    return Fact(_("Website"), host_of(link), url=link) if link else None


FACTS: tuple[Callable[[Published, date], Fact | None], ...] = (
    _when,
    _closes,
    _where,
    _online,
    _hours,
    _cost,
    _whom,
    _by,
    _website,
)


def cost(fields: dict[str, Any]) -> str:
    if fields.get("is_accessible_for_free") is True:
        return _("free")
    return str(fields.get("cost") or "")[:LONGEST_LINE]


def amount(fields: dict[str, Any]) -> str:
    """Return "£500 – £2,000" or "up to £5,000"."""
    least, most = (_money(fields.get(name), str(fields.get("currency") or "")) for name in ("amount_min", "amount_max"))
    if least and most:
        return least if least == most else f"{least} – {most}"
    return _("up to %(sum)s") % {"sum": most} if most else _("from %(sum)s") % {"sum": least} if least else ""


def _money(value: Any, currency: str) -> str:
    if isinstance(value, bool) or not isinstance(value, int | float):
        return ""
    text = f"{value:,.0f}" if float(value).is_integer() else f"{value:,.2f}"
    return SIGNS[currency] + text if currency in SIGNS else f"{text} {currency}".strip()


def status_of(fields: dict[str, Any]) -> str | Promise:
    """Return "cancelled" or the like; nothing where all goes as planned."""
    status = str(fields.get("event_status") or "").casefold()
    return next((words for part, words in EVENT_STATUS if part in status), "")
