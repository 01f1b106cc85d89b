"""What speaks for and against two being one, in sentences that need no explanation. Pure."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

from gleanery.resolution.identity import distance
from gleanery.resolution.matches.names import name
from gleanery.resolution.matches.traits import RUN_BY, Traits, traits

LONGEST = 120
NEAR_ENOUGH = 1_000  # metres; beyond, kilometres are told
Fields = Mapping[str, Any]


class Side(NamedTuple):
    """One of the two, as it is written and as it is compared."""

    fields: Fields
    traits: Traits


def side(kind: str, fields: Fields, place: str | None = None, organization: str | None = None) -> Side:
    return Side(fields, traits(kind, fields, place=place, organization=organization))


# The values of both follow, unless there are none to show.
SENTENCES: Mapping[tuple[str, str], str] = {
    ("name", "same"): "The names are the same, but for spelling and order",
    ("name", "close"): "The names are the same but for a word or a slip",
    ("name", "meaning"): "The names say the same in other words, or in another language",
    ("name", "title"): "The title in quotation marks is the same",
    ("name", "part"): "One name is part of the other",
    ("name", "alike"): "The names have most of their telling words in common",
    ("name", "generic"): "One name says only what sort of thing it is, and the other says so too",
    ("name", "some"): "The names have a word in common, and more that is not",
    ("name", "other"): "The names have hardly anything in common",
    ("name", "translated"): "The names are in two languages, with a word in common or for the same sort of thing",
    ("name", "foreign"): "The names are not alike, but they are in two languages: the other fields decide",
    ("name", "unplaced"): "The names are not alike, and nothing else tells that both are at one place or by one owner",
    ("name", "initials"): "One is called by the initials of the other",
    ("telling", "sole_in_town"): "Hardly anybody else has this name, and they are in one town",
    ("telling", "sole"): "Hardly anybody else has this name",
    ("telling", "much"): "The words in common are rare: that is hardly chance",
    ("telling", "little"): "Only words that very many names have are in common",
    ("number", "same"): "Both names have the same number",
    ("number", "other"): "The names have different numbers",
    ("number", "one"): "Only one of the names has a number: it may be one of several",
    ("sort", "same"): "Both names say that it is the same sort of thing",
    ("sort", "some"): "By their names they are partly the same sort of thing",
    ("sort", "more"): "Only one name says what sort of thing it is",
    ("sort", "further"): "One name has a further sort of thing: a hotel's restaurant is not the hotel",
    (
        "sort",
        "inner",
    ): "By their names one is a place to eat or drink, the other is not: a hotel and its restaurant",
    ("sort", "other"): "By their names they are different sorts of things",
    ("sort", "dependent"): "By their names one belongs to the other, as its friends or a ward do",
    ("sort", "within"): "By its name one is within or beside the other, as a museum's café is",
    ("rest", "none"): "No telling word of either name is left over",
    ("rest", "one"): "One of the names has words more",
    ("rest", "swap"): "Each name has a word of every day where the other has another, as school and adult education do",
    ("rest", "word"): "At one place of the names each has another word, as the funds of two wind farms do",
    ("rest", "parts"): "Both names begin with one headline, and go on with two different things",
    ("rest", "own"): "Each name tells where it is or by whom, and these are two",
    ("rest", "both"): "Each name has words of its own where the other has others",
    ("contrast", "other"): "The names set them apart, as old and new, children and adults or two halls of a house do",
    ("address", "same"): "Street and house number agree",
    ("address", "also"): "Street and house number agree too, as they do where the venue or the spot is the same",
    ("address", "desk"): "Street and house number agree, as those of all that one desk offers do",
    ("address", "crowd"): "Street and house number agree, but many others are there too",
    ("address", "street"): "It is one street, but only one of them tells a house number, or neither",
    ("address", "other_street"): "The streets differ, and not both tell a house number",
    ("address", "number"): "The house number is the same, the street is called differently",
    ("address", "house"): "The house numbers differ",
    ("address", "other"): "The addresses differ",
    ("unit", "same"): "It is the same door of the building",
    ("unit", "other"): "They are different doors of a building",
    ("town", "same"): "They are in one town",
    ("town", "other"): "The towns differ, though something else places them together: one may be a suburb",
    ("town", "away"): "The towns differ, and nothing else places them together",
    ("postal_code", "same"): "The postal code is the same",
    ("postal_code", "also"): "The postal code agrees too, as it does at one address",
    ("postal_code", "near"): "The postal codes are neighbours",
    ("postal_code", "other"): "The postal codes differ",
    ("country", "other"): "They are in different countries",
    ("distance", "here"): "They are at one spot",
    ("distance", "near"): "They are close to each other",
    ("distance", "also"): "They are at one spot too, as is to be expected at one address",
    ("distance", "walk"): "They are within a walk of each other",
    ("distance", "far"): "They are far from each other",
    ("distance", "away"): "They are in different places altogether",
    ("phone", "same"): "They have the same phone",
    ("phone", "local"): "The one phone is the end of the other, as within a town",
    ("phone", "also"): "The phone is the same too, as it is where one organisation answers for both",
    ("phone", "desk"): "They have the same phone, as all has that one desk offers",
    ("phone", "crowd"): "They have the same phone, but many others have it too",
    ("phone", "other"): "The phones differ",
    ("site", "page"): "They have the very same web page",
    ("site", "same"): "They have the same web site",
    ("site", "pages"): "They have different pages of one web site, which may tell of it in two languages",
    ("site", "apart"): "They have different pages of one web site, as different things have",
    ("site", "also"): "The web site is the same too, as it is where one organisation answers for both",
    ("site", "desk"): "They have the same web site, as all has that one desk offers",
    ("site", "other"): "The web sites differ",
    ("email", "same"): "They have the same e-mail address",
    ("email", "also"): "The e-mail address is the same too, as it is on one web page",
    ("email", "desk"): "They have the same e-mail address, as all has that one desk offers",
    ("email", "site"): "Their e-mail addresses are of one organisation",
    ("email", "other"): "The e-mail addresses differ",
    ("official_id", "same"): "They have the same official number",
    ("official_id", "other"): "The official numbers differ",
    ("venue", "same"): "The venue is the same",
    ("venue", "desk"): "The venue is the same, as that of all that one desk offers is",
    ("venue", "alike"): "The venues have similar names",
    ("venue", "some"): "The venues have a word in common, as a hall and its house may",
    ("venue", "vague"): "One of the venues has no name of its own",
    ("venue", "other"): "The venues differ",
    ("run_by", "same"): "The same organisation is behind both",
    ("run_by", "alike"): "Who is behind them has a similar name, or is named in the other",
    ("run_by", "also"): "The same organisation is behind both, as their phone or site said already",
    ("run_by", "desk"): "The same organisation is behind both, as behind all that one desk offers",
    ("run_by", "other"): "Different organisations are behind them",
    ("run_by", "peer"): "Two organisations of one sort are behind them, as two town councils are",
    ("time", "start"): "They begin at the same time",
    ("time", "near"): "They begin within an hour and a half, as doors and start do",
    ("time", "day"): "They are on one day, and not both tell a time",
    ("time", "hours"): "They are on one day, hours apart",
    ("time", "night"): "They are around one midnight",
    ("time", "span"): "One falls within the days of the other",
    ("time", "inside"): "One takes some hours of what lasts for days, as a workshop of a festival does",
    ("time", "other"): "They are on different days",
    ("deadline", "rare"): "The deadline is the same, and on a day that few choose",
    ("deadline", "same"): "The deadline is the same",
    ("deadline", "also"): "The deadline is the same, as that of two calls of one funder often is",
    ("deadline", "near"): "The deadlines are within 45 days: it may have been extended",
    ("deadline", "other"): "The deadlines are far apart",
    ("founded", "same"): "They were founded in one year",
    ("founded", "other"): "They were founded in different years",
    ("region", "same"): "The region is the same",
    ("region", "other"): "The regions differ",
    ("hours", "same"): "They are open at the same hours",
    ("hours", "desk"): "They are open at the same hours, as all is that one desk offers",
    ("hours", "some"): "They are open at some of the same hours",
    ("hours", "other"): "They are open at different hours",
    ("whom", "same"): "They are for the same people",
    ("whom", "other"): "They are for different people",
    ("about", "most"): "What is told of them has much in common",
    ("about", "much"): "What is told of them has three words in common",
    ("about", "some"): "What is told of them has two words in common",
    ("about", "little"): "What is told of them has a word in common",
    ("about", "also"): "What is told of them is alike, as it is of a series, of a chain, or of very many others",
    ("about", "none"): "What is told of them has nothing in common",
    ("year", "same"): "They are of one year",
    ("year", "other"): "They are of different years",
    ("amount", "rare"): "The amount is the same, and one that few have",
    ("amount", "same"): "The amount is the same",
    ("amount", "also"): "The amount is the same, as that of two calls of one funder often is",
    ("amount", "currency"): "The amounts are in different currencies",
    ("amount", "other"): "The amounts differ",
}
VETOES: Mapping[str, str] = {
    "house number": "Another house number",
    "street": "Another street",
    "date": "Another date",
    "official id": "Another official number",
    "distance": "The distance between them",
    "country": "Another country",
    "number in the name": "Another number in the name",
    "names": "That the names do not agree",
    "sort of thing": "Another sort of thing by the names",
    "contrast in the names": "What sets the names apart",
    "nothing beside the name": "That little but the names agrees",
    "more in one name": "That the one name says more, as that of a part of it would,",
}


def sentence(field: str, level: str, one: Side, other: Side, because: str = "") -> str:
    """`because` stands in for a level that has no sentence of its own."""
    said = SENTENCES.get((field, level)) or f"{field.replace('_', ' ').capitalize()}: {because or level}"
    if field == "distance":
        return f"{said}{_apart(one.fields, other.fields)}."
    here, there = (_shown(field, level, each) for each in (one, other))
    if not here or not there:
        return f"{said}."
    return f"{said}: {here}." if here == there else f"{said}: {here} and {there}."


def veto_sentence(veto: str) -> str:
    said = VETOES.get(veto, veto.capitalize())
    return f"{said} keeps them from being merged unasked: only a person may say that they are one."


def _apart(one: Fields, other: Fields) -> str:
    metres = distance(one, other)
    if metres is None:
        return ""
    far = f"{metres:.0f} m" if metres < NEAR_ENOUGH else f"{metres / 1000:.1f} km"
    return f": {far} between them"


def _shown(field: str, level: str, one: Side) -> str:
    show = SHOWN.get((field, level)) or SHOWN.get((field, ""))
    text = " ".join(str(show(one) or "").split()).rstrip(".") if show else ""
    return text if len(text) <= LONGEST else f"{text[: LONGEST - 1]}…"


def _of(field: str) -> Callable[[Side], Any]:
    return lambda one: one.fields.get(field)


def _run_by(one: Side) -> Any:
    return one.fields.get(f"{RUN_BY.get(one.traits.kind, '')}_name")


def _amount(one: Side) -> str:
    amount = one.traits.most if one.traits.most is not None else one.traits.least
    return "" if amount is None else f"{amount:,.0f} {one.traits.currency}"


def _quoted(one: Side) -> str:
    return f"“{one.fields['name']}”" if one.fields.get("name") else ""


# By field and level; "" stands for any level.
SHOWN: Mapping[tuple[str, str], Callable[[Side], Any]] = {
    ("name", ""): _quoted,
    ("number", ""): lambda one: ", ".join(sorted(name(one.traits.name).numbers)),
    ("sort", ""): lambda one: ", ".join(sorted(name(one.traits.name).sorts)),
    ("address", ""): _of("address"),
    ("address", "house"): lambda one: one.traits.house,
    ("unit", ""): lambda one: one.traits.unit,
    ("town", ""): _of("locality"),
    ("postal_code", ""): lambda one: one.fields.get("postal_code") or one.traits.postal_code,
    ("country", ""): _of("country"),
    ("phone", ""): _of("phone"),
    ("site", ""): lambda one: one.traits.site,
    ("site", "page"): lambda one: one.traits.page,
    ("email", ""): _of("email"),
    ("official_id", ""): _of("official_id"),
    ("venue", ""): _of("venue_name"),
    ("run_by", ""): _run_by,
    ("time", ""): lambda one: str(one.fields.get("start") or "").replace("T", " "),
    ("deadline", ""): lambda one: one.traits.deadline,
    ("region", ""): _of("region"),
    ("year", ""): lambda one: one.traits.year,
    ("amount", ""): _amount,
    ("about", ""): lambda one: one.fields.get("description") or _quoted(one),
}
