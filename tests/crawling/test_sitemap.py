"""Sitemaps of every format are read, and no sitemap can do harm."""

from __future__ import annotations

import gzip
import tracemalloc
import zlib

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gleanery.crawling.pages.sitemap import Sitemap, parse

HEAD = '<?xml version="1.0" encoding="UTF-8"?>\n'
URLSET = (
    HEAD
    + """<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9" xmlns:image="http://www.google.com/schemas/sitemap-image/1.1">
  <url><loc>https://example.org/a?x=1&amp;y=2</loc><lastmod>2026-01-01</lastmod>
    <image:image><image:loc>https://example.org/photo.jpg</image:loc></image:image></url>
  <url><loc>
    https://example.org/b
  </loc></url>
  <url><loc><![CDATA[https://example.org/c]]></loc></url>
  <url><loc>https://example.org/a?x=1&amp;y=2</loc></url>
</urlset>"""
)
PAGES = ("https://example.org/a?x=1&y=2", "https://example.org/b", "https://example.org/c")
BOMB = """<!DOCTYPE x [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;&a;&a;&a;&a;&a;&a;&a;">]>
<urlset><url><loc>https://example.org/&b;</loc></url></urlset>"""


def test_pages_are_listed_once_and_in_order_without_their_images() -> None:
    assert parse(URLSET.encode()) == Sitemap(PAGES)


def test_it_may_be_gzipped_and_in_several_pieces() -> None:
    assert parse(gzip.compress(URLSET.encode())).pages == PAGES
    half = len(URLSET) // 2
    assert parse(gzip.compress(URLSET[:half].encode()) + gzip.compress(URLSET[half:].encode())).pages == PAGES


@pytest.mark.parametrize(
    "body",
    [
        b"\xef\xbb\xbf" + URLSET.encode(),
        b"\n\n  " + URLSET.encode(),
        URLSET.replace("UTF-8", "utf-16").encode("utf-16"),
        URLSET.replace("UTF-8", "windows-1251").encode("cp1251"),
        URLSET.replace('xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"', "").encode(),
        URLSET.replace("<url", "<sm:url").replace("</url", "</sm:url").encode(),
    ],
)
def test_marks_charsets_and_namespaces_may_vary(body: bytes) -> None:
    assert parse(body).pages == PAGES


def test_an_index_lists_sitemaps() -> None:
    body = "<sitemapindex><sitemap><loc>https://example.org/one.xml.gz</loc></sitemap></sitemapindex>"
    assert parse(body.encode()) == Sitemap((), ("https://example.org/one.xml.gz",))


def test_a_plain_list_has_one_address_per_line() -> None:
    assert parse(b"https://example.org/a\r\n\r\nhttps://example.org/b\nnonsense\nhttp://example.org/c").pages == (
        "https://example.org/a",
        "https://example.org/b",
        "http://example.org/c",
    )


def test_feeds_list_pages_too() -> None:
    rss = (
        "<rss><channel><link>https://example.org/</link><item><link>https://example.org/a</link></item></channel></rss>"
    )
    atom = """<feed xmlns="http://www.w3.org/2005/Atom"><link href="https://example.org/"/><entry>
        <link href="https://example.org/a"/><link rel="enclosure" href="https://example.org/b.mp3"/></entry></feed>"""
    assert parse(rss.encode()).pages == parse(atom.encode()).pages == ("https://example.org/a",)


def test_broken_xml_gives_the_addresses_before_the_error() -> None:
    broken = parse(
        URLSET.replace("</loc></url>\n  <url><loc><![CDATA", "</loc><oops></url>\n <url><loc><![CDATA").encode()
    )
    assert broken.pages == PAGES[:2]
    assert "broken in line" in broken.problem


@pytest.mark.parametrize(
    ("body", "why"),
    [
        (b"", "empty"),
        (b"  \n", "empty"),
        (BOMB.encode(), "document type"),
        (b'<!DOCTYPE x SYSTEM "file:///etc/passwd"><urlset/>', "document type"),
        (b"<!DOCTYPE html><html><body>Not found</body></html>", "document type"),
        (b"<html><body>Not found</body></html>", "not a sitemap"),
        (b"Not found", "neither"),
        (b"\x1f\x8b\x08damaged", "damaged"),
        (gzip.compress(URLSET.encode(), mtime=0)[:-20], "damaged"),
        (b"<?xml version='1.0' encoding='no-such'?><urlset/>", "charset|broken"),
        (b"<?xml version='1.0' encoding='utf-7'?><urlset/>", "charset|broken"),
        (b"<urlset>" + b"<x>" * 1000, "nested"),
    ],
)
def test_other_content_gives_a_problem_and_does_no_harm(body: bytes, why: str) -> None:
    found = parse(body)
    assert any(each in found.problem for each in why.split("|"))
    assert "passwd" not in repr(found)


def test_at_most_fifty_thousand_addresses_are_taken() -> None:
    many = "".join(f"<url><loc>https://example.org/{number}</loc></url>" for number in range(50_010))
    found = parse(f"<urlset>{many}</urlset>".encode())
    assert len(found.pages) == 50_000
    assert "50,000" in found.problem


def test_a_bomb_ends_at_ten_mebibytes() -> None:
    packer = zlib.compressobj(9, zlib.DEFLATED, 31)
    piece = b" " * (1 << 20)
    bomb = packer.compress(b"<urlset><url><loc>https://example.org/a</loc></url>")
    bomb += b"".join(packer.compress(piece) for _ in range(200)) + packer.flush()
    tracemalloc.start()
    found = parse(bomb)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert found.pages == ("https://example.org/a",)
    assert "10 MiB" in found.problem
    assert peak < 4 << 20


def test_an_address_without_end_is_dropped() -> None:
    found = parse(
        b"<urlset><url><loc>https://"
        + b"a" * 3_000_000
        + b"</loc></url><url><loc>https://example.org/</loc></url></urlset>"
    )
    assert found == Sitemap(("https://example.org/",))
    assert parse(b"https://" + b"a" * 3_000_000 + b"\nhttps://example.org/").pages == ("https://example.org/",)


@given(st.binary())
def test_no_bytes_make_it_raise(body: bytes) -> None:
    parse(body)
    parse(b"<urlset>" + body)
    parse(b"\x1f\x8b\x08\0\0\0\0\0\0\xff" + body)


@given(st.data())
def test_no_damage_makes_it_raise_or_invent(data: st.DataObject) -> None:
    body = bytearray(URLSET.encode())
    for _ in range(data.draw(st.integers(1, 5))):
        body[data.draw(st.integers(0, len(body) - 1))] = data.draw(st.integers(0, 255))
    found = parse(bytes(body))
    assert len(found.pages) <= 4
    assert all(len(page) <= 2000 for page in found.pages)
