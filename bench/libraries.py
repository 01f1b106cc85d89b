"""Parsers written by hand beside libraries for the same work: dates, main text, structured data, sums, month names.

    python bench/libraries.py [--sites 44]

The libraries are no dependencies of the project: install dateparser, trafilatura, extruct and price-parser into a copy
of its environment. Dates and main text are measured on the saved pages that may be consulted (see real_pages.py), the
rest on pages and sentences of the project. Both sides read the same text in one process; CPU times are printed.
"""

from __future__ import annotations

import argparse
import importlib
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterator
from datetime import date, datetime
from itertools import islice
from pathlib import Path
from typing import Any

import real_pages
from selectolax.lexbor import LexborHTMLParser
from sums import NO_SUMS, SUMS

from gleanery.crawling.pages.markdown import main_text
from gleanery.extraction.draft import PageSource
from gleanery.extraction.structured.html_page import HtmlPage
from gleanery.extraction.structured.json_ld import from_json_ld
from gleanery.extraction.structured.microdata import from_microdata
from gleanery.extraction.structured.open_graph import from_open_graph
from gleanery.extraction.structured.rdfa import from_rdfa
from gleanery.extraction.values.amounts import find_amounts
from gleanery.extraction.values.calendar_words import MONTH_OF
from gleanery.extraction.values.dates import Reader, find_dates

LIBRARIES = ("dateparser.search", "trafilatura", "extruct", "price_parser", "babel.dates")
LANGUAGES = ("bg", "en", "de", "fr", "es", "it", "ro", "nl", "pl")
STRUCTURED = (from_json_ld, from_microdata, from_rdfa, from_open_graph)
SYNTAXES = ["json-ld", "microdata", "rdfa", "opengraph"]
MARKED = Path(__file__).parents[1] / "tests" / "extraction" / "pages"
Row = tuple[str, ...]


def main(sites: int) -> int:
    if missing := [each for each in LIBRARIES if not _is_there(each)]:
        print(f"Missing: {', '.join(missing)}. Install dateparser, trafilatura, extruct, price-parser and Babel.")
        return 1
    if real_pages.are_there():
        rows = list(islice(real_pages.sites(kept=False), sites))
        _show("days in lines of text", _dates(rows))
        _show("main text", _texts(list(real_pages.sites(kept=False))))
    _show("structured data", _structured(list(_marked_pages())))
    _show("sums of money", _sums())
    _show("month names", _months())
    return 0


def _is_there(name: str) -> bool:
    try:
        importlib.import_module(name)
    except ImportError:
        return False
    return True


class Timer:
    """CPU milliseconds of calls, in total and per call."""

    def __init__(self) -> None:
        self.spent, self.calls = 0.0, 0

    def run(self, work: Callable[[], Any]) -> Any:
        began = time.process_time()
        try:
            return work()
        finally:
            self.spent += 1000 * (time.process_time() - began)
            self.calls += 1

    def __str__(self) -> str:
        return f"{self.spent / max(self.calls, 1):.2f} ms a page"


def _dates(rows: list[dict[str, Any]]) -> Iterator[Row]:
    """Score the coming days that each side finds in the same lines, against the days of labelled events."""
    for name, read in (("ours", _our_days), ("dateparser", _dateparser_days)):
        count, timer = Counter[str](), Timer()
        for row in rows:
            day = date.fromisoformat(row["day"])
            found: set[date] = set()
            for source in real_pages.sources_of(row):
                lines = [line for line in _text(source.html).splitlines() if line.strip()]
                found |= timer.run(lambda lines=lines, day=day: read(lines, day))  # noqa: B023
            coming = {each for each in found if each >= day}
            right = {date.fromisoformat(each["start"][:10]) for each in row["events"]}
            count.update(right=len(right), hit=len(right & coming), got=len(coming))
        recall, precision = count["hit"] / max(count["right"], 1), count["hit"] / max(count["got"], 1)
        yield name, f"recall {recall:.3f}", f"precision {precision:.3f}", f"{count['got']} days", str(timer)


def _our_days(lines: list[str], day: date) -> set[date]:
    find_dates.cache_clear()
    reader = Reader(today=day, language="en", country="US")
    return {each.start for line in lines for each in find_dates(line, reader)}


def _dateparser_days(lines: list[str], day: date) -> set[date]:
    from dateparser.search import search_dates

    settings = {"PREFER_DATES_FROM": "future", "RELATIVE_BASE": datetime.combine(day, datetime.min.time())}
    found = (search_dates(line, languages=["en"], settings=settings) or () for line in lines)
    return {moment.date() for pairs in found for _, moment in pairs}


def _text(html: str) -> str:
    return main_text(LexborHTMLParser(html))


