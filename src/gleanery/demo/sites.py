"""The sites of the sample web as the data files tell them, and what is true of them."""

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
    """One address of a site. Everything below `json_ld` is rare; what is odd on purpose says so here."""

    path: str
    title: str = ""
    body: str = ""
    description: str = ""
    language: str  # that of the site unless given
    nav: str = ""  # its name in the menu; without one it is not there
    json_ld: str = ""

    type: str = "text/html"
    changes: tuple[dict[str, str], ...] = ()  # what version 2 says instead: {from, to}
    versions: tuple[int, ...] = (1, 2)  # in which it exists at all
    head: str = ""  # more for <head>: canonical, feeds, robots
    layout: str = ""  # that of the site unless given; "none" is the bare body
    updated: int = 30  # days before the demo
    engines: tuple[str, ...] = ENGINES  # which search engines know it; those of the site unless given
    found_as: dict[str, list[str]] = field(default_factory=dict)  # engine -> other spellings of its address

    status: int = 200
    redirect: str = ""
    delay: float = 0.0
    handler: str = ""  # one of misfits.HANDLERS, answers for everything under the path
    charset: str = ""  # how it is really written
    says: str | None = None  # what the header claims instead; "" claims nothing


@dataclass(frozen=True, slots=True, kw_only=True)
class Site:
    host: str
    kind: str
    name: str
    language: str
    pages: tuple[Page, ...]
    layout: str = "plain"
    colour: str = "#245"
    tagline: str = ""
    footer: str = ""
    www: str = ""  # "same" answers too, "to-www" and "to-apex" redirect to the one spelling
    charset: str = "utf-8"
    says: str | None = None
    crawl_delay: float | None = None
    disallow: tuple[str, ...] = ()
    robots: str = ""  # a robots.txt of its own words
    sitemap: bool = False
    engines: tuple[str, ...] = ENGINES
    delay: float = 0.0
    broken_links: tuple[str, ...] = ()  # on purpose

    @property
    def spellings(self) -> tuple[str, ...]:
        return (self.host, f"www.{self.host}") if self.www else (self.host,)

    @property
    def main_host(self) -> str:
        return f"www.{self.host}" if self.www == "to-www" else self.host


@cache
def sites() -> tuple[Site, ...]:
    """Every site, by host; an unknown key in a file is an error."""
    found = [site_of(tomllib.loads(file.read_text("utf-8"))) for file in (DATA / "sites").iterdir()]
    return tuple(sorted(found, key=lambda site: site.host))


def site_of(table: dict[str, Any]) -> Site:
    inherited = {name: table[name] for name in ("language", "engines") if name in table}
    pages = tuple(Page(**frozen(inherited | page)) for page in table.pop("pages"))
    return Site(**frozen(table), pages=pages)


def frozen(table: dict[str, Any]) -> dict[str, Any]:
    return {key: tuple(value) if isinstance(value, list) else value for key, value in table.items()}


def page_in(page: Page, version: int) -> Page | None:
    """The page as that version of the web has it, or None where it does not exist."""
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
    """Every host that the sample web answers for, www included: what GLEANERY_NET_RESOLVE must name."""
    return tuple(by_host())


@cache
def truth() -> dict[str, Any]:
    """What is true of the sample web: sites, things and who tells of them, look-alikes, changes, typical queries."""
    return tomllib.loads((DATA / "truth.toml").read_text("utf-8"))
