"""Names of the kinds of record for visitors. Pure but for the language."""

from __future__ import annotations

from typing import Final, NamedTuple

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _


class KindWords(NamedTuple):
    one: str | Promise
    many: str | Promise
    type_name: str  # at schema.org


KIND_WORDS: Final[dict[str, KindWords]] = {
    "event": KindWords(_("Event"), _("Events"), "Event"),
    "funding": KindWords(_("Funding"), _("Funding"), "MonetaryGrant"),
    "service": KindWords(_("Help"), _("Help"), "Service"),
    "opportunity": KindWords(_("Take part"), _("Take part"), "Thing"),
    "place": KindWords(_("Place"), _("Places"), "Place"),
    "organization": KindWords(_("Organisation"), _("Organisations"), "Organization"),
}
# What a field is called where it is said who told it.
FIELD_WORDS: Final[dict[str, str | Promise]] = {
    "name": _("name"),
    "start": _("time"),
    "end": _("time"),
    "occurrences": _("time"),
    "deadline": _("deadline"),
    "description": _("description"),
    "venue_name": _("place"),
    "address": _("address"),
    "locality": _("address"),
    "cost": _("cost"),
    "is_accessible_for_free": _("cost"),
    "amount_min": _("amount"),
    "amount_max": _("amount"),
    "eligibility": _("for whom"),
    "organizer_name": _("organiser"),
    "funder_name": _("funder"),
    "provider_name": _("provider"),
    "opening_hours": _("opening hours"),
}
EVENT_STATUS: Final[tuple[tuple[str, str | Promise], ...]] = (
    ("cancel", _("cancelled")),
    ("postpone", _("postponed")),
    ("reschedul", _("new date")),
)
