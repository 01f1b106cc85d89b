"""Doubt that a result is a first-hand source: signs of news, directories, shops and other kinds of site."""

from __future__ import annotations

from typing import Final, NamedTuple

from gleanery.judging.evidence.first_hand import FirstHand, Found, Text
from gleanery.judging.evidence.host import Site
from gleanery.judging.lexicon import COUNTRY, HERE, KEYWORD, ORGANIZATION, Hit
from gleanery.judging.tables import KINDS, LEADING

MOST = 100
STRONG, FURTHER, WEAK, MOST_WEAK, HOST, IN_TITLE = 34, 20, 9, 4, 40, 14
HINT, MOST_HINTS, VERB = 18, 3, 22
LONGEST_NAME, HEADLINE, MOST_HEADLINE = 5, 4, 6  # words: names are short, headlines are long
SECOND_KIND = 2  # the second most likely kind counts half
QUESTION, SHOUT, MOST_SHOUTS, COUNTED, PLURAL, DAY_AND_NIGHT = 25, 10, 2, 28, 25, 15
# Points by domain ending, before the text is read.
BY_ENDING: Final = {
    "official": -30,
    "academic": -10,
    "charitable": -10,
    "abused": 20,
    "free_hosting": 15,
    "blogging": 60,
} | {
    "social": 70,
    "brands": 60,
}


class Doubt(NamedTuple):
    """Doubt from 0 (none) to 100, what the site looks like, and the words that indicate it."""

    points: int
    says: str
    words: tuple[str, ...]


_SAYS: Final = {kind.name: kind.says for kind in KINDS}
_STRONG: Final = {f"strong.{kind.name}": kind.name for kind in KINDS}
_WEAK: Final = {f"weak.{kind.name}": kind.name for kind in KINDS}
_HEADLINE: Final = {f"headline.{kind.name}": kind.name for kind in KINDS}


def doubt_about(text: Text, site: Site, first_hand: FirstHand) -> Doubt:
    """Add up the most likely kind of site, half of the second, and the style of the title."""
    scored = sorted(_by_kind(text.found, site.words).items(), key=lambda each: -each[1])
    (kind, most), (_, second) = (*scored, ("", 0), ("", 0))[:2]
    style, shown = style_of(text)
    style += DAY_AND_NIGHT * site.is_round_the_clock
    points = most + second // SECOND_KIND + style - first_hand.points // 3 + BY_ENDING.get(site.worth.group, 0)
    if points <= 0:
        return NO_DOUBT
    words = [*([site.words[kind]] if kind in site.words else []), *_shown(text.found, kind), *shown]
    return Doubt(
        min(MOST, points), _SAYS.get(kind) or (PLATFORM if site.worth.is_platform else FOR_SEARCHERS), tuple(words)
    )


PLATFORM, FOR_SEARCHERS = "a page on a shared platform", "a page made for search engines"
NO_DOUBT: Final = Doubt(0, "", ())


def _by_kind(found: Found, host: dict[str, str]) -> dict[str, int]:
    points = {group: HOST for group in host if group in _SAYS}
    for group, hits in found.items():
        if kind := _STRONG.get(group):
            points[kind] = points.get(kind, 0) + _strong(hits)
        elif kind := _WEAK.get(group):
            points[kind] = points.get(kind, 0) + WEAK * min(len({hit.lemma for hit in hits}), MOST_WEAK)
        elif (kind := _HEADLINE.get(group)) and hits[0].in_title:
            points[kind] = points.get(kind, 0) + VERB
    return points


def _strong(hits: list[Hit]) -> int:
    """Return points of strong words: phrases count anywhere, single words fully only in the title."""
    clear = {hit.lemma for hit in hits if hit.in_title or hit.end - hit.start > 1}
    hints = {hit.lemma for hit in hits} - clear
    points = HINT * min(len(hints), MOST_HINTS)
    if clear:
        points += STRONG + FURTHER * (len(clear) - 1) + IN_TITLE * any(hit.in_title for hit in hits)
    return points


def _shown(found: Found, kind: str) -> list[str]:
    hits = [hit for group in ("strong", "headline", "weak") for hit in found.get(f"{group}.{kind}", ())]
    return list(dict.fromkeys(hit.shown for hit in hits))


def style_of(text: Text) -> tuple[int, list[str]]:
    """Return points for a question, exclamation marks, a count or a list ("concerts in Sofia") in the title."""
    case, points, shown = text.case, 0, []
    if "?" in case.title:
        points += QUESTION
        shown.append("?")
    points += SHOUT * min(case.title.count("!") + case.description.count("!"), MOST_SHOUTS)
    longest = max([len(part.words) for part in text.title.parts], default=0)
    points += HEADLINE * min(max(longest - LONGEST_NAME, 0), MOST_HEADLINE)
    things = [hit for group in (KEYWORD, ORGANIZATION) for hit in text.found.get(group, ()) if hit.in_title]
    if counted := next((hit for hit in things if hit.start and text.title.words[hit.start - 1].isdigit()), None):
        points += COUNTED
        shown.append(f"{text.title.words[counted.start - 1]} {counted.shown}")
    places = {hit.start for group in (HERE, COUNTRY) for hit in text.found.get(group, ()) if hit.in_title}
    if listed := next(
        (hit for hit in things if _is_plural(hit.shown) and _leads_to(text.title.words, hit.end, places)), None
    ):
        points += PLURAL
        shown.append(listed.shown)
    return points, shown


def _leads_to(title: list[str], at: int, places: set[int]) -> bool:
    return at + 1 in places and title[at].casefold() in LEADING


def _is_plural(word: str) -> bool:
    return word[-1:].casefold() in ("s", "и") or word.casefold().endswith(("ове", "ища", "ия"))
