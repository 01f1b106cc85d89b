"""Pages are decoded whatever charset they have or declare."""

from __future__ import annotations

import codecs

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gleanery.net.charset import CODECS, decode

BULGARIAN = "<p>Фондация „Америка за България“ обявява конкурс за училища.</p>"
META = '<meta charset="windows-1251">'


@pytest.mark.parametrize("label", ["windows-1251", "Windows-1251", " cp1251 ", "x-cp1251"])
def test_the_header_may_use_any_name_of_a_charset(label: str):
    assert decode(BULGARIAN.encode("cp1251"), label) == BULGARIAN


@pytest.mark.parametrize(
    "head",
    [
        META,
        "<META CHARSET=windows-1251>",
        '<meta http-equiv="Content-Type" content="text/html; charset=windows-1251">',
        '<html>\n<head><meta name="x"><meta content="text/html;charset=WINDOWS-1251" http-equiv=content-type />',
        '<?xml version="1.0" encoding="windows-1251"?>',
    ],
)
def test_the_page_itself_may_declare_it(head: str):
    assert decode((head + BULGARIAN).encode("cp1251")) == head + BULGARIAN


def test_a_declaration_counts_only_near_the_beginning_of_the_page():
    page = ("<!--" + "é" * 2 + " " * 1100 + "-->" + META).encode("cp1252")
    assert "é" in decode(page)


def test_valid_utf8_is_utf8_whatever_is_declared():
    for label in ("windows-1251", "iso-8859-1", "nonsense", None):
        assert decode((META + BULGARIAN).encode(), label) == META + BULGARIAN


def test_a_page_wrongly_declared_as_utf8_is_decoded_by_its_bytes():
    assert decode((META + BULGARIAN).encode("cp1251"), "utf-8") == META + BULGARIAN
    assert decode(('<meta charset="utf-8">' + BULGARIAN).encode("cp1251"), "utf-8").endswith(BULGARIAN)
    assert decode(BULGARIAN.encode("cp1251")) == BULGARIAN


def test_one_damaged_letter_does_not_change_the_charset():
    damaged = BULGARIAN.encode().replace("Ф".encode(), b"\xd0", 1)
    assert decode(damaged, "utf-8") == BULGARIAN.replace("Ф", "\N{REPLACEMENT CHARACTER}", 1)


def test_western_text_without_a_declaration_is_western():
    text = "<p>Fördermittel für Schulen – “neu”, garçon, señor</p>"
    assert decode(text.encode("cp1252")) == text
    assert decode(text.encode("cp1252"), "iso-8859-1") == text


@pytest.mark.parametrize(
    ("mark", "codec"),
    [(codecs.BOM_UTF8, "utf-8"), (codecs.BOM_UTF16_LE, "utf-16-le"), (codecs.BOM_UTF16_BE, "utf-16-be")],
)
def test_a_byte_order_mark_beats_everything_and_is_dropped(mark: bytes, codec: str):
    assert decode(mark + BULGARIAN.encode(codec), "windows-1251") == BULGARIAN


def test_encodings_made_of_ascii_bytes_need_the_header_and_a_marker():
    assert decode("<p>hello</p>".encode("utf-16-le"), "utf-16") == "<p>hello</p>"
    assert decode("日本".encode("iso2022-jp"), "iso-2022-jp") == "日本"
    assert decode(b"<p>hello</p>", "utf-16") == "<p>hello</p>"


@pytest.mark.parametrize(
    "label", ["zlib", "unicode_escape", "utf-7", "rot13", "idna", "hex", "undefined", "\udc80", "x" * 999]
)
def test_codecs_known_only_to_python_are_ignored(label: str):
    assert decode(b"\\u0041+AGE- \xe9t\xe9", label) == "\\u0041+AGE- été"


@given(st.binary(max_size=3000), st.one_of(st.none(), st.text(), st.sampled_from(sorted(CODECS))))
def test_nothing_ever_raises(body: bytes, label: str | None):
    assert isinstance(decode(body, label), str)


def test_every_label_leads_to_a_codec_that_exists():
    for codec in CODECS.values():
        codecs.lookup(codec)
