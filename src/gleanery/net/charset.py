"""Decodes the bytes of a page as browsers do, without ever raising."""

from __future__ import annotations

import codecs
import re

# Labels of the WHATWG Encoding Standard by Python codec. A closed table: Python's own aliases include codecs that
# unpack archives, and decode as latin-1 what the web means as windows-1252.
LABELS = {
    "utf-8": "unicode-1-1-utf-8 unicode11utf8 unicode20utf8 utf-8 utf8 x-unicode20utf8",
    "cp866": "866 cp866 csibm866 ibm866",
    "iso8859-2": "csisolatin2 iso-8859-2 iso-ir-101 iso8859-2 iso88592 iso_8859-2 iso_8859-2:1987 l2 latin2",
    "iso8859-3": "csisolatin3 iso-8859-3 iso-ir-109 iso8859-3 iso88593 iso_8859-3 iso_8859-3:1988 l3 latin3",
    "iso8859-4": "csisolatin4 iso-8859-4 iso-ir-110 iso8859-4 iso88594 iso_8859-4 iso_8859-4:1988 l4 latin4",
    "iso8859-5": "csisolatincyrillic cyrillic iso-8859-5 iso-ir-144 iso8859-5 iso88595 iso_8859-5 iso_8859-5:1988",
    "iso8859-6": "arabic asmo-708 csiso88596e csiso88596i csisolatinarabic ecma-114 iso-8859-6 iso-8859-6-e "
    "iso-8859-6-i iso-ir-127 iso8859-6 iso88596 iso_8859-6 iso_8859-6:1987",
    "iso8859-7": "csisolatingreek ecma-118 elot_928 greek greek8 iso-8859-7 iso-ir-126 iso8859-7 iso88597 "
    "iso_8859-7 iso_8859-7:1987 sun_eu_greek",
    "iso8859-8": "csiso88598e csisolatinhebrew hebrew iso-8859-8 iso-8859-8-e iso-ir-138 iso8859-8 iso88598 "
    "iso_8859-8 iso_8859-8:1988 visual csiso88598i iso-8859-8-i logical",
    "iso8859-10": "csisolatin6 iso-8859-10 iso-ir-157 iso8859-10 iso885910 l6 latin6",
    "iso8859-13": "iso-8859-13 iso8859-13 iso885913",
    "iso8859-14": "iso-8859-14 iso8859-14 iso885914",
    "iso8859-15": "csisolatin9 iso-8859-15 iso8859-15 iso885915 iso_8859-15 l9",
    "iso8859-16": "iso-8859-16",
    "koi8-r": "cskoi8r koi koi8 koi8-r koi8_r",
    "koi8-u": "koi8-ru koi8-u",
    "mac-roman": "csmacintosh mac macintosh x-mac-roman",
    "cp874": "dos-874 iso-8859-11 iso8859-11 iso885911 tis-620 windows-874",
    "cp1250": "cp1250 windows-1250 x-cp1250",
    "cp1251": "cp1251 windows-1251 x-cp1251",
    "cp1252": "ansi_x3.4-1968 ascii cp1252 cp819 csisolatin1 ibm819 iso-8859-1 iso-ir-100 iso8859-1 iso88591 "
    "iso_8859-1 iso_8859-1:1987 l1 latin1 us-ascii windows-1252 x-cp1252",
    "cp1253": "cp1253 windows-1253 x-cp1253",
    "cp1254": "cp1254 csisolatin5 iso-8859-9 iso-ir-148 iso8859-9 iso88599 iso_8859-9 iso_8859-9:1989 l5 latin5 "
    "windows-1254 x-cp1254",
    "cp1255": "cp1255 windows-1255 x-cp1255",
    "cp1256": "cp1256 windows-1256 x-cp1256",
    "cp1257": "cp1257 windows-1257 x-cp1257",
    "cp1258": "cp1258 windows-1258 x-cp1258",
    "mac-cyrillic": "x-mac-cyrillic x-mac-ukrainian",
    "gb18030": "chinese csgb2312 csiso58gb231280 gb2312 gb_2312 gb_2312-80 gbk iso-ir-58 x-gbk gb18030",
    "big5hkscs": "big5 big5-hkscs cn-big5 csbig5 x-x-big5",
    "euc-jp": "cseucpkdfmtjapanese euc-jp x-euc-jp",
    "iso2022-jp": "csiso2022jp iso-2022-jp",
    "cp932": "csshiftjis ms932 ms_kanji shift-jis shift_jis sjis windows-31j x-sjis",
    "cp949": "cseuckr csksc56011987 euc-kr iso-ir-149 korean ks_c_5601-1987 ks_c_5601-1989 ksc5601 "
    "ksc_5601 windows-949",
    "utf-16-be": "unicodefffe utf-16be",
    "utf-16-le": "csunicode iso-10646-ucs-2 ucs-2 unicode unicodefeff utf-16 utf-16le",
}
CODECS = {label: codec for codec, labels in LABELS.items() for label in labels.split()}

