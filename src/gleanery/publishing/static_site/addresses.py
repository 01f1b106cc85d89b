"""Addresses of the site as files of its copy, and links between them. Pure."""

from __future__ import annotations

import posixpath
from typing import Final
from urllib.parse import parse_qsl, unquote, urlencode, urlsplit

LISTS, MONTHS, SEARCH, INDEX = "/lists/", "/months/", "/search/", "/search-index.json"
LIVE_SEARCH: Final = "/search"
CARRIED: Final = frozenset({"q", "kind", "place", "free", "online"})  # filters that the search of the copy knows


def list_path(kind: str) -> str:
    return f"{LISTS}{kind}/"


def month_path(month: str) -> str:
    return f"{MONTHS}{month}/"


def numbered(path: str, number: int) -> str:
    """The address of one page of a list; the first has that of the list."""
    return f"{path}{number}/" if number > 1 else path


def file_of(path: str) -> str:
    """The file, from the folder of the copy, that holds this address."""
    name = unquote(path).lstrip("/")
    return f"{name}index.html" if not name or name.endswith("/") else name


def relative(to: str, page: str) -> str:
    """The link from one page to an address, whatever folder the copy is put into."""
    path, mark, query = to.partition("?")
    found = posixpath.relpath(path, page if page.endswith("/") else posixpath.dirname(page))
    return f"{found}{'/' if path.endswith('/') else ''}{mark}{query}"


def of_search(query: str) -> str:
    """The page of the copy for a search: the list of a kind, else its own search with the filters that this knows."""
    given = dict(parse_qsl(query))
    if given.keys() == {"kind"}:
        return list_path(given["kind"])
    kept = urlencode({name: value for name, value in given.items() if name in CARRIED})
    return f"{SEARCH}?{kept}" if kept else SEARCH


def is_internal(link: str) -> bool:
    return link.startswith("/") and not link.startswith(("//", "/\\"))


def split(link: str) -> tuple[str, str, str]:
    """Path, query and fragment."""
    parts = urlsplit(link)
    return parts.path, parts.query, parts.fragment
