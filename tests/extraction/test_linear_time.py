"""Extraction time is linear in the length of a page, whatever is repeated on it."""

from __future__ import annotations

import time
from datetime import date
from functools import cache

import pytest

from gleanery.extraction.draft import PageSource
from gleanery.extraction.extractors import extract

TOKENS = (
    *("Dr. ", "St. ", "1.", "(", "10:00 ", "Mon ", "Mon-", "€1 ", "a@", "a@b.bg ", "+1 ", "Room ", "from ", "- ", "1"),
    *("Abc-", "de ", "Фондация ", "ул. ", "12 High ", "1 May ", "every ", "„"),
)
SHORT, LONG = 32 * 1024, 128 * 1024
# Four times the page may take a little more than four times as long; were it quadratic, it would take sixteen times.
MOST = 9
FORMS = {"text": ("<p>", "{}", "</p>"), "lines": ("<ul>", "<li>{}</li>", "</ul>"), "one": ("<h1>", "{}", "</h1>")}


def page(token: str, form: str, size: int) -> str:
    begin, each, end = FORMS[form]
    piece = each.format(token)
    body = begin + piece * (size // len(piece.encode())) + end
    return f"<html><body><main><h1>Programme</h1><p>Concert, Sat 5 Dec 2026, 7pm</p>{body}</main></body></html>"


def cost(html: str) -> float:
    """Return processor time, which does not depend on other load."""
    source = PageSource(
        html=html,
        url="https://example.bg/",
        media_type="text/html",
        fetched=date(2026, 11, 15),
        country="BG",
        language="bg",
    )
    began = time.process_time()
    extract(source)
    return time.process_time() - began


def is_linear(short: str, long: str, least: float = 0) -> bool:
    """Compare the costs; measure the long page again only if it seems too slow."""
    allowed = MOST * max(least, min(cost(short), cost(short)))
    return any(cost(long) < allowed for _ in range(2))


@pytest.mark.timeout(120)  # what is not linear takes minutes
@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("token", TOKENS)
def test_extraction_time_grows_linearly_with_the_page(token: str, form: str) -> None:
    assert is_linear(page(token, form, SHORT), page(token, form, LONG), plain(form))


@cache
def plain(form: str) -> float:
    """Return the cost of a page without such tokens, as lower bound for the ratio."""
    return min(cost(page("word ", form, SHORT)) for _ in range(2))


@pytest.mark.parametrize("line", ["1 May", "7pm", "1 May 7pm Choir", "Choir 1.5.2027, 10 €", "Ivan Petrov, director"])
def test_extraction_time_grows_linearly_with_a_list(line: str) -> None:
    def listed(count: int) -> str:
        return f"<html><body><main><h1>Programme</h1><ul>{f'<li>{line}</li>' * count}</ul></main></body></html>"

    assert is_linear(listed(700), listed(2_800))
