"""Judges: pure functions that each score one aspect of a result and explain the score in a sentence."""

from __future__ import annotations

from collections.abc import Callable
from decimal import Decimal
from typing import Final, NamedTuple

from gleanery.judging.evidence.reading import Reading
from gleanery.judging.evidence.sentence import quoted
from gleanery.judging.lexicon import KEYWORD, ORGANIZATION

HUNDREDTHS: Final = tuple(Decimal(number).scaleb(-2) for number in range(101))

MOST = 100
NO_WORDS_WANTED = 50
# Points by number of half keywords: one good word is nearly enough, and very many suggest text for search engines.
BY_HALVES: Final = (42, 55, 66, 72, 78, 81, 84, 86, 88, 88, 86, 84, 82, 80)
ELSEWHERE = 90  # doubt about something offered in another place
DOUBTED = 50  # doubt from which the sentence mentions it

BORNE, KIND_IN_HOST, DOUBT_OF_SITE = 12, 8, 40
START, IN_TITLE, IN_DESCRIPTION, IN_HOST, DOUBT_OF_KIND = 52, 26, 8, 14, 90


class JudgeScore(NamedTuple):
    """Score of one judge from 0.00 to 1.00, with its weight and a sentence for people."""

    name: str
    score: Decimal
    weight: Decimal
    explanation: str


def _score(name: str, points: int, reading: Reading, explanation: str) -> JudgeScore:
    return JudgeScore(name, HUNDREDTHS[max(0, min(MOST, points))], reading.lexicon.weights[name], explanation)


def keywords(reading: Reading) -> JudgeScore:
    """Score the keywords of the topic; they count less on news and sales sites and for other places."""
    if not reading.lexicon.has_keywords:
        return _score("keywords", NO_WORDS_WANTED, reading, "The topic has no keywords.")
    hits = reading.distinct(KEYWORD)
    generic = reading.lexicon.generic
    halves = sum([(1 if hit.lemma in generic else 2) + hit.in_title for hit in hits])
    points = BY_HALVES[min(halves, len(BY_HALVES) - 1)]
    points -= points * max(reading.doubt.points, ELSEWHERE if reading.place.elsewhere else 0) // (2 * MOST)
    if not hits:
        return _score("keywords", points, reading, "None of the topic's keywords were found.")
    found = f"{quoted([hit.shown for hit in hits])} {'matches' if len(hits) == 1 else 'match'} the topic"
    return _score("keywords", points, reading, f"{found}{_reservation(reading)}.")


def _reservation(reading: Reading) -> str:
    if reading.place.elsewhere:
        return f", but the place is “{reading.place.elsewhere}”"
    return f", but this looks like {reading.doubt.says}" if reading.doubt.points >= DOUBTED else ""


def credibility(reading: Reading) -> JudgeScore:
    """Score the credibility of the site by its domain name."""
    site, doubt, sentence = reading.site, reading.doubt.points, reading.site.sentence
    points = site.worth.credibility
    if not site.worth.is_platform:
        points += KIND_IN_HOST * (ORGANIZATION in site.words) - doubt * DOUBT_OF_SITE // MOST
        if reading.names.is_site:
            points += BORNE
            sentence += f", and it is named after “{reading.names.organization}”"
        if doubt >= DOUBTED:
            sentence += f"; it looks like {reading.doubt.says}"
    return _score("credibility", points, reading, f"{sentence}.")


def geography(reading: Reading) -> JudgeScore:
    """Score how well the place fits the topic."""
    return _score("geography", reading.place.score, reading, reading.place.sentence)


def organisation_type(reading: Reading) -> JudgeScore:
    """Score whether this is the kind of organisation that offers the thing itself."""
    hits = reading.distinct(ORGANIZATION)
    points = START + reading.first_hand.points // 2 - reading.doubt.points * DOUBT_OF_KIND // MOST
    if hits:
        points += IN_TITLE if hits[0].in_title else IN_DESCRIPTION
    if ORGANIZATION in reading.site.words:
        points += IN_HOST
    if reading.place.elsewhere:
        points //= 2
    return _score("organisation_type", points, reading, _kind_sentence(reading, [hit.shown for hit in hits]))


def _kind_sentence(reading: Reading, kinds: list[str]) -> str:
    first_hand, doubt = reading.first_hand, reading.doubt
    if doubt.points >= DOUBTED:
        return f"It looks like {doubt.says}: {quoted(doubt.words)}." if doubt.words else f"It looks like {doubt.says}."
    if kinds:
        more = f", and it {first_hand.says}" if first_hand.words else ""
        return (
            f"{quoted(kinds)} {'indicates' if len(kinds) == 1 else 'indicate'} the kind of organisation wanted{more}."
        )
    if ORGANIZATION in reading.site.words:
        return f"The domain name contains {quoted([reading.site.words[ORGANIZATION]])}."
    if first_hand.words:
        return f"It {first_hand.says}: {quoted(first_hand.words)}."
    return "Nothing indicates what kind of organisation it is."


def history(reading: Reading) -> JudgeScore | None:
    """Score the earlier results of the domain; the more there are, the more they count."""
    past = reading.case.history
    if past is None or past.high + past.low <= 0:
        return None
    total = past.high + past.low
    points = (2 * MOST * (past.high + 1) + total + 2) // (2 * (total + 2))
    results = "1 earlier result" if total == 1 else f"{total} earlier results"
    return _score(
        "history",
        points,
        reading,
        f"Of {results} of this domain, {past.high} {'was' if past.high == 1 else 'were'} rated high.",
    )


JUDGES: Final[tuple[Callable[[Reading], JudgeScore | None], ...]] = (
    keywords,
    credibility,
    geography,
    organisation_type,
    history,
)
