"""Parsing a page: its main text, links, types, and a hash that changes when the content does."""

from __future__ import annotations

import contextlib
import json
import pickle
import re
import zlib

import ada_url
import pytest
from hypothesis import given
from hypothesis import strategies as st

from gleanery.crawling.pages.flattening import flattened
from gleanery.crawling.pages.links import LinkBase, _is_plain
from gleanery.crawling.pages.page_reader import Document, ParsedPage, read
from gleanery.domains.names import domain_of
from gleanery.domains.urls import canonical_url
from gleanery.errors import InvalidUrl
from gleanery.text import clean_text

URL = "https://example.org/events/one"
EVENT = {
    "@context": "https://schema.org",
    "@type": "Event",
    "name": "Concert",
    "eventStatus": "https://schema.org/EventScheduled",
    "startDate": "2026-05-01T10:00:00+03:00",
    "location": {"@type": "Place", "name": "Hall"},
}
PAGE = """<!doctype html><html lang="bg-BG"><head><title>Concert &amp; more</title>
<link rel="canonical" href="/events/1?utm_source=x"><meta name="csrf" content="{nonce}">
<script type="application/ld+json">{data}</script><script nonce="{nonce}">now()</script></head>
<body><header>Site <span>{clock}</span></header><nav><a href="/a">A</a> {clock}</nav>
<main><h1>Concert</h1><p>In the <b>great</b> hall. Now {clock}</p>
<form><input name="csrf" value="{nonce}"></form><div data-x="{nonce}">Free.</div>
<div itemscope itemtype="https://schema.org/Offer"><meta itemprop="price" content="{price}"></div></main>
<footer>{clock} visitors</footer></body></html>"""


def document(body: str | bytes, url: str = URL, media_type: str = "text/html", charset: str | None = None) -> Document:
    data = body.encode("utf-8", "surrogatepass") if isinstance(body, str) else body
    return Document(body=data, url=url, media_type=media_type, charset=charset, domain=domain_of("example.org"))


def reading(body: str | bytes, **given: str) -> ParsedPage:
    return read(document(body, **given))


def text_of(body: str) -> str:
    return reading(body).text


def page(nonce: str = "n", clock: str = "12:00:00", price: str = "5", data: object = EVENT) -> ParsedPage:
    written = data if isinstance(data, str) else json.dumps(data)
    return reading(PAGE.format(nonce=nonce, clock=clock, price=price, data=written))


def is_storable(found: ParsedPage) -> bool:
    texts = [found.title, found.text, found.language, found.charset, found.canonical]
    texts += [*found.links, *found.outbound, *found.types, *(each for pair in found.refused for each in pair)]
    return all("\0" not in text and text.encode() and True for text in texts if text) and len(found.content_hash) == 32


def test_all_parts_of_a_page_are_read() -> None:
    found = page()
    assert found.title == "Concert & more"
    assert found.text == "# Concert\n\nIn the great hall. Now 12:00:00\n\nFree."
    assert (found.language, found.charset) == ("bg-BG", "utf-8")
    assert found.canonical == "https://example.org/events/1"
    assert found.types == ("Event", "Place", "Offer")
    assert found.links == ("https://example.org/a",)
    assert zlib.decompress(found.raw).startswith(b"<!doctype")
    assert (found.noindex, found.nofollow) == (False, False)


