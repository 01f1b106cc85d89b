"""Parsing and building of web addresses for feeds. Pure."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from datetime import date
from urllib.parse import SplitResult, parse_qsl, urlencode, urljoin, urlsplit, urlunsplit

from gleanery.feeds.platform import Link

LONGEST = 2_000
MOST_PAGES = 50  # per feed


def split(url: str) -> SplitResult | None:
    """Return the parts of a web address, or None. webcal: is read as https:."""
    if len(url) > LONGEST:
        return None
    scheme, _, rest = url.partition(":")
    if scheme.lower() in ("webcal", "webcals"):
        url = f"https:{rest}"
    try:
        parts = urlsplit(url)
        is_web = parts.scheme in ("http", "https") and bool(parts.hostname) and parts.port != 0
    except ValueError:
        return None
    return parts if is_web else None


def unchanged(url: str, _: date) -> str:
    """Return the address of a feed that does not depend on the day."""
    return url


def host_of(url: str) -> str:
    parts = split(url)
    return (parts.hostname or "") if parts else ""


def is_on(url: str, *domains: str) -> bool:
    """Return True if the host is one of the domains or below one, label by label."""
    host = f".{host_of(url)}"
    return any(host.endswith(f".{domain}") for domain in domains)


def is_same_site(one: str, other: str) -> bool:
    return host_of(one).removeprefix("www.") == host_of(other).removeprefix("www.") != ""


def at_root(url: str, path: str) -> str:
    """Return the address of a path on the same host and port."""
    parts = split(url)
    return urlunsplit((parts.scheme, parts.netloc.rpartition("@")[2], path, "", "")) if parts else ""


def path_of(url: str) -> str:
    parts = split(url)
    return parts.path if parts else ""


def absolute(base: str, written: str) -> str:
    """Return the absolute address without fragment, or "" if it is not a web address."""
    try:
        parts = split(urljoin(base, written.strip()))
    except ValueError:
        return ""
    return urlunsplit(parts._replace(fragment="")) if parts else ""


def query_of(url: str) -> dict[str, str]:
    """Return the first value of each parameter, by lower-case name."""
    parts = split(url)
    found: dict[str, str] = {}
    for name, value in parse_qsl(parts.query, max_num_fields=None)[:100] if parts else ():
        found.setdefault(name.lower(), value)
    return found


def with_query(url: str, changes: Mapping[str, str]) -> str:
    """Return the address with these parameters replaced or added."""
    parts = split(url)
    if parts is None:
        return url
    kept = [(name, value) for name, value in parse_qsl(parts.query, keep_blank_values=True) if name not in changes]
    return urlunsplit(parts._replace(query=urlencode([*kept, *changes.items()], safe="$'")))


def later_page(now: str, then: str, name: str = "page") -> str:
    """Return the address of the next page if it is on the same host with a higher, plausible number, else ""."""
    if not then or host_of(then) != host_of(now):
        return ""
    numbers = [query_of(each).get(name, "1") for each in (now, then)]
    if not all(each.isascii() and each.isdigit() and len(each) < len(str(MOST_PAGES)) + 2 for each in numbers):
        return ""
    return then if int(numbers[0]) < int(numbers[1]) <= MOST_PAGES else ""


def each_once(links: Iterable[Link]) -> Iterator[Link]:
    """Yield links without duplicates, ignoring fragments."""
    seen: set[str] = set()
    for link in links:
        address = absolute(link.href, "")
        if address and address not in seen:
            seen.add(address)
            yield Link(href=address, rel=link.rel, type=link.type, text=link.text)
