"""Facts that a visitor needs first, a line each: when, until when, where, how much, for whom, by whom."""

from __future__ import annotations

from collections.abc import Callable
from datetime import date
from typing import Any, NamedTuple

from django.utils.functional import Promise
from django.utils.translation import get_language, get_language_info, ngettext
from django.utils.translation import gettext as _

from gleanery.publishing.showing import moments
from gleanery.publishing.showing.addresses import host_of, path_of, safe_link
from gleanery.publishing.showing.kinds import EVENT_STATUS
from gleanery.publishing.showing.moments import Clocks
from gleanery.publishing.showing.reading import Published

SIGNS = {"GBP": "£", "EUR": "€", "USD": "$"}
LONGEST_LINE = 300
MAP = "https://www.openstreetmap.org/"


class Fact(NamedTuple):
    code: str  # names its icon
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
    """Clocks of the record's country, else of the country of its place or organisation."""
    named = (each.fields for each in (of.place, of.organization) if each is not None)
    country = next(filter(None, map(country_of, (of.fields, *named))), "")
    return Clocks([of.fields, *(each.payload for each in of.said)], country)


def _when(of: Published, today: date) -> Fact | None:
    if not of.spans:
        return None
    clocks = clocks_of(of)
    spans = [(clocks.at(start), clocks.at(end) if end else None) for start, end in of.spans]
    coming = [each for each in spans if (each[1] or each[0]).day >= today]
    start, end = coming[0] if coming else spans[-1]
    note = moments.told_distance(start.day, today) if coming else _("this is over")
    notes = filter(None, (note, moments.told_zone(start), _more(len(coming) - 1)))
    return Fact("when", _("When"), moments.told_span(start, end), " · ".join(notes))


def _more(dates: int) -> str:
    if dates < 1:
        return ""
    return ngettext("and one more date", "and %(n)s more dates", dates) % {"n": dates}


def _closes(of: Published, today: date) -> Fact | None:
    deadline = moments.there(of.fields.get("deadline"), country_of(of.fields))
    if deadline is None:
        return None
    note = _("this is over") if deadline.day < today else moments.told_distance(deadline.day, today)
    notes = filter(None, (note, moments.told_zone(deadline)))
    return Fact("closes", _("Closes"), moments.told_span(deadline, None), " · ".join(notes))


def _where(of: Published, today: date) -> Fact | None:
    fields = of.fields
    address = ", ".join(dict.fromkeys(str(fields[key]) for key in ("address", "locality", "region") if fields.get(key)))
    if of.place is not None:
        return Fact("where", _("Where"), of.place.name, address, path_of(of.place.pk, of.place.name))
    if venue := str(fields.get("venue_name") or ""):
        return Fact("where", _("Where"), venue, address)
    return Fact("where", _("Where"), address) if address else None


def _online(of: Published, today: date) -> Fact | None:
    link = safe_link(of.fields.get("virtual_url"))
    if link:
        return Fact("online", _("Online"), host_of(link), url=link)
    is_online = "online" in str(of.fields.get("attendance_mode") or "").casefold()
    return Fact("online", _("Where"), _("Online")) if is_online else None


def _cost(of: Published, today: date) -> Fact | None:
    text = amount(of.fields) or cost(of.fields)
    return Fact("cost", _("Amount") if of.record.kind == "funding" else _("Cost"), text) if text else None


def _whom(of: Published, today: date) -> Fact | None:
    text = str(of.fields.get("eligibility") or "")
    return Fact("whom", _("For whom"), _shortened(text)) if text else None


def _hours(of: Published, today: date) -> Fact | None:
    text = str(of.fields.get("opening_hours") or "")
    return Fact("closes", _("Open"), _shortened(text)) if text else None


def _work(of: Published, today: date) -> Fact | None:
    text = str(of.fields.get("employment_type") or "")
    return Fact("about", _("Kind of work"), _shortened(text)) if text else None


def _by(of: Published, today: date) -> Fact | None:
    if of.organization is not None:
        return Fact("by-whom", _("By"), of.organization.name, link=path_of(of.organization.pk, of.organization.name))
    names = (of.fields.get(f"{role}_name") for role in ("organizer", "funder", "provider"))
    return next((Fact("by-whom", _("By"), str(name)) for name in names if name), None)


def _language(of: Published, today: date) -> Fact | None:
    """Only what a visitor who reads this page would not expect."""
    code = str(of.fields.get("in_language") or "").casefold().partition("-")[0]
    if not code or code == get_language():
        return None
    try:
        return Fact("about", _("Language"), get_language_info(code)["name_translated"])
    except KeyError:
        return None


def _legal_name(of: Published, today: date) -> Fact | None:
    name = str(of.fields.get("legal_name") or "")
    return Fact("about", _("Registered as"), name[:LONGEST_LINE]) if name and name != of.record.name else None


FACTS: tuple[Callable[[Published, date], Fact | None], ...] = (
    _when,
    _closes,
    _where,
    _online,
    _hours,
    _cost,
    _whom,
    _by,
    _work,
    _language,
    _legal_name,
)


def website_of(fields: dict[str, Any]) -> str:
    return safe_link(fields.get("url")) or safe_link(fields.get("public_url"))


def map_of(of: Published) -> str:
    """Return the address of a map of the spot, where coordinates of the record or of its place are known."""
    for fields in (of.fields, of.place.fields if of.place is not None else {}):
        lat, lon = fields.get("lat"), fields.get("lon")
        if _is_number(lat) and _is_number(lon):
            return f"{MAP}?mlat={lat:.5f}&mlon={lon:.5f}#map=16/{lat:.5f}/{lon:.5f}"
    return ""


def _is_number(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)


def _shortened(text: str) -> str:
    return text if len(text) <= LONGEST_LINE else text[:LONGEST_LINE] + "…"


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
    if not _is_number(value):
        return ""
    text = f"{value:,.0f}" if float(value).is_integer() else f"{value:,.2f}"
    return SIGNS[currency] + text if currency in SIGNS else f"{text} {currency}".strip()


def status_of(fields: dict[str, Any]) -> str | Promise:
    """Return "cancelled" or the like; nothing where all goes as planned."""
    status = str(fields.get("event_status") or "").casefold()
    return next((words for part, words in EVENT_STATUS if part in status), "")
