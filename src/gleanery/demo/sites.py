"""Sites of the sample web, loaded from its data files, and its ground truth."""

from __future__ import annotations

import tomllib
from dataclasses import dataclass, field, replace
from functools import cache
from importlib.resources import files
from typing import Any

ENGINES = ("brave", "searxng")
DATA = files("gleanery.demo") / "data"


@dataclass(frozen=True, slots=True, kw_only=True)
class Page:
    """One page of a site; fields below `json_ld` are for special cases."""

    path: str
    title: str = ""
    body: str = ""
    description: str = ""
    language: str  # default: that of the site
    nav: str = ""  # its label in the menu, if it is there
    json_ld: str = ""

    type: str = "text/html"
    changes: tuple[dict[str, str], ...] = ()  # replacements in version 2: {from, to}
    versions: tuple[int, ...] = (1, 2)  # those in which it exists
    head: str = ""  # extra tags for <head>: canonical, feeds, robots
    layout: str = ""  # default: that of the site; "none" is the bare body
    updated: int = 30  # days before the demo
    engines: tuple[str, ...] = ENGINES  # search engines that have indexed it; default: those of the site
    found_as: dict[str, list[str]] = field(default_factory=dict)  # other forms of its address, by engine

    status: int = 200
    redirect: str = ""
    delay: float = 0.0
    handler: str = ""  # one of hostile_pages.HANDLERS, which serves everything below the path
    charset: str = ""  # its real charset
    says: str | None = None  # the charset in the header, if another; "" for none


@dataclass(frozen=True, slots=True, kw_only=True)
class Site:
    """A site with its pages."""

    host: str
    kind: str
    name: str
    language: str
    pages: tuple[Page, ...]
    layout: str = "plain"
    colour: str = "#245"
    tagline: str = ""
    footer: str = ""
    www: str = ""  # "same" serves both hosts, "to-www" and "to-apex" redirect to one
    charset: str = "utf-8"
    says: str | None = None
    crawl_delay: float | None = None
    disallow: tuple[str, ...] = ()
    robots: str = ""  # its own robots.txt
    sitemap: bool = False
    engines: tuple[str, ...] = ENGINES
    delay: float = 0.0
    broken_links: tuple[str, ...] = ()  # intentional

    @property
    def spellings(self) -> tuple[str, ...]:
        return (self.host, f"www.{self.host}") if self.www else (self.host,)

    @property
    def main_host(self) -> str:
        return f"www.{self.host}" if self.www == "to-www" else self.host


@cache
def sites() -> tuple[Site, ...]:
    """Return all sites, sorted by host; an unknown key in a file is an error."""
    found = [site_of(tomllib.loads(file.read_text("utf-8"))) for file in (DATA / "sites").iterdir()]
    return tuple(sorted(found, key=lambda site: site.host))


def site_of(table: dict[str, Any]) -> Site:
    inherited = {name: table[name] for name in ("language", "engines") if name in table}
    pages = tuple(Page(**frozen(inherited | page)) for page in table.pop("pages"))
    return Site(**frozen(table), pages=pages)


def frozen(table: dict[str, Any]) -> dict[str, Any]:
    return {key: tuple(value) if isinstance(value, list) else value for key, value in table.items()}


def page_in(page: Page, version: int) -> Page | None:
    """Return the page in a version of the web, or None if it does not exist there."""
    if version not in page.versions:
        return None
    if version == 1 or not page.changes:
        return page
    texts = {name: getattr(page, name) for name in ("title", "description", "body", "json_ld")}
    for change in page.changes:
        texts = {name: text.replace(change["from"], change["to"]) for name, text in texts.items()}
    return replace(page, **texts)


@cache
def by_host() -> dict[str, Site]:
    return {spelling: site for site in sites() for spelling in site.spellings}


def hosts() -> tuple[str, ...]:
    """Return every host of the sample web, www included, for GLEANERY_NET_RESOLVE."""
    return tuple(by_host())


@cache
def truth() -> dict[str, Any]:
    """Return the ground truth: sites, things and their pages, look-alikes, changes, typical queries."""
    return tomllib.loads((DATA / "truth.toml").read_text("utf-8"))
