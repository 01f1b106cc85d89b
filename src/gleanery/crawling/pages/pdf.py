"""Converts a PDF to a plain HTML page: lines, table rows where columns are apart, headings where a line is alone.

Uses pypdf (the extra `pdf`), in the child processes that are killed when a page takes too long.
"""

from __future__ import annotations

import html
import io
import logging
import re
from collections.abc import Iterator
from importlib.util import find_spec
from itertools import groupby

from gleanery.errors import Unreadable

PDF = "application/pdf"
CAN_READ = find_spec("pypdf") is not None
MOST_PAGES = 40
LONGEST_LINE = 1_000
LONGEST_HEADING = 100
FEWEST_LETTERS = 3

_COLUMNS = re.compile(r" {3,}|\t+")
_SENTENCE = re.compile(r"[.;,:]$")
_LETTER = re.compile(r"[^\W\d_]")
_PAGE_NUMBER = re.compile(r"(?:page |- ?)?\d{1,4}(?: ?(?:of|/) ?\d{1,4}| ?-)?", re.IGNORECASE)


def as_page(body: bytes) -> str:
    """Return the PDF as HTML, so that it is read like any page."""
    blocks = [_block(each) for page in _texts(body) for each in _blocks(page)]
    title = next((text for tag, text in blocks if tag == "h2"), "")
    inside = "\n".join(f"<{tag}>{text}</{tag}>" for tag, text in _with_a_first_heading(blocks))
    return f'<!doctype html><meta charset="utf-8"><title>{title}</title><body><main>\n{inside}\n</main></body>'


def _texts(body: bytes) -> Iterator[str]:
    # Imported here: it takes a fifth of a second and memory, and few processes read a PDF.
    from pypdf import PdfReader  # noqa: PLC0415
    from pypdf.errors import PyPdfError  # noqa: PLC0415

    logging.getLogger("pypdf").setLevel(logging.CRITICAL)  # it logs every oddity, and most PDFs have some
    try:
        reader = PdfReader(io.BytesIO(body))
        if reader.is_encrypted and not reader.decrypt(""):
            raise Unreadable("The PDF is locked with a password.")
        for page in reader.pages[:MOST_PAGES]:
            yield page.extract_text(extraction_mode="layout")
    except PyPdfError as problem:
        raise Unreadable(f"The PDF is broken or locked ({type(problem).__name__}).") from None


def _blocks(page: str) -> Iterator[list[str]]:
    """Yield groups of adjacent lines, without page numbers."""
    lines = [line[:LONGEST_LINE].strip() for line in page.splitlines()]
    for has_text, group in groupby(lines, bool):
        kept = [line for line in group if not _PAGE_NUMBER.fullmatch(line)]
        if has_text and kept:
            yield kept


def _block(lines: list[str]) -> tuple[str, str]:
    """Return a tag and its content."""
    if len(lines) == 1 and _is_heading(lines[0]):
        return "h2", html.escape(lines[0])
    rows = [_COLUMNS.split(line) for line in lines]
    if all(len(cells) > 1 for cells in rows):
        return "table", "".join(
            f"<tr>{''.join(f'<td>{html.escape(cell)}</td>' for cell in cells)}</tr>" for cells in rows
        )
    return "p", "<br>".join(html.escape(" ".join(cells)) for cells in rows)


def _is_heading(line: str) -> bool:
    return (
        len(line) <= LONGEST_HEADING
        and len(_LETTER.findall(line)) >= FEWEST_LETTERS
        and not _COLUMNS.search(line)
        and not _SENTENCE.search(line)
        and not re.search(r"\d", line)
    )


def _with_a_first_heading(blocks: list[tuple[str, str]]) -> Iterator[tuple[str, str]]:
    """Turn the first heading into h1."""
    first = next((place for place, (tag, _) in enumerate(blocks) if tag == "h2"), -1)
    for place, (tag, text) in enumerate(blocks):
        yield ("h1" if place == first else tag), text
