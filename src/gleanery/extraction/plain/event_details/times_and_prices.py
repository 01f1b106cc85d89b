"""Dates, times, status and price in the text of an event."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from gleanery.extraction.plain.layout.blocks import Block
from gleanery.extraction.plain.structure.facts import Fact
from gleanery.extraction.values.amounts import find_amounts
from gleanery.extraction.values.dates import Dates, Reader, find_dates, iso, offset_in
from gleanery.extraction.values.times import Times, find_times

# Sentences with these words name other days than those of the event.
OTHER_DAY = re.compile(
    r"\b(?:regist(?:er|ration)|book (?:by|before)|booking closes|enrol|rsvp|sign up by|deadline|apply by|"
    r"записв\w+|регистрация|краен срок|заявки до|до изчерпване|"
    r"anmeld\w+|inscription\w*|inscripci\w+|înscri\w+|updated|published|posted|last changed|публикуван\w*|"
    r"обновяване|промяна|stand:|може да се разгледа|"
    r"до \d{1,2}[. ](?!\s?(?:години|год|часа|ч\b|души|клас|лв))|"
    r"until|bis zum|jusqu|hasta el|până pe|born|роден|founded|основан\w*|снимки от|archive|"
    r"заявени|refund|early bird|не работи|затворен\w*|closed|geschlossen|fermé\w*|cerrado|închis)\b",
    re.IGNORECASE,
)
DOORS = re.compile(
    r"(?:doors?(?: open)?|врати(?:те)?|einlass|portes|puertas|uși(?:le)?|отваряне)\W*(?:at|от|в|um|ab|à|a las|:)?\s*$",
    re.IGNORECASE,
)
FREE = re.compile(
    r"(?:вход(?:ът)?\s?(?:е\s)?[:–-]?\s?(?:свободен|безплатен)|\bсвободен\b|безплат\w+|(?<![\w-])free\b(?! (?:delivery|"
    r"parking|wifi|wi-fi|bus|shuttle))|free (?:entry|admission|of charge)|"
    r"eintritt frei|kostenlos|kostenfrei|gratuit\w*|entrada libre|\bgratis\b|intrare liberă|entrée libre|no charge)",
    re.IGNORECASE,
)
FREE_THING = re.compile(
    r"(?:безплат\w+|free|kostenlos\w*|gratuit\w*)\s(?:автобус|паркинг|шаблон|bus|parking|delivery|sample|tea|"
    r"coffee|чай|кафе|articles?)",
    re.IGNORECASE,
)
PLANNED = re.compile(
    r"\b(?:по план|as planned|goes ahead|findet statt|wie geplant|maintenue?|según lo previsto|conform programului)\b",
    re.IGNORECASE,
)
MOVED_ONLINE = re.compile(
    r"(?:[–—-]\s?(?:онлайн|online)\s*$|няма да е .{0,30}, а (?:в интернет|онлайн)|moved online|now online|"
    r"verlegt ins internet|se hará en línea|mutat online)",
    re.IGNORECASE | re.MULTILINE,
)
IN_NAME = re.compile(
    r"\s?[–—:(-]\s?(?:отменен\w?|отложен\w?|онлайн|по план|cancell?ed|postponed|online|as planned|abgesagt|"
    r"verschoben|annulée?|reportée?|cancelad[oa]|aplazad[oa]|anulat\w?|amânat\w?)\)?\s*$|"
    r"^(?:отменен\w?|отложен\w?|cancell?ed|postponed|abgesagt|verschoben|annulée?|cancelad[oa])\s?[:–—!-]+\s",
    re.IGNORECASE,
)
STATUSES = (
    ("cancelled", re.compile(r"\b(?:cancell?ed|отменен\w?|отменя се|отпада|abgesagt|entfällt|annulée?|cancelad[oa]|"
r"anulat\w?|се отменя)\b", re.IGNORECASE)),
    ("postponed", re.compile(r"\b(?:postponed|отложен\w?|отлага се|се отлага|verschoben|verlegt|reportée?|aplazad[oa]|"
r"amânat\w?)\b", re.IGNORECASE)),
)  # fmt: skip
HAS_DIGIT = re.compile(r"\d")
SENTENCES = re.compile(r"(?<=[\w)€“”\"»]{2})[.!?;]\s+(?=[A-ZА-ЯÀ-ÝȘȚ„«\"(])|\n")
SCHEDULED = "scheduled"


def days_of(blocks: Sequence[Block], facts: Sequence[Fact], reader: Reader) -> list[tuple[Dates, str]]:
    """Return the days of the event with their text: labelled ones, else all that are not deadlines and the like."""
    for fact in facts:
        if fact.role == "when" and (found := find_dates(fact.value.replace("\n", ", "), reader)):
            return [(each, f"{fact.label}: {fact.value}") for each in found]
    other = {
        id(fact.block) for fact in facts if fact.role in ("deadline", "window", "no_results", "no_opens", "no_duration")
    }
    dated: list[tuple[Dates, str]] = []
    for block in blocks:
        if id(block) in other and len(block.lines) == 1:
            continue
        text = " \n".join(block.lines)
        for sentence in SENTENCES.split(text) if HAS_DIGIT.search(text) else ():
            if HAS_DIGIT.search(sentence) and not OTHER_DAY.search(sentence):
                dated.extend((each, sentence.strip()) for each in find_dates(sentence, reader))
    return dated


def time_of(blocks: Sequence[Block], facts: Sequence[Fact]) -> Times | None:
    """Return the labelled time, else the first one that is not the opening of doors."""
    for fact in facts:
        if fact.role in ("time", "hours", "when") and (times := _first_start(fact.value)):
            return times
    for block in blocks:
        if times := _first_start(" \n".join(block.lines)):
            return times
    return None


def _first_start(text: str) -> Times | None:
    found = [
        each
        for each in find_times(text)
        if (each.certain or each.end is not None) and not DOORS.search(text[: each.begin])
    ]
    return next(iter(found), None)


def time_fields(days: Sequence[Dates], times: Times | None, text: str, country: str) -> dict[str, Any]:
    """Return start, end, and occurrences if there are several days."""
    offset = offset_in(text)
    timed = [each if each.times or times is None or each.end else replace(each, times=times) for each in days]
    spans = []
    seen: set[str] = set()
    for each in timed:
        start = iso(each.start, each.times.start if each.times else None, country=country, offset=offset)
        end = ""
        if each.end is not None:
            end = iso(each.end, each.times.end if each.times else None, country=country, offset=offset)
        elif each.times and each.times.end:
            end = iso(each.start, each.times.end, country=country, offset=offset)
        if start not in seen:
            seen.add(start)
            spans.append({"start": start, **({"end": end} if end and end > start else {})})
    if not spans:
        return {}
    fields: dict[str, Any] = dict(spans[0])
    if len(spans) > 1:
        fields["occurrences"] = spans
    return fields


def is_free(text: str, cost: str = "") -> bool | None:
    if cost:
        if FREE.search(cost) and not find_amounts(cost):
            return True
        return False if find_amounts(cost) else None
    remaining = FREE_THING.sub("", text)
    if FREE.search(remaining):
        return True
    if any(
        re.match(r"[£€$\d]", line) and find_amounts(line[:30]) and find_amounts(line[:30])[0].start == 0
        for line in remaining.split("\n")
    ):
        return False
    return (
        False
        if re.search(
            r"\b(?:on the door|a head|per person|на човек|ticket|билет|entrada|eintritt|prix|fee|такса|вход|"
            r"intrare|цена|tarif|admission)\w*",
            remaining,
            re.IGNORECASE,
        )
        and find_amounts(remaining)
        else None
    )


def status_of(text: str) -> str:
    if MOVED_ONLINE.search(text):
        return "moved_online"
    return next(
        (status for status, pattern in STATUSES if pattern.search(text)), SCHEDULED if PLANNED.search(text) else ""
    )
