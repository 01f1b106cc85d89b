"""Reads sitemaps: XML of pages or further sitemaps, feeds or plain lists, gzipped or not; never raises."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import chain
from xml.parsers import expat

from gleanery.domains.urls import LONGEST
from gleanery.net.inflate import Gzip, MalformedError

MOST_URLS = 50_000
LARGEST = 10 * 1024 * 1024  # when unpacked
PIECE = 64 * 1024
DEEPEST = 100

GZIP = b"\x1f\x8b"
MARK = b"\xef\xbb\xbf"

# Elements that hold an address, by parent and local name, since prefixes and namespaces vary.
PAGES = frozenset({("url", "loc"), ("item", "link"), ("entry", "link")})
SITEMAPS = frozenset({("sitemap", "loc")})
ROOTS = frozenset({"urlset", "sitemapindex", "rss", "rdf", "feed"})


@dataclass(frozen=True, slots=True)
class Sitemap:
    """Unique addresses as the site spells them; `problem` is a sentence if some could not be read, else ""."""

    pages: tuple[str, ...] = ()
    sitemaps: tuple[str, ...] = ()
    problem: str = ""


class _Stop(Exception):
    """Stops reading with a reason; addresses found so far are kept."""


def parse(body: bytes) -> Sitemap:
    found = _Found()
    problem = ""
    try:
        _read(_bounded(_unpacked(body)), found)
    except _Stop as stop:
        problem = str(stop)
    except MalformedError:
        problem = "Its gzip data is damaged."
    return Sitemap(tuple(found.pages), tuple(found.sitemaps), problem)


class _Found:
    """Collects the addresses."""

    def __init__(self) -> None:
        self.pages: dict[str, None] = {}
        self.sitemaps: dict[str, None] = {}

    def add(self, place: dict[str, None], address: str) -> None:
        address = address.strip()
        if not address[:8].lower().startswith(("http://", "https://")) or len(address) > LONGEST:
            return
        if len(self.pages) + len(self.sitemaps) >= MOST_URLS:
            raise _Stop(f"It lists more than {MOST_URLS:,} addresses; the rest are ignored.")
        place[address] = None


def _unpacked(body: bytes) -> Iterator[bytes]:
    if not body.startswith(GZIP):
        yield from (body[start : start + PIECE] for start in range(0, len(body), PIECE))
        return
    gzip = Gzip()
    yield from gzip.feed(body)
    gzip.finish()


def _bounded(pieces: Iterable[bytes]) -> Iterator[bytes]:
    size = 0
    for piece in pieces:
        room = LARGEST - size
        size += len(piece)
        yield piece[:room]
        if size > LARGEST:
            raise _Stop(f"It is larger than {LARGEST // 1024 // 1024} MiB; the rest is ignored.")


def _read(pieces: Iterator[bytes], found: _Found) -> None:
    """Read XML or a plain list, depending on the first characters."""
    first = b""
    for piece in pieces:
        first = (first + piece).removeprefix(MARK).lstrip()
        if first:
            break
    if not first:
        raise _Stop("It is empty.")
    # UTF-16 begins with a byte order mark, or has a NUL beside the first character.
    is_xml = first[:1] == b"<" or first[:2] in (b"\xff\xfe", b"\xfe\xff", b"\0<")
    (_read_xml if is_xml else _read_list)(first, pieces, found)


def _read_list(first: bytes, pieces: Iterator[bytes], found: _Found) -> None:
    """Read one address per line; only the start of an overlong line is kept in memory."""
    rest = first
    for piece in chain(pieces, [b"\n"]):
        *lines, rest = (rest + piece).split(b"\n")
        for line in lines:
            found.add(found.pages, line.decode("utf-8", "replace"))
        rest = rest[: LONGEST * 4]
    if not found.pages:
        raise _Stop("It is neither a sitemap nor a list of addresses.")


def _read_xml(first: bytes, pieces: Iterator[bytes], found: _Found) -> None:
    reader = _Reader(found)
    try:
        reader.feed(first)
        for piece in pieces:
            reader.feed(piece)
        reader.finish()
    except expat.ExpatError as problem:
        raise _Stop(f"Its XML is broken in line {problem.lineno}; the addresses before that are used.") from None
    except MalformedError:
        raise
    except (LookupError, ValueError):
        raise _Stop("Its XML has a charset that cannot be read.") from None


class _Reader:
    """Reads XML as a stream, keeping only the names of open elements and the text of one address."""

    def __init__(self, found: _Found) -> None:
        self._found = found
        self._open: list[str] = []
        self._place: dict[str, None] | None = None
        self._text: list[str] = []
        self._length = 0
        self._parser = expat.ParserCreate()
        self._parser.buffer_text = True
        self._parser.StartDoctypeDeclHandler = self._refuse_doctype
        self._parser.StartElementHandler = self._start
        self._parser.EndElementHandler = self._end
        self._parser.CharacterDataHandler = self._say

    def feed(self, piece: bytes) -> None:
        self._parser.Parse(piece, False)

    def finish(self) -> None:
        self._parser.Parse(b"", True)

    def _refuse_doctype(self, *_: object) -> None:
        """Refuse document types: their entities can grow without end or include files, and no sitemap needs them."""
        raise _Stop("It has a document type, which sitemaps never have, so it is not read.")

    def _start(self, name: str, attributes: dict[str, str]) -> None:
        local = name.rpartition(":")[2].lower()
        if not self._open and local not in ROOTS:
            raise _Stop("It is not a sitemap but another kind of XML or HTML.")
        if len(self._open) >= DEEPEST:
            raise _Stop("Its elements are nested too deeply for a sitemap.")
        where = (self._open[-1] if self._open else "", local)
        self._open.append(local)
        self._place = self._found.pages if where in PAGES else self._found.sitemaps if where in SITEMAPS else None
        self._text.clear()
        self._length = 0
        if self._place is not None and attributes.get("rel", "alternate") == "alternate":
            self._found.add(self._place, attributes.get("href", ""))

    def _say(self, text: str) -> None:
        if self._place is not None and self._length <= LONGEST:
            self._text.append(text[: LONGEST + 100])
            self._length += len(text)

    def _end(self, _: str) -> None:
        self._open.pop()
        if self._place is not None:
            place, self._place = self._place, None
            self._found.add(place, "".join(self._text))
