"""The HTTP client for all outbound requests."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Mapping
from contextlib import AbstractAsyncContextManager
from ssl import SSLContext
from types import TracebackType
from typing import Self

from aiohttp import ClientError, ClientResponse, ClientSession, ClientTimeout, DummyCookieJar, TCPConnector

from gleanery import __version__
from gleanery.environment import Environment, variable_of
from gleanery.errors import BadSetting, FetchError, FetchProblem
from gleanery.net.answer import clean_headers, read_body
from gleanery.net.dialling import Lookup, OpenSocket, SystemLookup, exempt_connector, guarded_connector, open_socket
from gleanery.net.exchange import Hop, Request, Response, media_type
from gleanery.net.inflate import SPOKEN
from gleanery.net.problem import explain, refuse
from gleanery.net.redirect import MOST_REDIRECTS, REDIRECTS, Step, next_step
from gleanery.net.target import Target, any_target, web_target

# Content-Security-Policy headers of real sites exceed 8 KiB; 128 such headers are still only 4 MiB.
HEADER_SIZE = 32 * 1024
READ_BUFFER = 64 * 1024


class Client:
    """Use as `async with Client(environment) as client`; one per event loop, for any number of concurrent fetches."""

    def __init__(
        self,
        environment: Environment,
        *,
        lookup: Lookup | None = None,
        open_socket: OpenSocket = open_socket,
        tls: SSLContext | None = None,
    ) -> None:
        self._system_lookup = SystemLookup()
        self.lookup = lookup or self._system_lookup
        self.fixed = fixed_names(environment.net_resolve)
        self._open_socket = open_socket
        self._tls: SSLContext | bool = tls or True
        self._operator_origins = operator_origins(environment)
        self._headers = {"User-Agent": user_agent(environment.contact), "Accept-Encoding": SPOKEN}

    async def __aenter__(self) -> Self:
        self._guarded = self._session(guarded_connector(self.lookup, self._open_socket))
        self._exempt = self._session(exempt_connector(self.lookup, self._open_socket, self.fixed))
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self._guarded.close()
        await self._exempt.close()
        self._system_lookup.close()

    def _session(self, connector: TCPConnector) -> ClientSession:
        """Create a session without aiohttp's own timeouts, redirects and decompression, which are done here."""
        return ClientSession(
            connector=connector,
            headers=self._headers,
            cookie_jar=DummyCookieJar(),
            timeout=ClientTimeout(total=None, sock_connect=None),
            auto_decompress=False,
            trust_env=False,
            max_line_size=HEADER_SIZE,
            max_field_size=HEADER_SIZE,
            read_bufsize=READ_BUFFER,
        )

    async def fetch(self, request: Request) -> Response:
        """Return the whole response or raise FetchError; the deadline covers lookup, connection, redirects and body."""
        step = Step(self._first_target(request), request.method, request.headers, request.body)
        try:
            async with asyncio.timeout(request.deadline):
                return await self._follow(request, step)
        except (FetchError, ClientError, OSError) as problem:
            # Not bound to a name: a frame that references its own exception keeps the body until garbage collection.
            raise explain(problem, step.target.origin, is_logged=not request.trial) from None

    def _first_target(self, request: Request) -> Target:
        if not request.operator:
            return web_target(request.url)
        target = any_target(request.url)
        if target.origin not in self._operator_origins:
            raise ValueError(f"{target.origin} is not an endpoint that the operator configured")
        return target

    async def _follow(self, request: Request, step: Step) -> Response:
        started = time.monotonic()
        hops: tuple[Hop, ...] = ()
        while True:
            async with self._ask(request, step) as answer:
                location = answer.headers.get("Location") if answer.status in REDIRECTS else None
                if location is None or not request.follow:
                    wanted = request.wants(media_type(answer.headers.get("Content-Type", "")))
                    body = await read_body(answer, request.largest, request.cut) if wanted else b""
                    return Response(
                        url=step.target.url,
                        status=answer.status,
                        headers=clean_headers(answer),
                        body=body,
                        elapsed=time.monotonic() - started,
                        redirects=hops,
                    )
                hops = (*hops, Hop(step.target.url, answer.status))
            step = self._redirected(request, step, hops, location)

    def _ask(self, request: Request, step: Step) -> AbstractAsyncContextManager[ClientResponse]:
        session = self._exempt if request.operator or step.target.host in self.fixed else self._guarded
        return session.request(
            step.method,
            step.target.wire,
            headers=step.headers,
            data=step.body,
            allow_redirects=False,
            ssl=self._tls,
        )

    def _redirected(self, request: Request, step: Step, hops: tuple[Hop, ...], location: str) -> Step:
        if request.operator:
            raise refuse(FetchProblem.REDIRECT_REFUSED)
        if len(hops) > MOST_REDIRECTS:
            raise refuse(FetchProblem.TOO_MANY_REDIRECTS)
        return next_step(step, hops[-1].status, location)


def user_agent(contact: str) -> str:
    contact = " ".join(contact.split())
    return f"Gleanery/{__version__} (+{contact})" if contact else f"Gleanery/{__version__}"


def operator_origins(environment: Environment) -> frozenset[str]:
    """Return the origins that may be private, since only the operator can set them in the environment."""
    named = [
        (variable_of("searxng_url"), environment.searxng_url),
        (variable_of("llm_base_url"), environment.llm_base_url),
        *((variable_of("provider_urls"), url) for url in environment.provider_urls.values()),
    ]
    return frozenset(origin(variable, url) for variable, url in named if url)


def origin(variable: str, url: str) -> str:
    try:
        return any_target(url).origin
    except FetchError as problem:
        raise BadSetting(f"{variable} cannot be used. {problem}") from None


def fixed_names(table: Mapping[str, tuple[str, int]]) -> dict[str, tuple[str, int]]:
    """Return the fixed names as ada-url writes hosts; IP addresses are refused, as they would bypass the table."""
    fixed = {}
    for name, where in table.items():
        try:
            target = web_target(f"http://{name}/")
        except FetchError:
            target = None
        if target is None or target.is_literal or target.wire.raw_path != "/":
            raise BadSetting(f"GLEANERY_NET_RESOLVE cannot map {name!r}: give the name of a host, such as example.org.")
        fixed[target.host] = where
    return fixed
