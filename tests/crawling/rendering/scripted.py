"""A site whose pages are built by scripts, one of them on another host.

As a process: `python -m tests.crawling.rendering.scripted LOG`.
"""

from __future__ import annotations

import asyncio
import sys
from pathlib import Path

from tests.crawling.serving import Asked, Server, ServerProcess, Writer, answer

HOST, CDN = "app.example.org", "cdn.example.net"
SHELL = f"""<!doctype html><html lang="en"><head><title>App</title><link rel="stylesheet" href="/app.css">
<script src="http://{CDN}/library.js"></script><script src="/private/spy.js"></script></head>
<body><noscript>You need to enable JavaScript to run this app.</noscript><div id="root"></div><img src="/logo.png">
<script src="/moved.js"></script></body></html>"""
APP = """
fetch("/api/events.json").then(answer => answer.json()).then(events => {
  document.getElementById("root").innerHTML = events.map(each => `<h2><a href="${each.url}">${each.name}</a></h2>
    <p>${each.day}, 6:00 PM, Town Hall, with ${window.library}</p>`).join("")
  fetch("/api/visits", {method: "POST", body: "one more"})
})
"""
EVENTS = '[{"name": "Board of Ethics", "day": "March 3, 2027", "url": "/ethics"}]'
JAVASCRIPT, JSON = "text/javascript", "application/json"
ANSWERS = {
    (HOST, "/robots.txt"): answer(200, b"User-agent: *\nDisallow: /private/", kind="text/plain"),
    (CDN, "/robots.txt"): answer(404),
    (HOST, "/"): answer(200, SHELL.encode(), 'ETag: "shell"'),
    (HOST, "/ethics"): answer(200, f"<h1>Board of Ethics</h1><p>{'We meet in the Town Hall. ' * 20}</p>".encode()),
    (HOST, "/moved.js"): answer(302, b"", "Location: /app.js"),
    (HOST, "/app.js"): answer(200, APP.encode(), kind=JAVASCRIPT),
    (HOST, "/api/events.json"): answer(200, EVENTS.encode(), kind=JSON),
    (CDN, "/library.js"): answer(200, b"window.library = 'the library'", kind=JAVASCRIPT),
}


class App(ServerProcess):
    def __init__(self) -> None:
        super().__init__(__name__, [HOST, CDN])


async def serve(asked: Asked, writer: Writer) -> None:
    said = ANSWERS.get((asked.host, asked.path), answer(404))
    asked.status = int(said[9:12])
    writer.write(said)


def main(log: str) -> None:
    with Path(log).open("a") as file:
        asyncio.run(Server(serve, file).run())


if __name__ == "__main__":
    main(sys.argv[1])
