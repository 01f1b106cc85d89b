"""The writing of a copy: each page rendered, its links led to other files, and put into the folder."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date
from pathlib import Path
from typing import Final
from uuid import UUID

from django.contrib.staticfiles import finders
from django.utils import translation

from gleanery.publishing.calendars.record_file import calendar_file
from gleanery.publishing.search.sitemap import parts
from gleanery.publishing.showing.addresses import path_of
from gleanery.publishing.showing.reading_many import published_many
from gleanery.publishing.static_site import addresses, index, lists
from gleanery.publishing.static_site.folder import Folder
from gleanery.publishing.static_site.rendering import HERE, Renderer, match_of, moved, path_if_there
from gleanery.publishing.static_site.rewriting import rewritten

PAGES: Final = ("home", "about", "data")  # written where this version has them
FILES: Final = ("robots", "sitemap", "feed-calendar", "feed-atom")
ON_DEMAND: Final = frozenset({"logo"})  # written where a page links to them
RECORDS, CALENDAR = "/records/", "/calendar.ics"
OURS: Final = (addresses.LISTS, addresses.MONTHS, addresses.SEARCH, addresses.INDEX, "/static/")
ASSETS: Final = ("public/", "console/icon.svg")  # the stylesheet with all that it names, and the icon


@dataclass(frozen=True, slots=True)
class Job:
    """`base_url` stands in whole addresses; what only a server can do leads to `live_url`, or is left out."""

    root: Path
    base_url: str
    live_url: str
    today: date
    language: str


class Copy:
    """A part of the copy while one process writes it."""

    def __init__(self, job: Job) -> None:
        self.folder = Folder(job.root)
        self._job, self._renderer = job, Renderer()
        self._linked: set[str] = set()  # files that a page links to
        self._calendars: set[UUID] = set()  # records with dates

    def pages(self, paths: list[str]) -> Folder:
        for path in paths:
            self._page(path)
        self._write_linked()
        return self.folder

    def rest(self) -> Folder:
        """All that is no page of a record."""
        for path in filter(None, map(path_if_there, PAGES)):
            self._page(path)
        with translation.override(self._job.language):
            self._write_lists()
        for path in [*filter(None, map(path_if_there, FILES)), *(f"/sitemap-{number}.xml" for number in parts())]:
            self._file(path)
        for name, data in _assets():
            self.folder.write(name, data)
        self._write_linked()
        return self.folder

    def _page(self, path: str) -> None:
        if (data := self._renderer.page(path)) is not None:
            self._write_page(path, data)

    def _file(self, path: str) -> None:
        if (data := self._renderer.page(path)) is not None:
            self._write(path, data)

    def _write_linked(self) -> None:
        for path in sorted(self._linked):
            self._file(path)
        with translation.override(self._job.language):
            for of in published_many(sorted(self._calendars)):
                path = path_of(of.record.pk, of.record.name)
                self._write(f"{RECORDS}{of.record.pk}{CALENDAR}", calendar_file(of, HERE + path))

    def _write_lists(self) -> None:
        for each in lists.list_pages(self._job.today):
            self._write_page(each.path, self._renderer.own_page(each.path, "static_site/list.html", {"list": each}))
        search = self._renderer.own_page(addresses.SEARCH, "static_site/search.html", {})
        self._write_page(addresses.SEARCH, search)
        entries = (index.entry(each, self._job.today) for each in lists.coming(self._job.today))
        self.folder.write(addresses.file_of(addresses.INDEX), index.document(entries))

    def _write_page(self, path: str, data: bytes) -> None:
        self._write(path, rewritten(path, data.decode(), self._target).encode())

    def _write(self, path: str, data: bytes) -> None:
        self.folder.write(addresses.file_of(path), moved(data, self._job.base_url))

    def _target(self, link: str) -> str:
        path, query, fragment = addresses.split(link)
        if path in (addresses.LIVE_SEARCH, "") and not fragment:
            return addresses.of_search(query)
        if not query and self._is_kept(path):
            return f"{path}#{fragment}" if fragment else path
        return f"{self._job.live_url}{link}" if self._job.live_url else ""

    def _is_kept(self, path: str) -> bool:
        """Return True if the copy has this address too. Most links lead to records, so these are looked at first."""
        if path.startswith(RECORDS) and path.endswith(CALENDAR):
            self._calendars.add(UUID(path.removeprefix(RECORDS).removesuffix(CALENDAR)))
            return True
        if (path.startswith(RECORDS) and path.endswith("/")) or path.startswith(OURS):
            return True
        match = match_of(path)
        name = match.url_name if match else ""
        if name in ON_DEMAND:
            self._linked.add(path)
        return name in ON_DEMAND or name in PAGES or name in FILES


def _assets() -> Iterator[tuple[str, bytes]]:
    for finder in finders.get_finders():
        for name, storage in finder.list([]):
            if name.startswith(ASSETS):
                with storage.open(name) as file:
                    yield f"static/{name}", file.read()
