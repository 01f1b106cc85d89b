"""Lines of a page in reading order, each with its heading and dates."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from gleanery.extraction.plain.event_details.times_and_prices import HAS_DIGIT
from gleanery.extraction.plain.layout.blocks import Block
from gleanery.extraction.plain.listing.calendar_grid import day_of_month, days_of_grid
from gleanery.extraction.plain.listing.years import Years
from gleanery.extraction.values.calendar_words import MONTH_OF, WEEKDAY_OF
from gleanery.extraction.values.dates import Dates

LONGEST_FRAGMENT = 14
MOST_FRAGMENTS = 4
EARLY, FEWEST_WORDS = 12, 9  # prose: characters before its first date, words in total
LONGEST_DAY = 3  # more digits than a day has
FAR_APART = 300  # days between dates of a row that make it a term of office

# Words right before a date that is not the date of an event.
_OTHER_BEFORE = re.compile(
    r"(?:\b(?:posted|updated|published|modified|minutes(?:\s(?:of|from|for)(?:(?:\s\w+){0,3}?\s(?:meetings?|sessions?|hearings?))?)?|approved|adopted|amended|revised|effective|"
    r"dated|deadline|due|clos(?:es|ing)|closed|before|until|than|expires?|expiration|expired|since|as\sof|regist\w+|"
    r"rsvp|apply|applications?|submi\w+|received|appointed|elected|created|issued|copyright|order|by|"
    r"публикуван\w*|обновен\w*|променен\w*|приет\w*|протокол\w*|срок|до|преди|след|считано|в\sсила|"
    r"veröffentlicht|aktualisiert|stand|protokoll\w*|bis|frist|seit|ab|"
    r"publié\w*|mis\sà\sjour|jusqu\w*|avant|depuis|procès-verbal\w*|"
    r"publicado|actualizado|hasta|antes|acta\w*|desde|publicat|actualizat|până|proces-verbal)|©)"
    r"\W{0,3}(?:(?:on|by|of|at|the|date|held|from|am|vom|zum|le|el|la|на|от|от\sдата|дата|pe|is|was)\W{0,3}){0,3}"
    r"(?:[^\W\d_]{2,10}\W{0,2})?$",
    re.IGNORECASE,
)
_DUE = re.compile(
    r"(?:deadline|due|clos|before|until|than|apply|applications?|submi|by|срок|до|преди|bis|frist|jusqu|avant|hasta|antes|"
    r"până)",
    re.IGNORECASE,
)
# Column headers for dates that are not the date of an event.
_OTHER_HEADER = re.compile(
    r"\b(?:start(?:ed|s)?\b(?!.*time)|end(?:s|ed)?\b|term|expir\w*|appoint\w*|posted|published|updated|modified|deadline|due|clos\w+|"
    r"approved|adopted|minutes|opened|от|до|срок|публикуван\w*)\b",
    re.IGNORECASE,
)
_ABOUT_A_YEAR = re.compile(
    r"^\W*20\d\d\W*$|\b(?:schedule|meetings?|dates|calendar|agendas?|events?|session|season|програма|график|календар|заседания|"
    r"termine|kalender|calendrier|calendario|program)\b",
    re.IGNORECASE,
)
_MAIL = re.compile(r"\S@\S+\.\S")


@dataclass(frozen=True, slots=True)
class Line:
    """One line. `dates` may be those of an event, past ones included; `place` is the index of its block.

    Other dates, such as "posted on", are removed from `text` with the words around them.
    """

    text: str
    block: Block
    place: int
    heading: Block | None
    dates: tuple[Dates, ...]
    deadlines: tuple[Dates, ...] = ()  # dates until which to act
    written: str = ""  # the original text

    @property
    def is_struck(self) -> bool:
        """True if its day is struck through without a replacement."""
        return bool(self.block.struck) and all(
            self.text[each.begin : each.stop] in self.block.struck for each in self.dates
        )

    @property
    def is_prose(self) -> bool:
        """True for a sentence with a date in it, not a line that begins with one."""
        late = bool(self.dates) and self.dates[0].begin > EARLY
        return late and self.text.rstrip().endswith((".", "!", "?")) and len(self.text.split()) >= FEWEST_WORDS

    @property
    def undated(self) -> str:
        """Text without dates, which look like postal codes and house numbers."""
        text = self.text
        for each in reversed(self.dates):
            text = f"{text[: each.begin]}; {text[each.stop :]}"
        return text

    @property
    def value(self) -> str:
        """Undated text, without the label of a pair."""
        label = f"{self.block.label}: "
        return self.undated.removeprefix(label) if self.block.kind == "pair" else self.undated


def lines_of(content: Sequence[Block], years: Years) -> list[Line]:
    found: list[Line] = []
    heading: Block | None = None
    place = 0
    while place < len(content):
        block = content[place]
        count = _fragments(content[place : place + MOST_FRAGMENTS])
        if block.kind == "heading":
            years.heading(block.text)
            heading = block
        if count > 1:
            block = block._replace(lines=(" ".join(each.text for each in content[place : place + count]),))
        days = days_of_grid(block, years)
        for part, text in days or ((block, text) for text in _texts(block)):
            found.append(_line(part, text, place, heading, years))
        place += max(count, 1)
    return found


def _line(block: Block, text: str, place: int, heading: Block | None, years: Years) -> Line:
    if not HAS_DIGIT.search(text) and not block.struck:
        return Line(text, block, place, heading, (), written=text)
    dates = years.dates_in(text) or day_of_month(text, years)
    if not dates and block.struck and (dates := years.dates_in(block.struck)):  # "<s>3 March</s> cancelled"
        text = f"{block.struck} {text}"
    if not dates and block.kind in ("text", "item", "row") and _ABOUT_A_YEAR.search(text):
        years.heading(text)
    own, due, left = _own(block, text, dates)
    return Line(left, block, place, heading, own, due, text)


def _texts(block: Block) -> Iterator[str]:
    if block.kind == "row":
        yield " | ".join(cell.replace("\n", " ") for cell in block.cells if cell)
    elif block.kind == "pair":
        first, *more = block.lines or ("",)
        yield f"{block.label}: {first}"
        yield from more
    else:
        yield from block.lines


def _own(block: Block, text: str, dates: Sequence[Dates]) -> tuple[tuple[Dates, ...], tuple[Dates, ...], str]:
    """Return possible event dates, deadlines, and the text without other dates."""
    if block.kind == "row" and dates and (_MAIL.search(text) or _spans_a_term(dates)):
        return (), (), text
    kept, due = [], []
    for each in dates:
        before = _OTHER_BEFORE.search(text[max(0, each.begin - 60) : each.begin])
        if before:
            due += [each] if _DUE.match(before[0].lstrip()) else []
            begin, stop = max(0, each.begin - 60) + before.start(), max(each.stop, each.times.stop if each.times else 0)
            text = text[:begin] + " " * (stop - begin) + text[stop:]
        elif not _under_other_header(block, each, text):
            kept.append(each)
    return tuple(kept), tuple(due), text


def _spans_a_term(dates: Sequence[Dates]) -> bool:
    days = [each.start for each in dates]
    return len(days) > 1 and (max(days) - min(days)).days > FAR_APART


def _under_other_header(block: Block, dates: Dates, text: str) -> bool:
    if block.kind != "row" or len(block.headers) != len(block.cells):
        return False
    written = text[dates.begin : dates.stop]
    return any(
        written in cell.replace("\n", " ") and _OTHER_HEADER.search(header)
        for header, cell in zip(block.headers, block.cells, strict=True)
    )


def _fragments(blocks: Sequence[Block]) -> int:
    """Return how many of the blocks are parts of one date: "Feb", "26", "2019"."""
    count, parts = 0, ""
    for block in blocks:
        if block.kind not in ("text", "item") or len(block.text) > LONGEST_FRAGMENT:
            break
        kinds = _parts_of_date(block.text)
        if not kinds or not set(parts).isdisjoint(kinds):
            break
        count, parts = count + 1, parts + kinds
    return count


def _parts_of_date(text: str) -> str:
    """Return a letter per part: m(onth), d(ay), y(ear), w(eekday); "" if there is anything else."""
    words = [word for word in re.findall(r"[^\W\d_]+|\d+", text.lower()) if word not in ("st", "nd", "rd", "th")]
    kinds = "".join(_part_of_date(word) for word in words)
    return "" if "?" in kinds or len(set(kinds)) < len(kinds) else kinds


def _part_of_date(word: str) -> str:
    if word.isdigit():
        return "d" if len(word) < LONGEST_DAY else "y" if re.fullmatch(r"20\d\d", word) else "?"
    return "m" if word in MONTH_OF else "w" if word in WEEKDAY_OF else "?"
