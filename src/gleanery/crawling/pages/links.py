"""The links of a page: those to follow, those refused with a reason, and other sites it links to."""

from __future__ import annotations

import re
from collections import Counter
from functools import lru_cache

import ada_url
from selectolax.lexbor import LexborHTMLParser

from gleanery.domains.names import DomainName, domain_of, in_scope
from gleanery.domains.urls import LONGEST, SESSIONS, TRACKING, TRACKING_FAMILIES, canonical_url
from gleanery.errors import InvalidDomain, InvalidUrl
from gleanery.text import clean_text

MOST_LINKS = 1_000
MOST_REFUSED = 20
MOST_OUTBOUND = 50
LONGEST_REFUSED = 200
LONGEST_PLAIN = 300

NOT_FOLLOWED = frozenset({"nofollow", "ugc", "sponsored"})
# File types that are never read.
UNREAD = frozenset(
    str.split(
        "7z aac apk avi avif bin bmp bz2 csv css dmg doc docx dwg eot epub exe flac flv gif gz heic ico iso jar jpeg "
        "jpg js m4a m4v mid mkv mobi mov mp3 mp4 mpeg mpg msi odp ods odt ogg ogv otf pps ppsx ppt pptx ps psd rar rtf "
        "svg swf tar tgz tif tiff ttf txt wav webm webp wma wmv woff woff2 xls xlsx xz zip"
    )
)

_SCHEME = re.compile(r"[a-zA-Z][a-zA-Z0-9+.-]*:")
_AUTHORITY = re.compile(r"https?://[^/?#\\]+", re.IGNORECASE)
_AFTER_HOST = ("/", "?", "#", "")
_ODD = re.compile(r"[\x00-\x20\\]")
# A path and at most one parameter that are already canonical.
_PLAIN = re.compile(r"/(?!/)[\w~/.-]*(?:\?([\w-]+)=[\w.-]*)?", re.ASCII)


class LinkBase:
    """The base URL of a page, used to resolve its relative links."""

    __slots__ = ("_base", "_folder", "_page", "origin")

    def __init__(self, url: str, base: str | None = None) -> None:
        """`base` is the page's <base> element; an unusable one is ignored, as browsers do."""
        self._base = _joined(url, base) if base else url
        if not self._base.lower().startswith(("http://", "https://")):
            self._base = url
        self._page = self._base.partition("#")[0].partition("?")[0]
        found = _AUTHORITY.match(self._page)
        self.origin = found[0] if found else ""
        self._folder = self._page[: self._page.rfind("/", len(self.origin)) + 1] or f"{self.origin}/"

    def full(self, href: str) -> str:
        """Resolve a link by joining strings where that is enough, else with the URL parser."""
        if _ODD.search(href):
            return _joined(self._base, href)
        if href[0] == "/":
            return f"{self.origin}{href}" if href[1:2] != "/" else f"{self.origin.partition('/')[0]}{href}"
        if _SCHEME.match(href):
            # http:page is a relative link to browsers.
            return href if _AUTHORITY.match(href) else _joined(self._base, href)
        if href[0] == "#":
            return f"{self._base.partition('#')[0]}{href}"
        return f"{self._page}{href}" if href[0] == "?" else f"{self._folder}{href}"