@pytest.mark.parametrize(
    ("body", "text"),
    [
        ("<p>One</p><p>Two</p>", "One\n\nTwo"),
        ("<div>One</div><div>Two</div>three", "One\nTwo\nthree"),
        ("One<br>Two", "One\nTwo"),
        ("<p>A <b>bold</b>, <i>slanted</i>word.</p>", "A bold, slantedword."),
        ("<p>\n  White\n   space\t folded </p>", "White space folded"),
        ("<h2>Title</h2>Text<h3>Sub</h3>", "## Title\n\nText\n\n### Sub"),
        (
            "<ul><li>One</li><li><b>Two</b></li><li></li><li>Three<ul><li>Four</ul></ul>",
            "- One\n- Two\n- Three\n\n- Four",
        ),
        (
            "<table><tr><th>Day</th><th>Hour</th></tr><tr><td>Mon</td><td><p>10</p></td></tr></table>",
            "Day | Hour\nMon | 10",
        ),
        ("<table><tr><td></td><td>a</td><td></td><td>b</td></tr></table>", "a | b"),
        ('<p><a href="/x">Link</a> here</p>', "Link here"),
        ("<div><a href=/a>One</a><a href=/b>Two</a></div>", "One Two"),
        ("<pre>one\n  two</pre>", "one\ntwo"),
        ("<dl><dt>Where</dt><dd>Hall</dd></dl>", "Where\nHall"),
        ("<my-card>One</my-card><my-card>Two</my-card>", "One\nTwo"),
        ("One<nav>x</nav>Two", "One\nTwo"),
        ("a<span hidden>b</span>c", "ac"),
        ("<p>Caf&eacute; &lt;b&gt; &nbsp; end</p>", "Café <b> end"),
        ("<p>One<p>Two", "One\n\nTwo"),
    ],
)
def test_blocks_stand_apart_and_words_never_fuse(body: str, text: str) -> None:
    assert text_of(body) == text


@pytest.mark.parametrize(
    "noise",
    [
        "<script>noise</script>",
        "<style>noise</style>",
        "<noscript>noise</noscript>",
        "<template>noise</template>",
        "<svg><text>noise</text></svg>",
        "<nav>noise</nav>",
        "<header>noise</header>",
        "<footer>noise</footer>",
        "<aside>noise</aside>",
        "<select><option>noise</select>",
        "<button>noise</button>",
        "<textarea>noise</textarea>",
        "<div hidden>noise</div>",
        '<div aria-hidden="true">noise</div>',
        '<div style="color:red; Display : none">noise</div>',
        '<div role="navigation">noise</div>',
        '<div id="clock">noise</div>',
        '<div class="box visitor-counter">noise</div>',
        '<div class="siteVisitors">noise</div>',
        '<div id="cookie-banner">noise</div>',
        "<dialog>noise</dialog>",
        "<!-- noise -->",
        '<iframe src="/x">noise</iframe>',
    ],
)
def test_noise_is_left_out(noise: str) -> None:
    assert text_of(f"<p>One</p>{noise}<p>Two</p>") == "One\n\nTwo"


@pytest.mark.parametrize(
    "kept",
    [
        "<article><header>kept</header></article>",
        "<main><header><h1>kept</h1></header></main>",
        "<article><footer>kept</footer></article>",
        '<span class="fa-clock">kept</span>',
        '<section id="visitors">kept' + " much more for visitors" * 20 + "</section>",
        '<div class="no-cookies"><h1>kept</h1></div>',
        '<body class="cookie-free">kept',
        "<body style='visibility:hidden'>kept",
        "<dialog open>kept</dialog>",
        "<label>kept</label>",
        "<header>kept</header>",
    ],
)
def test_possible_content_is_kept(kept: str) -> None:
    assert "kept" in text_of(kept)


def test_the_main_part_is_preferred_unless_it_is_empty() -> None:
    assert text_of("<div>Menu</div><main>Text</main>") == "Text"
    assert text_of("<div>Menu</div><div role=main>Text</div>") == "Text"
    assert text_of("<div>Menu</div><article role=main>Text<main>inside</main></article>") == "Text\ninside"
    assert text_of("<main><script>fill()</script></main><div>Text</div>") == "Text"


@pytest.mark.parametrize("tag", ["div", "b", "span", "ul><li", "table><tr><td", "blockquote"])
def test_no_word_is_lost_to_deep_nesting(tag: str) -> None:
    deep = f"<p>first</p>{f'<{tag}>' * 3000}deepest<p>last</p>"
    assert text_of(deep).split() == ["first", *(["-"] if "li" in tag else []), "deepest", "last"]


def test_clocks_tokens_and_the_page_frame_do_not_change_the_hash() -> None:
    assert page(nonce="a", clock="12:00:00").content_hash == page(nonce="b", clock="9:31:07").content_hash


@pytest.mark.parametrize(
    "change",
    [
        {"data": {**EVENT, "eventStatus": "https://schema.org/EventCancelled"}},
        {"data": {**EVENT, "startDate": "2026-05-01T11:00:00+03:00"}},
        {"data": [EVENT, {"@type": "Place"}]},
        {"data": "{broken"},
        {"price": "6"},
    ],
)
def test_a_change_of_structured_data_changes_the_hash(change: dict[str, str]) -> None:
    assert page(**change).content_hash != page().content_hash


