"""Addresses taken apart as far as is certain: street without its suffix, house number, unit, postal code. Pure."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import NamedTuple

from gleanery.resolution.matches import lexicon
from gleanery.resolution.matches.names import SHORT
from gleanery.resolution.matches.spelling import latin

_KINDS = """
    street st str road rd avenue ave av blvd boulevard blv bvd bd bul bulevard bulevardul lane ln drive dr place pl
    square sq court ct way pkwy parkway highway hwy terrace ter trl trail close crescent cres circle cir row walk
    mews quay wharf strasse weg platz allee gasse ring damm ufer rue chemin allees quai impasse calle c carrer
    avenida avda paseo plaza ronda via viale piazza piazzale corso largo vicolo straat laan plein kade ulica ulitsa
    ul aleja al os osiedle plac cad cadde caddesi cd sok sokak sokagi sk mah mahallesi mh odos leoforos leof strada
    soseaua sos calea gata gatan vagen vej gade gaten veien vei tie katu utca ut rua praca ploshtad zh zhk jk k kv
    kvartal kompleks bl blok no nr n number nomer the of de la le du des der den del di da und and corner cnr at opp
    near next aikste aikstes alameda alee aleea alei alej aleje aleya alley alleya avd avgda avinguda avtopat bairro
    barri barrio bdul bothar boul bulevar bulevarda bulevardat bulevardi bulv bulvar bulwar buurt calcada callejon
    cami caminho camino carretera cartier causeway cesta cetvrt chaussee chem circ circuit cso csway ctra ctvrt
    dzielnica embankment escadas esplanade estrada faubourg fbg ffordd fondamenta frazione fundatura glorieta gracht
    heol iela ielas imp intrarea kaai kadun krantine krt kvart kvartalat ladeira laukums lungomare maantee meydan
    meydani nab naberezhna naberezhnaya nabr nabrezi nabrezie nabrezje nam namesti namestie numarul numer numero
    nummer odvojak osiedla parade pasaj pasaz passage passatge passeig pcta pereulok piata piazzetta placa placeta
    placu plads plass plassen plateia plats platsen plazuela ploscad ploshta ploshtada ploshtadat plostad poligono
    praceta prelungirea promenade prosp prospekt prospekta prov provulok psje pta pza pzza quartier quartiere rambla
    rakpart rda route rte ruelle sentier setaliste shetalishte shose shosse sidlisko sidliste silnice skver skwer
    splaiul sraid steenweg stradela szosa tanav tce terr torg torget torv traversa travesia travessa travessia trg
    trga trida trieda tupik ulice ulici ulicy ulitsata vag vegen vejen vijenac viertel vle vlo vul vulitsi vulitsya
    wijk yolu zaulek zza
