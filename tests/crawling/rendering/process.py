"""`python -m tests.crawling.rendering.process` renders a page that never finishes, and prints when it requests."""

from __future__ import annotations

import asyncio

from gleanery.crawling.rendering.browser import Browser
from gleanery.crawling.rendering.chromium import ON, find_chromium
from gleanery.crawling.rendering.resource_requests import ResourceRequest
from gleanery.net.exchange import Response
from tests.crawling.rendering.showing import hold, page


async def never(wish: ResourceRequest) -> Response | None:
    print("asked", flush=True)  # noqa: T201 - how the test learns it
    await asyncio.Event().wait()
    return None


if __name__ == "__main__":
    asyncio.run(Browser(find_chromium(ON)).render(page("<script src='/app.js'></script>"), never, hold))
