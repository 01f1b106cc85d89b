"""Looks for signs on pages and reads answers of feeds in child processes, which are killed when that takes too long."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import timedelta
from typing import Any, NamedTuple

from gleanery.crawling.processes.child_pool import Children, Lost
from gleanery.errors import Unreadable
from gleanery.extraction.running.extractor_pool import extracted
from gleanery.feeds.platform import Answer, NotThisPlatform, Platform, Reading, Sign
from gleanery.feeds.platforms import BY_NAME
from gleanery.feeds.reading.child import asking_for_signs, asking_to_read

SECONDS = 20.0  # an honest calendar of ten megabytes takes several


class Shown(NamedTuple):
    """A sign on a page, with the platform that knows it."""

    platform: Platform
    sign: Sign


class Read(NamedTuple):
    platform: Platform
    reading: Reading


class NoFeed(NotThisPlatform):
    """No platform knows the answer. `shows` are feeds that it points to, where it is a web page."""

    def __init__(self, sentence: str, shows: Sequence[str] = ()) -> None:
        super().__init__(sentence)
        self.shows = tuple(shows)


class Parser(Children):
    """Use as `async with Parser() as parser`. Unreadable where reading takes too long or too much memory."""

    module = "gleanery.feeds.reading.child"

    def __init__(self) -> None:
        super().__init__(seconds=SECONDS)

    async def signs(self, raw: bytes, charset: str, url: str, headers: Mapping[str, str]) -> list[Shown]:
        (found,) = await self._ask(asking_for_signs(raw, charset, url, headers))
        return [_shown(*each) for each in found]

    async def read(self, platforms: Sequence[Platform], body: bytes, charset: str, answer: Answer) -> Read:
        """As the platform that makes most of it; NoFeed if none can."""
        read, problem, shows = await self._ask(asking_to_read(platforms, body, charset, answer))
        if read is None:
            raise NoFeed(problem, shows)
        name, things, title, follows, ttl = read
        found = extracted(*things)
        reading = Reading(
            drafts=found.drafts,
            contacts=found.contacts,
            title=title,
            follows=follows,
            ttl=None if ttl is None else timedelta(seconds=ttl),
            problems=found.problems,
        )
        return Read(BY_NAME[name], reading)

    async def _ask(self, message: bytes) -> Any:
        try:
            return await self.ask(message)
        except Lost as problem:
            raise Unreadable(str(problem)) from None


def _shown(platform: str, url: str, title: str, guess: bool, covers: list[str]) -> Shown:
    return Shown(BY_NAME[platform], Sign(url=url, title=title, guess=guess, covers=tuple(covers)))
