"""Relevance of a page to a topic, from its words, its structured data and its address. Pure."""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from decimal import ROUND_HALF_UP, Decimal
from typing import NamedTuple
from urllib.parse import unquote, urlsplit

from gleanery.extraction.structured.schema_types import kind_of
from gleanery.judging.lexicon import KEYWORD, Hit, Lexicon, words_in

# Enough to judge a page; long pages repeat themselves.
MOST_WORDS = 3_000
FEWEST_WORDS = 40  # shorter texts count as this long, so that one hit in three words is not a third
ENOUGH_PER_HUNDRED = 2.0  # of a text's words

TITLE, HEADINGS, TEXT = 0.25, 0.15, 0.35
GENERIC = 0.4  # weight of a word that fits any topic, such as "programme"
WANTED, OTHER = 0.45, 0.10
TOPIC_IN_ADDRESS, WHO_WE_ARE, HOME, SITE_PAGE, DEEP = 0.08, 0.30, 0.05, -0.25, -0.05
FIRST_WORDS = 2  # different topic words that give the full score
DEEPEST = 5

# Pages that every site has and that offer nothing, whatever their text.
_SITE_PAGE = re.compile(
    r"privacy|cookies?|gdpr|terms|disclaimer|login|log-in|signin|sign-in|register|account|cart|"
    r"checkout|search|sitemap|wp-(?:login|admin)|author|feed|accessibility|unsubscribe|datenschutz|agb|"
    r"mentions-legales|confidentialite|aviso-legal|privacidad|confidentialitate|poveritelnost|biskvitki|"
    r"obshti-usloviya|vhod|tarsene|поверителност|бисквитки|общи-условия|вход|търсене"
)
# Pages about the organisation itself, useful for topics that want organisations.
_WHO = re.compile(
    r"(?:contacts?|about)(?:-us|us)?|kontakti|kontakte?|za-nas|zanas|ekip|контакти|за-нас|екип|our-team|team|staff|who-we-are|"
    r"ueber-uns|uber-uns|impressum|imprint|a-propos|qui-sommes-nous|equipe|contacto|quienes-somos|equipo|despre-noi|"
    r"chi-siamo|contatti|o-nas|people"
)
_HEADING = re.compile(r"^#{1,6} +(.+)$", re.MULTILINE)
_PLAIN_HEADING = re.compile(r"[#*_`\[\]()]+")
CENT = Decimal("0.01")


@dataclass(frozen=True, slots=True, kw_only=True)
class RelevanceInput:
    """The stored parts of a page that relevance looks at. `text` is Markdown, `types` are schema.org types."""

    url: str
    title: str
    text: str
    types: Sequence[str] = ()
    calendar: bool = False


class Reason(NamedTuple):
    """Points for or against a page from one check, with a sentence that explains them."""

    name: str
    points: Decimal
    sentence: str


@dataclass(frozen=True, slots=True)
class Relevance:
    score: Decimal
    reasons: tuple[Reason, ...]


def assess(page: RelevanceInput, lexicon: Lexicon, kinds: Collection[str]) -> Relevance:
    """Return the relevance of a page. `kinds` are the record kinds that the topic wants; empty means all."""
    found = [
        *_words(page, lexicon),
        *_structured(page, kinds),
        *_place(page, lexicon, wants_who=not kinds or "organization" in kinds),
    ]
    total = sum((each.points for each in found), Decimal(0))
    reasons = found or [Reason("text", Decimal("0.00"), "Nothing on the page matches the topic.")]
    return Relevance(min(Decimal("1.00"), max(Decimal("0.00"), total)), tuple(reasons))


def kinds_carried(types: Sequence[str], *, calendar: bool = False) -> set[str]:
    """Return the record kinds that the structured data may give. A business may be a place or an organisation."""
    kinds = {kind_of([each], located=located) for each in types for located in (False, True)}
    kinds |= {"event"} if calendar or "course" in kinds else set()
    return kinds - {"", "course"}


