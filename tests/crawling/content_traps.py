"""Traps in content: depth, size, charset, characters, structured data, sitemaps, other content types."""

from __future__ import annotations

import json

from tests.crawling.serving import answer
from tests.crawling.transfer_traps import gzip_bomb
from tests.crawling.traps import ELSEWHERE, HOST, Body, bytes_at, html, page_at

BULGARIAN = "Фондация за училища обявява конкурс за проекти на млади хора. " * 20
DEEP = 100_000
MB = 1_000_000
JSON_LD = '<script type="application/ld+json">{}</script>'


def structured(data: str) -> str:
    return html("<p>with structured data</p>", head=JSON_LD.format(data))


page_at(
    "/text/nested",
    "100,000 nested divs",
    lambda: html("<div>" * DEEP + "text in the deep" + "</div>" * DEEP),
    text="deep",
)
page_at("/text/inline", "100,000 nested inline elements", lambda: html("<b><i><a href=/>" * DEEP + "unclosed"))
page_at("/text/tables", "50,000 nested tables", lambda: html("<table><tr><td>" * (DEEP // 2) + "cell"))
page_at(
    "/text/attributes",
    "100,000 attributes",
    lambda: html("<p " + " ".join(f"a{n}=1" for n in range(DEEP)) + ">some text</p>"),
)
page_at(
    "/text/large",
    "an honest page of 9.9 MB",
    lambda: html("<p>Large and honest.</p>\n" * 412_000),
    text="Large and honest",
)
page_at("/text/too-large", "a page of 11 MB", lambda: html("<p>Larger than we read.</p>\n" * 440_000))
page_at(
    "/text/title", "a title of 1 MB", lambda: html("<p>below the title</p>", title="T" * MB), text="below the title"
)
page_at("/text/one-word", "a word of 5 MB", lambda: html("<p>" + "w" * 5 * MB + "</p>"))
page_at("/text/blanks", "5 MB of blanks", lambda: html("<p>" + " " * 5 * MB + "</p>"))
page_at("/text/comment", "a comment that never ends", lambda: "<html><body><p>before</p><!-- " + "c" * MB)
page_at("/text/tag", "a tag that never ends", lambda: "<html><body><p>before</p><a href='" + "a" * MB)
page_at("/text/entities", "a million entities", lambda: html("<p>" + "&lt;&amp;&#x41;" * (MB // 3) + "</p>"))
page_at("/text/nul", "NUL bytes", html("<p>before\0after the NUL</p>", title="a\0b"), text="after the NUL")
page_at(
    "/text/surrogates",
    "lone surrogates and other non-characters",
    html("<p>odd &#xD800;&#0;&#x110000;&#xFFFE;\ud800 signs</p>"),
)
page_at("/text/binary", "a picture that says it is HTML", b"\x89PNG\r\n\x1a\n" + bytes(range(256)) * 400)
page_at("/text/bidi", "text that turns around", html("<p>\u202egnorw\u202c \u200b\ufeff right</p>"), text="right")

page_at("/charset/lying", "says utf-8, is windows-1251", html(f"<p>{BULGARIAN}</p>").encode("cp1251"), text="конкурс")
page_at(
    "/charset/meta",
    "the wrong charset in its meta, none in the header",
    html(f"<p>{BULGARIAN}</p>", head="<meta charset=iso-8859-1>").encode(),
    kind="text/html",
)
page_at("/charset/none", "windows-1251, not declared", html(f"<p>{BULGARIAN}</p>").encode("cp1251"), kind="text/html")
page_at(
    "/charset/unknown",
    "a charset that does not exist",
    html("<p>plain</p>"),
    kind="text/html; charset=utf-9",
    text="plain",
)
for codec in ("zip", "hex", "rot13", "idna", "unicode_escape", "utf-7", "undefined"):
    page_at(f"/charset/{codec}", "a codec that is no charset", html("<p>plain</p>"), kind=f"text/html; charset={codec}")
page_at(
    "/charset/utf-16",
    "UTF-16 with a mark",
    html(f"<p>{BULGARIAN}</p>").encode("utf-16"),
    kind="text/html",
    text="конкурс",
)

page_at("/data/deep", "JSON-LD nested 100,000 deep", lambda: structured("[" * DEEP + "]" * DEEP))
page_at("/data/broken", "JSON-LD that breaks off", structured('{"@type": "Event", "name": '))
page_at(
    "/data/nul", "JSON-LD with NUL and lone surrogates", structured(r'{"@type": "Event", "name": "a\u0000b\ud800c"}')
)
page_at(
    "/data/number",
    "JSON-LD with a number of 100,000 digits",
    lambda: structured('{"@type": "Event", "x": ' + "9" * DEEP + "}"),
)
page_at("/data/nan", "JSON-LD with NaN and Infinity", structured('{"@type": "Event", "x": [NaN, Infinity, 1e999]}'))
page_at(
    "/data/types",
    "JSON-LD with 100,000 types",
    lambda: structured(json.dumps({"@type": [f"T{n}" for n in range(DEEP)]})),
)
page_at(
    "/data/odd",
    "JSON-LD of odd shapes",
    structured('[null, 1, "x", {"@type": null}, {"@type": {"a": 1}}, {"@graph": 3}]'),
)

CALENDAR = (
    "BEGIN:VCALENDAR\r\nVERSION:2.0\r\nPRODID:-//x//x//EN\r\nBEGIN:VEVENT\r\nUID:1@hostile.example.org\r\n"
    "DTSTAMP:20260101T000000Z\r\nDTSTART:20270101T180000Z\r\nSUMMARY:A concert in the calendar\r\nEND:VEVENT\r\n"
    "END:VCALENDAR\r\n"
)
page_at("/other/events.ics", "iCalendar", CALENDAR, kind="text/calendar; charset=utf-8")
page_at(
    "/other/report.pdf", "a PDF", b"%PDF-1.4\n1 0 obj\n<<>>\nendobj\ntrailer\n<<>>\n%%EOF\n", kind="application/pdf"
)
page_at("/other/film", "a film of 20 MB without a suffix", lambda: b"\0" * 20 * MB, kind="video/mp4")
page_at("/other/archive", "a zip without a suffix", b"PK\x03\x04" + bytes(5000), kind="application/zip")
page_at("/other/feed", "a feed", '<?xml version="1.0"?><rss version="2.0"><channel/></rss>', kind="application/rss+xml")

URLSET = (
    '<?xml version="1.0" encoding="UTF-8"?>{}<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">{}</urlset>'
)
LAUGHS = (
    '<!DOCTYPE x [<!ENTITY a0 "ha">'
    + "".join(f'<!ENTITY a{n} "{f"&a{n - 1};" * 10}">' for n in range(1, 10))
    + '<!ENTITY file SYSTEM "file:///etc/passwd">]>'
)


def locations(*urls: str) -> str:
    return "".join(f"<url><loc>{url}</loc></url>" for url in urls)


def sitemap_at(path: str, what: str, body: Body) -> None:
    page_at(path, what, body, kind="application/xml", linked=False)


sitemap_at(
    "/sitemap/good.xml",
    "an honest sitemap",
    URLSET.format("", locations(*(f"http://{HOST}/good/{n}" for n in range(1, 7)))),
)
sitemap_at("/sitemap/invalid.xml", "XML that breaks off", URLSET.format("", locations(f"http://{HOST}/good/1"))[:-40])
sitemap_at(
    "/sitemap/laughs.xml", "a billion laughs", URLSET.format(LAUGHS, locations("http://&a9;/", "http://&file;/"))
)
sitemap_at("/sitemap/bomb.xml.gz", "a gzip of 1 GiB", gzip_bomb)
sitemap_at(
    "/sitemap/elsewhere.xml",
    "addresses of others",
    URLSET.format(
        "",
        locations(
            f"http://{ELSEWHERE}/listed", "http://127.0.0.1/", "file:///etc/passwd", f"http://{HOST}/{'s' * 18_000}"
        ),
    ),
)
sitemap_at(
    "/sitemap/endless.xml",
    "an index that lists itself",
    (
        '<sitemapindex xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">'
        + "".join(f"<sitemap><loc>http://{HOST}/sitemap/endless.xml?{n}</loc></sitemap>" for n in range(1000))
        + "</sitemapindex>"
    ),
)
sitemap_at("/sitemap/page.xml", "HTML where a sitemap should be", html("<p>no sitemap</p>"))
bytes_at("/sitemap/gone.xml", "a sitemap that is gone", answer(404), linked=False)
SITEMAPS = (
    "good.xml",
    "invalid.xml",
    "laughs.xml",
    "bomb.xml.gz",
    "elsewhere.xml",
    "endless.xml",
    "page.xml",
    "gone.xml",
)