MARKS = ((codecs.BOM_UTF8, "utf-8"), (codecs.BOM_UTF16_LE, "utf-16-le"), (codecs.BOM_UTF16_BE, "utf-16-be"))

# These encode other letters with ASCII bytes, so they may look like valid UTF-8; this byte identifies them.
MARKER_BYTE = {"utf-16-le": b"\0", "utf-16-be": b"\0", "iso2022-jp": b"\x1b"}

DECLARED = re.compile(
    rb"""<meta\b[^>]*?\bcharset\s*=\s*["']?\s*([^\s"'/>;]+)|<\?xml\b[^>]*?\bencoding\s*=\s*["']([^"']+)""",
    re.IGNORECASE,
)
PRESCAN = 1024

# Windows-1251 letters are 0xC0 to 0xFF; Western text has few such bytes, mostly single ones between ASCII.
CYRILLIC_RUN = re.compile(rb"[\xc0-\xff]{3,}")


def decode(body: bytes, charset: str | None = None) -> str:
    """Return the text; `charset` is that of the Content-Type header, which may be wrong."""
    return decoded(body, charset)[0]


def decoded(body: bytes, charset: str | None = None) -> tuple[str, str]:
    """Return the text and the codec used."""
    for mark, codec in MARKS:
        if body.startswith(mark):
            return body[len(mark) :].decode(codec, "replace"), codec
    header_codec = CODECS.get((charset or "").strip().lower())
    if header_codec in MARKER_BYTE and MARKER_BYTE[header_codec] in body[:PRESCAN]:
        return body.decode(header_codec, "replace"), header_codec
    try:
        return body.decode(), "utf-8"
    except UnicodeDecodeError:
        codec = codec_of(body, header_codec)
        return body.decode(codec, "replace"), codec


def codec_of(body: bytes, header_codec: str | None) -> str:
    """Return the codec for bytes that are not valid UTF-8: from the header, else the page, else a guess."""
    for codec in (header_codec, declared(body)):
        if codec is not None and codec != "utf-8" and codec not in MARKER_BYTE:
            return codec
    return "utf-8" if nearly_utf8(body) else guessed(body)


def declared(body: bytes) -> str | None:
    found = DECLARED.search(body[:PRESCAN])
    return CODECS.get((found[1] or found[2]).decode("ascii", "replace").strip().lower()) if found else None


def nearly_utf8(body: bytes) -> bool:
    """Return True if few bytes are invalid: a rare bad letter is damage, frequent ones mean another charset."""
    sample = body[: 64 * 1024].decode("utf-8", "replace")
    foreign = sum(not letter.isascii() for letter in sample)
    return sample.count("\N{REPLACEMENT CHARACTER}") * 4 < foreign


def guessed(body: bytes) -> str:
    return "cp1251" if CYRILLIC_RUN.search(body) else "cp1252"