def _words(page: RelevanceInput, lexicon: Lexicon) -> list[Reason]:
    headings = [_PLAIN_HEADING.sub(" ", each) for each in _HEADING.findall(page.text[:200_000])]
    words = words_in(page.text[:60_000])[:MOST_WORDS]
    parts = (
        ("title", TITLE, "Its title", lexicon.find(words_in(page.title), ())),
        ("headings", HEADINGS, "A heading", lexicon.find(words_in(" . ".join(headings)), ())),
    )
    found = []
    for name, most, where, hits in parts:
        once = _once(hits.get(KEYWORD, ()))
        if weight := min(1.0, _weight(once, lexicon) / FIRST_WORDS + 0.5 * bool(_weight(once, lexicon) >= 1)):
            found.append(_reason(name, most * weight, f"{where} has {_quoted(once)}."))
    return [*found, *_density(words, lexicon)]


def _density(words: Sequence[str], lexicon: Lexicon) -> list[Reason]:
    """Score the share of topic words, so that long pages about something else do not pass."""
    hits = lexicon.find((), words).get(KEYWORD, [])
    if not hits:
        return []
    once = _once(hits)
    per_hundred = 100 * _weight(hits, lexicon) / max(FEWEST_WORDS, len(words))
    # A single word, however often repeated, gives half of the points.
    variety = min(1.0, 0.5 + 0.25 * (len(once) - 1))
    share = min(1.0, per_hundred / ENOUGH_PER_HUNDRED) * variety
    sentence = f"{len(hits)} of its first {len(words)} words match the topic: {_quoted(once)}."
    return [_reason("text", TEXT * share, sentence)]


def _structured(page: RelevanceInput, kinds: Collection[str]) -> list[Reason]:
    carried = kinds_carried(page.types, calendar=page.calendar)
    wanted = sorted(carried & set(kinds) if kinds else carried)
    # Nearly every site declares itself an organisation, which is no reason to read a page.
    telling = [kind for kind in wanted if kind not in {"organization", "place"}] or (
        wanted if _is_about_itself(page) else []
    )
    if telling:
        return [_reason("structured", WANTED, f"It has structured data for {' and '.join(telling)}.")]
    if carried:
        names = " and ".join(sorted(carried))
        return [_reason("structured", OTHER, f"It has structured data, but only for {names}.")]
    return []


def _is_about_itself(page: RelevanceInput) -> bool:
    """Return True if the page, and not only the site, is about a place or an organisation."""
    return len(page.types) == 1 and bool(_segments(page.url))


def _place(page: RelevanceInput, lexicon: Lexicon, *, wants_who: bool) -> list[Reason]:
    segments = _segments(page.url)
    if any(_SITE_PAGE.fullmatch(each) for each in segments):
        return [
            _reason("place", SITE_PAGE, "Its address is that of a standard page without content, such as a login page.")
        ]
    if not segments:
        return [_reason("place", HOME, "It is the first page of the site.")]
    if wants_who and _WHO.fullmatch(segments[-1]):
        return [_reason("place", WHO_WE_ARE, "Its address is that of a page about the organisation.")]
    hits = _once(lexicon.find(words_in(" ".join(segments)), ()).get(KEYWORD, ()))
    if hits:
        return [_reason("place", TOPIC_IN_ADDRESS, f"Its address contains {_quoted(hits)}.")]
    if len(segments) >= DEEPEST:
        return [_reason("place", DEEP, f"It is {len(segments)} levels deep in the site.")]
    return []


def _segments(url: str) -> list[str]:
    path = unquote(urlsplit(url).path[:500]).casefold()
    return [each.rpartition(".")[0] or each for each in path.split("/") if each]


def _once(hits: Sequence[Hit]) -> list[Hit]:
    return list({hit.lemma: hit for hit in reversed(hits)}.values())[::-1]


def _weight(hits: Sequence[Hit], lexicon: Lexicon) -> float:
    return sum(GENERIC if hit.lemma in lexicon.generic else 1.0 for hit in hits)


def _quoted(hits: Sequence[Hit], most: int = 4) -> str:
    return ", ".join(f"“{hit.shown[:60]}”" for hit in hits[:most]) + (" and more" if len(hits) > most else "")


def _reason(name: str, points: float, sentence: str) -> Reason:
    return Reason(name, Decimal(points).quantize(CENT, ROUND_HALF_UP), sentence)
