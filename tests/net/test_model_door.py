"""The httpx transport uses the same guard as every other request."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import httpx2
import pytest

from gleanery import environment
from gleanery.net.client import Client
from gleanery.net.model_door import model_client


class Heard:
    def __init__(self) -> None:
        self.requests: list[str] = []
        self.headers: dict[str, str] = {}
        self.location = ""


@contextmanager
def listener() -> Iterator[tuple[str, Heard]]:
    heard = Heard()

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:  # the name that http.server calls
            body = self.rfile.read(int(self.headers.get("Content-Length", 0)))
            heard.requests.append(body.decode())
            heard.headers = {name.lower(): value for name, value in self.headers.items()}
            self.send_response(307 if heard.location else 200)
            if heard.location:
                self.send_header("Location", heard.location)
            self.send_header("Content-Length", "2")
            self.end_headers()
            self.wfile.write(b"ok")

        def log_message(self, *args: object) -> None:
            """Log nothing."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.05})
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_port}", heard
    finally:
        server.shutdown()
        server.server_close()
        thread.join()


async def post(url: str, *, base: str, operator: bool, follow: bool = False) -> httpx2.Response:
    settings = replace(environment.read({}), llm_base_url=base)
    async with Client(settings) as client, model_client(client, operator=operator) as http:
        return await http.post(url, content=b"hello", headers={"Authorization": "Bearer key"}, follow_redirects=follow)


def test_the_operators_own_address_is_reached_through_our_client() -> None:
    with listener() as (url, heard):
        answer = asyncio.run(post(f"{url}/v1/chat", base=url, operator=True))
    assert (answer.status_code, answer.text, heard.requests) == (200, "ok", ["hello"])
    assert heard.headers["user-agent"].startswith("Gleanery/")
    assert heard.headers["authorization"] == "Bearer key"


def test_a_private_address_that_nobody_configured_is_refused() -> None:
    with listener() as (url, heard):
        with pytest.raises(httpx2.ConnectError):
            asyncio.run(post(url, base="", operator=False))
        with pytest.raises(ValueError, match="not an endpoint"):
            asyncio.run(post(url, base="http://127.0.0.1:9/", operator=True))
        assert heard.requests == []


def test_a_redirect_never_passes_the_key_on() -> None:
    with listener() as (url, heard), listener() as (other, other_heard):
        heard.location = other
        assert asyncio.run(post(url, base=url, operator=True)).status_code == 307
        with pytest.raises(ValueError, match="not an endpoint"):
            asyncio.run(post(url, base=url, operator=True, follow=True))
        assert other_heard.requests == []