def _texts(rows: list[dict[str, Any]]) -> Iterator[Row]:
    """Count labelled events whose title, or whose day, is still in the main text."""
    for name, read in (("ours", _text), ("trafilatura", _trafilatura_text)):
        count, timer = Counter[str](), Timer()
        for row in rows:
            sources = [each for each in real_pages.sources_of(row) if each.media_type == "text/html"]
            texts = [timer.run(lambda each=each: read(each.html)) for each in sources]  # noqa: B023
            words = " ".join("\n".join(texts).casefold().split())
            days = _our_days("\n".join(texts).splitlines(), date.fromisoformat(row["day"]))
            count["characters"] += len(words)
            for event in row["events"]:
                has_title = " ".join(event["title"].casefold().split()) in words
                has_day = date.fromisoformat(event["start"][:10]) in days
                count.update(events=1, title=has_title, day=has_day, either=has_title or has_day)
        shares = (f"{each} {count[each] / max(count['events'], 1):.3f}" for each in ("title", "day", "either"))
        yield name, f"{count['events']} events", *shares, f"{count['characters']:,} characters", str(timer)


def _trafilatura_text(html: str) -> str:
    import trafilatura

    return trafilatura.extract(html, include_tables=True, favor_recall=True) or ""


def _marked_pages() -> Iterator[PageSource]:
    for path in sorted(MARKED.glob("*/*.html")):
        html = path.read_text(encoding="utf-8")
        if any(sign in html for sign in ("ld+json", "itemscope", "typeof=", "og:")):
            yield PageSource(
                html=html, url="https://site.example/page", media_type="text/html", fetched=date(2026, 11, 1)
            )


def _structured(pages: list[PageSource]) -> Iterator[Row]:
    """Count what each side gives: ours are finished drafts of things, extruct's are raw items to be read further."""
    for name, read in (("ours", _our_items), ("extruct", _extruct_items)):
        count, timer = Counter[str](), Timer()
        for page in pages:
            try:
                items = timer.run(lambda page=page: read(page))  # noqa: B023
            except Exception as problem:
                count[f"pages lost to {type(problem).__name__}"] += 1
                continue
            count["items"] += items
            count["pages with items"] += items > 0
        yield name, f"{len(pages)} pages", *(f"{number} {what}" for what, number in count.items()), str(timer)


def _our_items(source: PageSource) -> int:
    page = HtmlPage(source)
    return sum(len(extractor(page).drafts) for extractor in STRUCTURED)


def _extruct_items(source: PageSource) -> int:
    import extruct

    found = extruct.extract(source.html, base_url=source.url, syntaxes=SYNTAXES, errors="ignore")
    return sum(len(items) for items in found.values())


def _sums() -> Iterator[Row]:
    for name, read in (("ours", _our_sum), ("price-parser", _price_parser_sum)):
        timer = Timer()
        found = timer.run(lambda: [read(text) for text, _, _ in SUMS])  # noqa: B023
        values = sum(each[0] == value for each, (_, value, _) in zip(found, SUMS, strict=True))
        both = sum(
            each[0] == value and each[1] in CODES[code] for each, (_, value, code) in zip(found, SUMS, strict=True)
        )
        wrong = sum(read(text)[0] is not None for text in NO_SUMS)
        yield (
            name,
            f"{values} of {len(SUMS)} values",
            f"{both} with currency",
            f"{wrong} of {len(NO_SUMS)} sentences without a sum give one",
            f"{timer.spent / len(SUMS):.3f} ms a sentence",
        )


# price-parser returns the sign or word as written.
CODES = {
    "EUR": ("EUR", "€", "euro", "Euro", "euros", "евро"),
    "BGN": ("BGN", "лв.", "лв", "лева"),
    "GBP": ("GBP", "£", "pounds"),
    "USD": ("USD", "$", "US$"),
    "RON": ("RON", "lei", "Lei"),
    "CHF": ("CHF",),
    "PLN": ("PLN", "zł"),
    "CZK": ("CZK", "Kč"),
    "HUF": ("HUF", "Ft"),
    "SEK": ("SEK",),
}


def _our_sum(text: str) -> tuple[float | None, str]:
    found = find_amounts(text)
    if not found:
        return None, ""
    return (found[0].most if found[0].least is None else found[0].least), found[0].currency


def _price_parser_sum(text: str) -> tuple[float | None, str]:
    from price_parser import Price

    price = Price.fromstring(text)
    return price.amount_float, price.currency or ""


def _months() -> Iterator[Row]:
    """Compare our month words with those of Babel, for the languages of our parsers."""
    from babel.dates import get_month_names

    for language in LANGUAGES:
        names = {
            word.lower().rstrip("."): number
            for width in ("wide", "abbreviated")
            for context in ("format", "stand-alone")
            for number, word in get_month_names(width, context, language).items()
        }
        lost = sorted(word for word, number in names.items() if MONTH_OF.get(word) != number)
        yield language, f"{len(names) - len(lost)} of {len(names)}", f"ours lacks: {', '.join(lost) or 'none'}"


def _show(title: str, rows: Iterator[Row]) -> None:
    print(f"\n{title}")
    for name, *cells in rows:
        print(f"  {name:14} {'  '.join(cells)}", flush=True)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--sites", type=int, default=44, help="sites on which dates are measured")
    sys.exit(main(parser.parse_args().sites))