"""
KINDS = frozenset(_KINDS.split())
_BETWEEN = "the of de la le du des der den del di da und and at no nr n number nomer numarul numer numero nummer c k al"
_STREETS = KINDS.difference(_BETWEEN.split())
_SIDES = {"north": "n", "south": "s", "east": "e", "west": "w", "northeast": "ne", "northwest": "nw"}
_SIDES |= {"southeast": "se", "southwest": "sw"}
SIDES = frozenset(_SIDES) | frozenset(_SIDES.values())
_UNIT = re.compile(
    r"(?:\b(?:suite|ste|unit|apartment|apt|room|rm|floor|flr|fl|bldg|building|shop|level|lvl|etage|stock|piso|etaj|ap|"
    r"ет|етаж|ап|вх|вход|офис|стая|lok|lokal|local|kat|d)\b\.?|#)\s*№?\s*([\w-]+)|\b(\d+)(?:st|nd|rd|th)\s+(?:floor|fl)\b",
    re.IGNORECASE,
)
_IN_BRACKETS = re.compile(r"\([^)]*\)")
_HOUSE = re.compile(
    r"(?<![\w])\d{1,5}(?:[a-zа-я](?!\w)|\s[a-zа-я]$)?(?:\s?[-–/]\s?\d{1,5}(?:[a-zа-я](?!\w))?)?(?!\w)", re.IGNORECASE
)
_POSTAL = re.compile(r"(?<!\w)(\d{5})(?:-\d{4})?\s*$")
_PARTED = re.compile(r"[,;\n]|(?<!\d)\s[-–—]\s|\s[-–—]\s(?!\d{1,4}\b)")  # "12 - 14" is a range of numbers
_NAMED, _STREET = re.compile(r"[^\W\d]{3}"), re.compile(r"[^\W\d]{2}|\d(?:st|nd|rd|th)")
_COMPOUND = re.compile(r"(?<=\w{4})(?:strasse|straat|gatan|vagen|gade|utca|str)$")
_DIGIT = re.compile(r"\d")
MOST_WORDS = 4


class Address(NamedTuple):
    street: str = ""
    house: str = ""
    unit: str = ""
    postal_code: str = ""


@lru_cache(maxsize=65_536)
def split_address(text: str, locality: str = "") -> Address:
    if not text:
        return Address()
    text = _IN_BRACKETS.sub(" ", text)
    postal = _POSTAL.search(text)
    unit = _UNIT.search(text)
    bare = _UNIT.sub(" , ", text)
    if postal:
        bare = _POSTAL.sub("", bare)
    house, street = _house(_part([part.strip() for part in _PARTED.split(bare) if part.strip()]))
    return Address(
        _street(street, set(latin(locality))),
        house,
        "".join(latin((unit[1] or unit[2]) if unit else "")),
        postal[1] if postal else "",
    )


@lru_cache(maxsize=65_536)
def named_house(text: str) -> str:
    """What an address begins with, if it has more, and that is no street: The Crown Hotel, High Street."""
    parts = [part for each in _PARTED.split(text) if (part := each.strip())]
    houses = (part for part in parts[:2] if not _DIGIT.search(part) and _STREETS.isdisjoint(latin(part)))
    return " ".join(houses) if len(parts) > 1 else ""


def _part(parts: list[str]) -> str:
    """Where street and number stand; a number may have a comma of its own: "Main Street, 5" and "6, rue X"."""
    for index, part in enumerate(parts[1:], 1):
        if _HOUSE.fullmatch(part) and not _HOUSE.search(parts[index - 1]):
            return f"{parts[index - 1]} {part}"
        if _HOUSE.fullmatch(parts[index - 1]) and not _HOUSE.search(part):
            return f"{parts[index - 1]} {part}"
    numbered = [part for part in parts if _HOUSE.search(part) and _NAMED.search(part)]
    named = [part for part in numbered if not KINDS.isdisjoint(latin(part))]
    streets = () if numbered else [part for part in parts if _STREETS.intersection(latin(part))]
    return (named or numbered or streets or parts or [""])[0]


def _is_month(text: str) -> bool:
    """Whether a day and it are a date, after which many streets are called."""
    words = [word for word in latin(text) if word not in KINDS]
    return len(words) == 1 and any(idea.startswith("month.") for idea in lexicon.contrasts().of(words[0]))


def _house(part: str) -> tuple[str, str]:
    """The number in front, unless it belongs to the street ("23rd"); else the last one."""
    found = list(_HOUSE.finditer(part))
    if not found:
        return "", part
    first, last = found[0], found[-1]
    chosen = first if first.start() == 0 and _STREET.search(part, first.end()) else last
    if chosen is not last and _is_month(part[first.end() : last.start()]):
        chosen = last  # 11 Oktomvri 8, 9 de Julio 120
    house = "".join(chosen.group().casefold().replace("–", "-").split())
    return "".join(latin(house)) if house.isalnum() else house, part[: chosen.start()] + " " + part[chosen.end() :]


def _street(text: str, locality: set[str]) -> str:
    words = [_COMPOUND.sub("", SHORT.get(word, word)) for word in latin(text.replace("'", ""))]
    telling = [word for word in words if len(word) > 1 and word not in KINDS and word not in SIDES]
    named = [word for word in telling if word not in locality] or telling
    return " ".join(named[:MOST_WORDS]) or " ".join([word for word in words if word not in KINDS] or words)[:40]


@lru_cache(maxsize=65_536)
def house_numbers(house: str) -> frozenset[int]:
    """5-9 is any of 5 to 9; the letter behind makes no difference here."""
    found = [int(each) for each in re.findall(r"\d+", house)]
    if len(found) == 2 and 0 < found[1] - found[0] < 100:  # noqa: PLR2004 - from and to
        return frozenset(range(found[0], found[1] + 1))
    return frozenset(found)