class Links:
    """Collects the links of one page."""

    def __init__(self, place: LinkBase, domain: DomainName) -> None:
        self._place = place
        self._domain = domain
        self._home = place.origin if _is_home(place.origin, domain) else ""
        self._owners: dict[str, DomainName | None] = {}
        self._seen: set[str] = set()
        self._followed: dict[str, None] = {}
        self._refused: dict[str, str] = {}
        self._outbound: Counter[str] = Counter()

    @property
    def followed(self) -> tuple[str, ...]:
        return tuple(self._followed)

    @property
    def refused(self) -> tuple[tuple[str, str], ...]:
        return tuple(self._refused.items())

    @property
    def outbound(self) -> tuple[str, ...]:
        return tuple(name for name, _ in self._outbound.most_common(MOST_OUTBOUND))

    def add(self, href: str, *, follow: bool) -> None:
        href = href.strip()
        if not href or href[0] == "#":
            return
        home = self._home
        path = href[len(home) :] if href.startswith(home) else href
        if home and path[:1] == "/" and len(path) <= LONGEST_PLAIN and _is_plain(path):
            if follow and len(self._followed) < MOST_LINKS:
                self._followed[home + path] = None
            return
        if href[:9].lower() == "webcal://":
            href = f"https{href[6:]}"
        url = self._place.full(href)
        if self._begins_at_home(url):
            self._follow(url, follow)
        elif found := _AUTHORITY.match(url):
            self._add_elsewhere(url, found[0], follow)
        # The rest are not pages: mailto, tel, javascript, data.

    def _begins_at_home(self, url: str) -> bool:
        home = self._home
        return bool(home) and url.startswith(home) and url[len(home) : len(home) + 1] in _AFTER_HOST

    def _add_elsewhere(self, url: str, authority: str, follow: bool) -> None:
        if authority not in self._owners:
            self._owners[authority] = self._owner(authority)
        owner = self._owners[authority]
        if owner == self._domain:
            self._follow(url, follow)
        elif owner is not None and owner.registrable != self._domain.registrable:
            self._outbound[owner.registrable] += 1

    def _follow(self, url: str, follow: bool) -> None:
        if not follow or url in self._seen or len(self._followed) >= MOST_LINKS:
            return
        self._seen.add(url)
        canonical, problem = _canonical(url)
        if problem:
            self._refuse(url, problem)
        elif not _is_unread(canonical):
            self._followed[canonical] = None

    def _owner(self, authority: str) -> DomainName | None:
        try:
            return domain_of(authority)
        except InvalidDomain as problem:
            self._refuse(authority, str(problem))
            return None

    def _refuse(self, url: str, problem: str) -> None:
        if len(self._refused) < MOST_REFUSED:
            self._refused.setdefault(clean_text(url, limit=LONGEST_REFUSED), problem)


def canonical_of(url: str) -> str:
    """Return the canonical URL, or "" if it is not a web address."""
    return _canonical(url)[0]


def links_of(tree: LexborHTMLParser, place: LinkBase, domain: DomainName) -> Links:
    links = Links(place, domain)
    for node in tree.css("a[href], area[href], link[href]"):
        attributes = node.attributes
        if node.tag != "link" or _is_calendar(attributes):
            rel = attributes.get("rel")
            follow = not rel or NOT_FOLLOWED.isdisjoint(rel.lower().split())
            links.add(attributes["href"] or "", follow=follow)
    return links


def _is_home(origin: str, domain: DomainName) -> bool:
    """Return True if URLs with this origin are in scope and canonical up to the path."""
    return canonical_of(f"{origin}/") == f"{origin}/" and in_scope(origin, domain)


def _is_calendar(attributes: dict[str, str | None]) -> bool:
    rel = (attributes.get("rel") or "").lower().split()
    kind = (attributes.get("type") or "").partition(";")[0].strip().lower()
    return "alternate" in rel and kind == "text/calendar"


def _joined(base: str, href: str) -> str:
    try:
        return ada_url.join_url(base, href.strip())
    except ValueError:
        return href


def _is_unread(canonical: str) -> bool:
    return canonical.partition("?")[0].rpartition(".")[2].lower() in UNREAD


@lru_cache(maxsize=4096)
def _is_plain(path: str) -> bool:
    """Return True if the path can be read and is canonical, as most are; a fast check."""
    plain = _PLAIN.fullmatch(path)
    if plain is None or "/." in path or (plain[1] and _may_be_noise(plain[1].lower())):
        return False
    return not _is_unread(path)


def _may_be_noise(name: str) -> bool:
    return name in TRACKING or name in SESSIONS or name.startswith(TRACKING_FAMILIES)


def _canonical(url: str) -> tuple[str, str]:
    """Return the canonical URL and "", or "" and the problem; long URLs are not cached."""
    return _cached_canonical(url) if len(url) <= LONGEST else _cached_canonical.__wrapped__(url)


@lru_cache(maxsize=4096)
def _cached_canonical(url: str) -> tuple[str, str]:
    """Return the same, cached, since the pages of a site mostly share their links."""
    try:
        return canonical_url(url), ""
    except InvalidUrl as problem:
        return "", str(problem)