def test_a_change_of_text_or_canonical_link_changes_the_hash() -> None:
    hashes = [
        reading(body).content_hash
        for body in ("<p>x", "<p>y", '<link rel=canonical href="/z"><p>x', '<link rel=canonical href="/q"><p>x')
    ]
    assert len(set(hashes)) == 4


@pytest.mark.parametrize(
    ("one", "two", "same"),
    [
        (
            '<time itemprop=startDate datetime="2026-05-01">May',
            '<time itemprop=startDate datetime="2026-05-02">May',
            False,
        ),
        ('<link itemprop=eventStatus href="/a">', '<link itemprop=eventStatus href="/b">', False),
        ("<i property=name typeof=Event content=a>", "<i property=name typeof=Event content=b>", False),
        (
            "<footer itemscope><b itemprop=phone>1</b></footer>",
            "<footer itemscope><b itemprop=phone>2</b></footer>",
            False,
        ),
        ("<meta itemprop=dateModified content=1>", "<meta itemprop=dateModified content=2>", True),
        ('<meta property="og:updated_time" content=1>', '<meta property="og:updated_time" content=2>', True),
        ('<p class="a" data-token="1">x', '<p class="b" data-token="2">x', True),
        ('<img src="/ad?1">', '<img src="/ad?2">', True),
        ("<p>a  b", "<p>a\n b", True),
    ],
)
def test_attributes_count_only_if_they_are_values(one: str, two: str, same: bool) -> None:
    assert (reading(one).content_hash == reading(two).content_hash) is same


def test_json_is_hashed_by_its_data_not_its_spelling() -> None:
    turned = dict(reversed(EVENT.items()))
    spaced = json.dumps(turned, indent=3).replace("Concert", "Con\\u0063ert")
    assert page(data=spaced).content_hash == page().content_hash
    assert page(data={**EVENT, "dateModified": "2026-01-01"}).content_hash == page().content_hash
    assert page(data=f"//<![CDATA[\n{spaced};\n//]]>").types == page().types


@pytest.mark.parametrize(
    "data",
    [
        "[" * 100_000,
        '{"a":' * 100_000,
        "[" * 900 + "]" * 900,
        '{"@type": "\\ud800"}',
        '{"@type": ["Event", 5, null, {"@type": "Place"}]}',
        '{"@type": "Event", "n": ' + "9" * 10_000 + "}",
        '{"@type": "A\\u0000B"}',
        '"text"',
        "",
        "null",
        "NaN",
    ],
)
def test_hostile_json_is_treated_as_text(data: str) -> None:
    found = page(data=data)
    assert found.content_hash == page(data=data).content_hash != page().content_hash
    assert is_storable(found)


@pytest.mark.parametrize(
    ("marked", "types"),
    [
        ('<div itemscope itemtype="http://schema.org/Event">', ("Event",)),
        ('<div itemscope itemtype="https://schema.org/Event https://schema.org/Festival">', ("Event", "Festival")),
        ('<div vocab="https://schema.org/" typeof="Event"><b typeof="schema:Place">', ("Event", "Place")),
        ('<div itemscope itemtype="https://example.org/Own">', ()),
        ('<div typeof="foaf:Person sioc:Item">', ()),
    ],
)
def test_types_come_from_microdata_and_rdfa_too(marked: str, types: tuple[str, ...]) -> None:
    assert reading(marked).types == types


