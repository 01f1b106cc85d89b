"""Finder of opening hours in text: the part that names days and times."""

from __future__ import annotations

import re
from functools import lru_cache

from gleanery.extraction.values.calendar_words import WEEKDAYS
from gleanery.extraction.values.times import find_times

LONGEST = 5_000

_DAY_WORDS = sorted({word for words in WEEKDAYS for word in words if len(word) > 1}, key=len, reverse=True)
_DAY = re.compile(
    rf"(?:\b(?:every\s|всеки\s|всяка\s|jeden\s|jeweils\s|chaque\s|cada\s)?\b(?:{'|'.join(_DAY_WORDS)})s?\b\.?|"
    r"\b(?:daily|weekdays|weekends|every day|mondays?|делни(?:чни|к)(?:\sдни)?|всеки (?:работен |делничен )?ден|"
    r"всеки делник|ежедневно|денонощно|"
    r"werktags|täglich|tous les jours|en semaine|laborables|todos los días|a diario|zilnic|24/7|24\s?часа|"
    r"работни дни)\b)",
    re.IGNORECASE,
)
_LEAD = re.compile(
    r"(?:\b(?:от|from|von|du|de|des|les|le|в|всеки|всяка|every|each|jeden|el|los|on|on the)\s)$", re.IGNORECASE
)
_BREAK = re.compile(r"(?<=[\w)])[.!?]\s+(?=[A-ZА-ЯÀ-Ý])|\n")
_AROUND_THE_CLOCK = re.compile(
    r"денонощно|24/7|24\s?часа|rund um die uhr|24\s?h(?:ours)?(?:/24)?|around the clock", re.IGNORECASE
)
_TAIL = re.compile(r"\s?(?:ч(?:аса)?\b\.?|h\b|Uhr\b)?(?:\s?\([^()]{1,60}\))?", re.IGNORECASE)


@lru_cache(maxsize=4096)  # several recognisers ask about the same lines
def find_hours(text: str) -> str:
    """Return the text from the first day to the last time of a sentence, with following brackets, or ""."""
    for sentence in _BREAK.split(text[:LONGEST]):
        if found := _in_sentence(sentence):
            return found
    return ""


def _in_sentence(sentence: str) -> str:
    days = list(_DAY.finditer(sentence))
    times = [each for each in find_times(sentence) if each.certain or each.end is not None]
    if not days or not (times or _AROUND_THE_CLOCK.search(sentence)):
        return ""
    spans = [each for each in times if each.end is not None]
    if not spans and not _AROUND_THE_CLOCK.search(sentence):
        return ""
    begin = min(days[0].start(), *(each.begin for each in spans)) if spans else days[0].start()
    end = max(days[-1].end(), *(each.stop for each in times)) if times else days[-1].end()
    if lead := _LEAD.search(sentence[:begin]):
        begin = lead.start()
    if not times and (rest := re.match(r",\s[^,.;]{3,40}$", sentence[end:])):  # "day and night, no day off"
        end += rest.end()
    if tail := _TAIL.match(sentence, end):
        end = tail.end()
    found = sentence[begin:end]
    if found.count("(") > found.count(")") and (close := sentence.find(")", end)) >= 0:
        found = sentence[begin : close + 1]
    return found.strip(" ,;:")
