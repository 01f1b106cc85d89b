"""PDFs are read as pages, in processes that can be killed, up to a limit per crawl."""

from __future__ import annotations

import asyncio
import zlib
from datetime import date

import pytest

from gleanery.crawling.frontier.pending import MOST_PDFS
from gleanery.crawling.models import Visit
from gleanery.crawling.pages.page_reader import Document, ParsedPage, read
from gleanery.crawling.pages.parser import Parser
from gleanery.crawling.pages.pdf import MOST_PAGES, as_page
from gleanery.domains.names import domain_of
from gleanery.errors import Unreadable
from gleanery.extraction.draft import Extracted, PageSource
from gleanery.extraction.running.extractor_pool import Extractor

from .conftest import Resolve, approved, crawl
from .pdf_site import AGENDA, HOST, Board, pdf_of, pdf_with

URL = f"https://{HOST}/agenda.pdf"
DATES = """2027 Meeting Dates

January 13, 2027       6:00 PM      Town Hall
February 10, 2027      6:00 PM      Town Hall
March 10, 2027         7:30 PM      Library Hall"""


def document(body: bytes) -> Document:
    return Document(body=body, url=URL, media_type="application/pdf", charset=None, domain=domain_of(HOST))


def extracted(text: str) -> Extracted:
    async def run() -> Extracted:
        async with Extractor() as extractor:
            source = PageSource(html="", url=URL, media_type="application/pdf", fetched=date(2026, 12, 1), country="US")
            return await extractor.extract(zlib.compress(pdf_of(text)), "", source)

    return asyncio.run(run())


def parsed(*bodies: bytes) -> list[ParsedPage | str]:
    """Parse several documents one after the other in one process."""

    async def run() -> list[ParsedPage | str]:
        found: list[ParsedPage | str] = []
        async with Parser() as parser:
            for body in bodies:
                try:
                    found.append(await parser.read(document(body)))
                except Unreadable as problem:
                    found.append(str(problem))
        return found

    return asyncio.run(run())


def test_an_agenda_is_one_meeting_with_its_time_and_room() -> None:
    (event,) = extracted(AGENDA).drafts
    assert "Board of Ethics" in event.fields["name"]
    assert event.fields["start"].startswith("2027-03-03T18:00")
    assert event.fields["venue_name"] == "Town Hall"


def test_a_table_of_dates_is_read_row_by_row() -> None:
    drafts = extracted(DATES).drafts
    assert [each.fields["start"][:16] for each in drafts] == [
        "2027-01-13T18:00",
        "2027-02-10T18:00",
        "2027-03-10T19:30",
    ]
    assert [each.fields["venue_name"] for each in drafts] == ["Town Hall", "Town Hall", "Library Hall"]


def test_the_file_and_its_text_are_kept() -> None:
    body = pdf_of(AGENDA)
    found = read(document(body))
    assert zlib.decompress(found.raw) == body
    assert found.title == "Harrow Vale Board of Ethics"
    assert "Call to order" in found.text
    assert (
        found.content_hash
        == read(document(pdf_of(AGENDA) + b"\n")).content_hash
        != read(document(pdf_of(DATES))).content_hash
    )


def test_text_of_a_pdf_is_escaped() -> None:
    page = as_page(pdf_of("Board <script>alert(1)</script>\n\n<b>All</b> welcome\non Friday"))
    assert "<script" not in page
    assert "&lt;b&gt;All" in page


def test_only_the_first_pages_of_a_book_are_read() -> None:
    page = as_page(pdf_of(*(f"Chapter {number} begins" for number in range(1, MOST_PAGES + 20))))
    assert f"Chapter {MOST_PAGES} begins" in page
    assert f"Chapter {MOST_PAGES + 1} begins" not in page


@pytest.mark.parametrize(
    "hurt",
    [
        b"%PDF-1.4\nnothing that a PDF would say",
        pdf_of(AGENDA)[:200],
        # 300 MB of drawing orders out of 300 kB.
        pdf_with([zlib.compress(b"(x) Tj " * 40_000_000)], inflated=True),
    ],
    ids=["empty", "cut off", "bomb"],
)
def test_a_pdf_that_cannot_be_read_affects_no_other(hurt: bytes) -> None:
    lost, found = parsed(hurt, pdf_of(AGENDA))
    assert isinstance(lost, str)
    assert lost.endswith((".", "!"))
    assert isinstance(found, ParsedPage)


@pytest.mark.django_db(transaction=True)
@pytest.mark.database
def test_a_crawl_reads_a_limited_number_of_pdfs_after_the_pages(reach: Resolve) -> None:
    with Board() as board:
        reach(board)
        crawl(approved(HOST))
        asked = [each.path for each in board.requests_of(HOST)]
        pdfs = [path for path in asked if path.endswith(".pdf")]
        assert len(pdfs) == MOST_PDFS
        assert pdfs[0] == "/agenda-march.pdf"
        assert asked.index("/about") < asked.index(pdfs[0])
        assert Visit.objects.filter(url__endswith=".pdf", state="stored").count() == MOST_PDFS