@pytest.mark.parametrize(
    ("link", "url"),
    [
        ('<a href="/x">', "https://example.org/x"),
        ('<a href="x">', "https://example.org/events/x"),
        ('<a href="../x">', "https://example.org/x"),
        ('<a href="?page=2">', "https://example.org/events/one?page=2"),
        ('<a href="//www.example.org/x">', "https://www.example.org/x"),
        ('<a href="https://example.org/x/">', "https://example.org/x/"),
        ('<a href="https://example.org//other.org/">', "https://example.org//other.org/"),
        ('<a href="https://example.org?b=2&amp;a=1">', "https://example.org/?a=1&b=2"),
        ('<a href="https://example.org:8443/x">', "https://example.org:8443/x"),
        ('<a href="HTTPS://EXAMPLE.org:443/x#top">', "https://example.org/x"),
        ('<a href=" /x y ">', "https://example.org/x%20y"),
        ('<a href="/x?utm_source=a&b=1">', "https://example.org/x?b=1"),
        ('<a href="/x?fbclid=1">', "https://example.org/x"),
        ('<a href="/a/./b/../c">', "https://example.org/a/c"),
        ('<a href="/файл">', "https://example.org/%D1%84%D0%B0%D0%B9%D0%BB"),
        ('<a href="/a.pdf">', "https://example.org/a.pdf"),
        ('<a href="/a.ics" download>', "https://example.org/a.ics"),
        ('<a href="webcal://example.org/a.ics">', "https://example.org/a.ics"),
        ('<area href="/x">', "https://example.org/x"),
        ('<link rel="alternate" type="text/calendar" href="/a.ics">', "https://example.org/a.ics"),
        ('<base href="/deep/er/"><a href="x">', "https://example.org/deep/er/x"),
        ('<base href="javascript:1"><a href="x">', "https://example.org/events/x"),
        ('<nav><a href="/x">in the menu</a></nav>', "https://example.org/x"),
        ('<a href="\\\\www.example.org\\x">', "https://www.example.org/x"),
    ],
)
def test_links_are_found_and_spelled_one_way(link: str, url: str) -> None:
    assert reading(link).links == (url,)


@pytest.mark.parametrize(
    "link",
    [
        '<a href="mailto:a@example.org">',
        '<a href="tel:+359">',
        '<a href="javascript:alert(1)">',
        '<a href="data:text/html,x">',
        '<a href="#top">',
        '<a href="">',
        "<a href>",
        "<a>",
        '<a href="/x" rel="nofollow">',
        '<a href="/x" rel="noopener UGC">',
        '<a href="/x" rel="sponsored">',
        '<a href="/x.zip">',
        '<a href="/x.JPG?size=1">',
        '<a href="/x.docx" download>',
        '<iframe src="/x"></iframe>',
        '<link rel="alternate" type="application/rss+xml" href="/feed">',
        '<link rel="stylesheet" href="/x">',
        '<a href="https://evil-example.org/">',
        '<a href="https://example.org.evil.com/">',
        '<a href="//evil.com/">',
        '<a href="https://sub.example.org/">',
        '<a href="ftp://example.org/x">',
        '<base href="https://other.org/"><a href="x">',
        '<meta name="robots" content="nofollow"><a href="/x">',
        '<meta name="Gleanery" content="none"><a href="/x">',
    ],
)
def test_other_links_are_ignored(link: str) -> None:
    found = reading(link)
    assert found.links == ()
    assert found.refused == ()


@pytest.mark.parametrize(
    ("href", "why"),
    [
        ("http://127.0.0.1/", "numeric"),
        ("http://[::1]/", "numeric"),
        ("http://2130706433/", "numeric"),
        ("http://localhost:8000/x", "single word"),
        ("http://intranet/", "single word"),
        ("https://user@example.org/", "user name"),
        ("https://exa mple.org/", "not a web address"),
        ("/" + "x" * 2500, "longer than 2000"),
    ],
)
def test_links_that_a_curator_should_see_are_refused_with_a_reason(href: str, why: str) -> None:
    found = reading(f'<a href="{href}">x</a><a href="/fine">y</a>')
    assert found.links == ("https://example.org/fine",)
    [(address, reason)] = found.refused
    assert why in reason
    assert len(address) <= 200


def test_links_are_unique_in_order_and_limited() -> None:
    body = "".join(f'<a href="/{number % 1500}">' for number in range(4000)) + '<a href="http://127.0.0.1/">' * 50
    body += "".join(f'<a href="http://10.0.0.{number}/">' for number in range(50))
    found = reading(body)
    assert found.links == tuple(f"https://example.org/{number}" for number in range(1000))
    assert len(found.refused) == 20


def test_other_sites_are_counted_by_registrable_name() -> None:
    body = '<a href="https://a.org/">' + '<a href="https://x.b.co.uk/1" rel=nofollow><a href="https://b.co.uk/2">'
    assert reading(body + '<a href="https://sub.example.org">').outbound == ("b.co.uk", "a.org")


