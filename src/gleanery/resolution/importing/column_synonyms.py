"""Synonyms of column names, as people write them in table headers, with the field that each means. Pure."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import lru_cache
from typing import Final

from gleanery.matching import normal

# Case, accents and punctuation are ignored. Names that could well mean something else are left out.
SYNONYMS: Final[Mapping[str, str]] = {
    "name": "title, nom, име, наименование, название, bezeichnung",
    "description": "details, описание, beschreibung",
    "url": "website, web, web site, web page, webpage, web address, website url, website address, link, homepage, "
    "home page, сайт, уебсайт, уеб сайт, линк, webseite, site web, site internet, lien",
    "keywords": "tags",
    "address": "street, street address, address line 1, address 1, address1, full address, адрес, улица, straße, "
    "anschrift, adresse, rue",
    "locality": "town, city, municipality, town/city, city/town, town or city, град, населено място, ort, stadt, "
    "ville, commune",
    "region": "county, province, област, bundesland, région, département",
    "postal_code": "zip, zip code, zipcode, postcode, post code, postalcode, пощенски код, п.к., plz, postleitzahl, "
    "code postal",
    "country": "държава, land, pays",
    "lat": "latitude, географска ширина",
    "lon": "longitude, lng, long, географска дължина",
    "phone": "tel, tel no, telephone, telephone number, telephone no, phone number, phone no, mobile, mobile number, "
    "mobile phone, contact number, телефон, тел, telefon, telefonnummer, téléphone, tél",
    "email": "e-mail, email address, e-mail address, mail, contact email, имейл, и-мейл, е-мейл, електронна поща, "
    "courriel, e-mail-adresse",
    "start": "start date, starts, starts at, begin, begins, date from, from date, начало, начална дата, beginn, "
    "startdatum, date de début, début",
    "end": "end date, ends, ends at, date to, to date, finish, finish date, край, крайна дата, ende, enddatum, "
    "date de fin, fin",
    "deadline": "closing date, closes, due date, apply by, application deadline, deadline date, краен срок, frist, "
    "bewerbungsfrist, date limite",
    "venue_name": "venue, място на провеждане, veranstaltungsort",
    "organizer_name": "organiser, organizer, organiser name, organised by, organized by, host, hosted by, организатор, "
    "veranstalter, organisateur",
    "funder_name": "funder, donor, foundation, funded by, funding body, донор, фондация, "
    "финансираща организация, fördergeber, financeur",
    "provider_name": "provider, run by, provided by, доставчик, anbieter, prestataire",
    "amount_min": "min amount, minimum amount, amount from, min grant, minimum grant, минимална сума",
    "amount_max": "max amount, maximum amount, amount to, max grant, maximum grant, максимална сума",
    "currency": "валута, währung, devise",
    "cost": "price, fee, цена, preis, prix",
    "opening_hours": "opening times, hours, работно време, öffnungszeiten, horaires",
    "legal_name": "registered name",
}  # fmt: skip

_SOMEBODY: Final = (
    "organisation, organization, organisation name, organization name, charity, charity name, company, "
    "company name, организация"
)
# Synonyms by kind of the rows: "organisation" is the name of an organisation, but the provider of a service.
OF_KIND: Final[Mapping[str, Mapping[str, str]]] = {
    "event": {
        "name": "event, event name, event title, summary, събитие, veranstaltung, événement",
        "region": "state",
        "url": "site",
        "start": "date, event date, date and time, from, дата, datum",
        "end": "to, until",
        "venue_name": "location, място, lieu",
        "organizer_name": _SOMEBODY,
    },
    "funding": {
        "name": "programme, program, scheme, fund, programme name, program name, scheme name, fund name, "
        "grant name, call, програма, programm, förderprogramm, programme de financement",
        "url": "site",
        "locality": "place",
        "funder_name": _SOMEBODY,
    },
    "service": {
        "name": "service, service name, услуга, dienst",
        "region": "state",
        "url": "site",
        "locality": "place",
        "provider_name": _SOMEBODY,
    },
    "opportunity": {
        "name": "role, position, job title, role title, opportunity, vacancy, позиция, длъжност, stelle, poste",
        "url": "site",
        "locality": "place",
        "start": "from",
        "end": "to, until",
        "organizer_name": f"{_SOMEBODY}, employer, работодател",
    },
    "place": {
        "name": "place, place name, venue, venue name, site name, location name, обект",
        "region": "state",
        "official_id": "registration number",
    },
    "organization": {
        "name": f"{_SOMEBODY}, org name, foundation, фондация, verein, association",
        "url": "site",
        "locality": "place",
        "region": "state",
        "official_id": "registration number, registration no, registered number, reg no, charity number, charity no, "
        "registered charity number, company number, company no, company registration number, еик, булстат, siret",
        "founding_date": "founded, established, date founded",
    },
}  # fmt: skip


VAGUE: Final = ("title", "nom", "place", "summary")  # can also be a form of address, a surname, a town


def synonym(kind: str, given: str) -> str:
    """Return the field that a column name means in a file of this kind; "" if none or unclear."""
    return _table(kind).get(_key(given), "")


def doubt(given: str) -> tuple[bool, bool]:
    """Return a sort key for columns that may mean one field, the clearest first: vague names last, "name" first."""
    words = _key(given)
    return words in VAGUE, "name" not in words.split()


def likely_name(kind: str, columns: Iterable[str]) -> str:
    """Return the unknown column that most likely holds the name, by a word in it; "" if there is none."""
    words = {"name", *(each for each, field in _table(kind).items() if field == "name")}
    return next((each for each in columns if words.intersection(_key(each).split())), "")


@lru_cache(maxsize=16)
def _table(kind: str) -> Mapping[str, str]:
    """Return field per synonym; synonyms of the kind override the general ones."""
    lists = (SYNONYMS, OF_KIND.get(kind, {}))
    return {_key(each): field for fields in lists for field, names in fields.items() for each in names.split(",")}


def _key(text: str) -> str:
    return " ".join(normal.words(text))
