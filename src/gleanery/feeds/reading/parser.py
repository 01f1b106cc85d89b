"""Finds signs on pages and parses answers in child processes, which are killed when they take too long."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import timedelta
from typing import Any, NamedTuple

from gleanery.crawling.processes.child_pool import ChildLost, ChildPool
from gleanery.errors import Unreadable
from gleanery.extraction.running.extractor_pool import from_message
from gleanery.feeds.platform import Answer, AnswerContent, NotThisPlatform, Platform, Sign
from gleanery.feeds.platforms import BY_NAME
from gleanery.feeds.reading.parser_process import pack_read_request, pack_signs_request

SECONDS = 20.0  # a calendar of ten megabytes takes several


class ShownSign(NamedTuple):
    """A sign on a page, with its platform."""

    platform: Platform
    sign: Sign


class ParsedAnswer(NamedTuple):
    platform: Platform
    content: AnswerContent


class NotAFeed(NotThisPlatform):
    """Raised if no platform can read the answer. `shows` are feeds linked from a web page."""

    def __init__(self, sentence: str, shows: Sequence[str] = ()) -> None:
        super().__init__(sentence)
        self.shows = tuple(shows)


class Parser(ChildPool):
    """Use as `async with Parser() as parser`. Raises Unreadable if parsing takes too long or too much memory."""

    module = "gleanery.feeds.reading.parser_process"

    def __init__(self) -> None:
        super().__init__(seconds=SECONDS)

    async def signs(self, raw: bytes, charset: str, url: str, headers: Mapping[str, str]) -> list[ShownSign]:
        (found,) = await self._ask(pack_signs_request(raw, charset, url, headers))
        return [_shown(*each) for each in found]

    async def read(self, platforms: Sequence[Platform], body: bytes, charset: str, answer: Answer) -> ParsedAnswer:
        """Parse with the platform that finds most events. Raises NotAFeed if none can."""
        read, problem, shows = await self._ask(pack_read_request(platforms, body, charset, answer))
        if read is None:
            raise NotAFeed(problem, shows)
        name, things, title, follows, ttl = read
        found = from_message(*things)
        content = AnswerContent(
            drafts=found.drafts,
            contacts=found.contacts,
            title=title,
            follows=follows,
            ttl=None if ttl is None else timedelta(seconds=ttl),
            problems=found.problems,
        )
        return ParsedAnswer(BY_NAME[name], content)

    async def _ask(self, message: bytes) -> Any:
        try:
            return await self.ask(message)
        except ChildLost as problem:
            raise Unreadable(str(problem)) from None


def _shown(platform: str, url: str, title: str, guess: bool, covers: list[str]) -> ShownSign:
    return ShownSign(BY_NAME[platform], Sign(url=url, title=title, guess=guess, covers=tuple(covers)))