@pytest.mark.parametrize(
    ("meta", "expected"),
    [
        ('<meta name="robots" content="noindex, follow">', (True, False)),
        ('<meta name="ROBOTS" content="NOFOLLOW">', (False, True)),
        ('<meta name="gleanery" content="none">', (True, True)),
        ('<meta name="googlebot" content="noindex">', (False, False)),
        ('<meta name="robots">', (False, False)),
    ],
)
def test_a_page_may_ask_not_to_be_kept_or_followed(meta: str, expected: tuple[bool, bool]) -> None:
    found = reading(meta)
    assert (found.noindex, found.nofollow) == expected


@pytest.mark.parametrize("canonical", ["javascript:1", "https://a@b/", "", "mailto:x@example.org"])
def test_an_unusable_canonical_link_is_ignored(canonical: str) -> None:
    assert reading(f'<link rel="canonical" href="{canonical}">').canonical == ""


def test_a_wrong_charset_is_corrected() -> None:
    body = '<meta charset="windows-1251"><title>Конкурс</title><p>Фондация'
    assert reading(body.encode(), charset="windows-1251").text == "Фондация"
    found = reading(body.encode("cp1251"))
    assert (found.title, found.text, found.charset) == ("Конкурс", "Фондация", "cp1251")
    assert reading("<p>Фондация".encode("utf-16"), charset="x").text == "Фондация"


def test_nul_and_broken_letters_never_reach_the_result() -> None:
    found = reading(b"<title>a\0b\xff</title><p>c\0d&#0;&#xd800;\xed\xa0\x80 <a href='/x\0y'>", charset="utf-8")
    assert is_storable(found)
    assert found.text.startswith("cd")


CALENDAR = """BEGIN:VCALENDAR\r\nPRODID:-//x//{made}\r\nX-WR-CALNAME:Читалище\r\nBEGIN:VEVENT\r\nDTSTAMP:{made}\r
LAST-MODIFIED;X=1:{made}\r\n {made}\r\nSUMMARY:Concert\r\n in two lines\r\nSTATUS:{status}\r
END:VEVENT\r\nEND:VCALENDAR\r\n"""


def test_a_calendar_is_kept_whole_and_its_stamps_do_not_change_the_hash() -> None:
    one, two, three = (
        reading(CALENDAR.format(made=made, status=status), media_type="text/calendar")
        for made, status in (("20260101T000000Z", "CONFIRMED"), ("20270202T111111Z", "CONFIRMED"), ("1", "CANCELLED"))
    )
    assert one.content_hash == two.content_hash != three.content_hash
    assert "SUMMARY:Concert" in one.text
    assert (one.title, one.links) == ("Читалище", ())


def test_lengths_are_bounded() -> None:
    long = "word " * 60_000
    found = reading(f"<html lang='{'x' * 30}'><title>{long}</title><p>{long}")
    assert (len(found.title), len(found.text), found.language) == (500, 200_000, "")
    assert reading(f"<p>{long} end").content_hash != reading(f"<p>{long} ende").content_hash


def test_only_the_first_two_mebibytes_are_parsed_and_all_is_kept() -> None:
    body = b"<p>first</p>" + b" " * (2 << 20) + b"<p>last</p>"
    found = reading(body)
    assert found.text == "first"
    assert zlib.decompress(found.raw) == body


def test_pages_without_a_body_can_be_read() -> None:
    for body in ("", "<frameset><frame src=/x></frameset>", "<html></html>", "<!---->", "\ufeff"):
        assert reading(body).text == ""


plain_paths = st.text("abcXYZ019_~-./?=&%#;@: ", max_size=30).map("/".__add__)


@given(plain_paths)
def test_the_fast_check_agrees_with_the_full_canonical_form(path: str) -> None:
    if _is_plain(path):
        assert canonical_url(f"https://example.org{path}") == f"https://example.org{path}"


