"""Renders one page in a real browser, with responses given by a test."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping

from multidict import CIMultiDict, CIMultiDictProxy

from gleanery.crawling.rendering.browser import Browser
from gleanery.crawling.rendering.chromium import ON, find_chromium
from gleanery.crawling.rendering.resource_requests import ResourceRequest
from gleanery.net.exchange import Response

HOME = "https://app.example.org/"


def page(html: str, url: str = HOME, kind: str = "text/html; charset=utf-8") -> Response:
    headers = CIMultiDictProxy(CIMultiDict({"Content-Type": kind}))
    return Response(url=url, status=200, headers=headers, body=html.encode(), elapsed=0, redirects=())


async def hold() -> None:
    """Do nothing: no lease has to be held."""


def shown(html: str, answers: Mapping[str, str] | None = None) -> tuple[str, list[ResourceRequest]]:
    """Return the rendered page and the requests it sent."""
    asked: list[ResourceRequest] = []

    async def supply(wish: ResourceRequest) -> Response | None:
        asked.append(wish)
        told = (answers or {}).get(wish.url.removeprefix(HOME))
        return None if told is None else page(told, wish.url, "text/javascript")

    return asyncio.run(Browser(find_chromium(ON)).render(page(html), supply, hold)).decode(), asked