@given(st.text("abc/.?#&=:@\\ %\n", max_size=20))
def test_links_are_resolved_as_browsers_do(href: str) -> None:
    place = LinkBase("https://example.org/a/b?c")
    if not href.strip():
        return
    try:
        wanted = canonical_url(ada_url.join_url("https://example.org/a/b?c", href.strip()))
    except (InvalidUrl, ValueError):
        return
    with contextlib.suppress(InvalidUrl):  # stricter than browsers where programs disagree
        assert canonical_url(place.full(href.strip())) == wanted


TAGS = str.split("div p b i ul li table tr td a span main article nav header script style title h1 br form select svg")
pieces = st.one_of(
    st.sampled_from([f"<{tag}>" for tag in TAGS] + [f"</{tag}>" for tag in TAGS]),
    st.sampled_from(
        [
            '<a href="/x">',
            '<a href="http://127.0.0.1">',
            '<a href="',
            "<!--",
            "-->",
            "<![CDATA[",
            '<script type="application/ld+json">{"@type":"Event"}</script>',
            '<script type="application/ld+json">',
            "<meta name=robots content=none>",
            "<base href=//",
            '<link rel=canonical href="',
            "<div itemscope itemprop=x itemtype=y hidden class=clock>",
            "\0",
            "&#0;",
            "&#xd800;",
            "<",
            ">",
            '"',
        ]
    ),
    st.text(max_size=10),
)


@given(st.lists(pieces, max_size=40).map("".join), st.booleans())
def test_no_html_makes_it_raise_and_every_result_can_be_stored(body: str, flat: bool) -> None:
    found = read(document(body), flat=flat)
    assert is_storable(found)
    assert pickle.loads(pickle.dumps(found)) == found == read(document(body), flat=flat)  # noqa: S301
    assert clean_text(found.text, multiline=True) == found.text


@given(st.binary(max_size=300), st.sampled_from(["text/html", "text/calendar"]), st.text(max_size=8))
def test_no_bytes_make_it_raise(body: bytes, media_type: str, charset: str) -> None:
    assert is_storable(read(document(body, media_type=media_type, charset=charset)))


@given(st.text(max_size=200))
def test_no_json_makes_it_raise(data: str) -> None:
    assert is_storable(reading(f'<script type="application/ld+json">{data}</script>'))


clocks = st.times().map(lambda time: time.strftime("%H:%M:%S"))


@given(clocks, clocks, st.text("abc123", max_size=20))
def test_no_clock_or_token_changes_the_hash(one: str, two: str, nonce: str) -> None:
    assert page(clock=one).content_hash == page(clock=two, nonce=nonce).content_hash


@given(st.sampled_from(str.split("EventCancelled EventPostponed EventMovedOnline")), clocks)
def test_another_event_status_always_changes_the_hash(status: str, clock: str) -> None:
    changed = {**EVENT, "eventStatus": f"https://schema.org/{status}"}
    assert page(data=changed, clock=clock).content_hash != page(clock=clock).content_hash


nested = st.recursive(
    st.text("abcd ", min_size=1, max_size=8),
    lambda inner: st.builds(
        lambda tag, parts: f"<{tag}>{''.join(parts)}</{tag}>",
        st.sampled_from(["div", "b", "ul", "section", "i", "blockquote"]),
        st.lists(inner, max_size=4),
    ),
    max_leaves=30,
)


@given(nested)
def test_flattening_leaves_what_is_shallow_as_it_was(body: str) -> None:
    assert flattened(body) == body


@given(st.lists(pieces, max_size=40).map("".join))
def test_flattening_loses_no_letter_between_tags(body: str) -> None:
    deep = "<b>" * 300 + body + "<div>" * 300 + "last"
    outside = re.sub(r"(?s)<.*", "", body)
    assert flattened(deep).replace("<b>", "").startswith(outside)


def test_flattening_keeps_the_links_of_what_it_leaves_out() -> None:
    body = (
        "".join(f'<a href="/{number}">' for number in range(900)) + "<div>" * 5000 + '<p><a href="/deep">deep</a></p>'
    )
    found = read(document(body), flat=True)
    assert len(found.links) == 901
    assert found.text == "deep"


def test_flattening_takes_linear_time_and_bounds_depth() -> None:
    for hostile in ("<div>" * 400_000, "<b id=1>" * 200_000, "<" * 2_000_000, '<a "' * 400_000, "<!--" * 500_000):
        assert flattened(f"{hostile}end").count("<div>") <= 200
