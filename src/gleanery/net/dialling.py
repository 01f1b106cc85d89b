"""From a host name to a socket: one lookup a connection, and what was checked is what is dialled."""

from __future__ import annotations

import asyncio
import errno
import socket
from collections.abc import Awaitable, Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor

from aiohttp import AddrInfoType, TCPConnector
from aiohttp.abc import AbstractResolver, ResolveResult

from gleanery.net import guard
from gleanery.net.problem import RefusedError

Lookup = Callable[[str], Awaitable[Sequence[str]]]
OpenSocket = Callable[[AddrInfoType], socket.socket]
Fixed = Mapping[str, tuple[str, int]]

# The loop's own pool has six threads on two cores: six names with dead servers would stop every other lookup.
LOOKUP_THREADS = 32
CONNECTIONS = 200


class SystemLookup:
    """Asks the machine's resolver, in threads of its own."""

    def __init__(self) -> None:
        self._threads = ThreadPoolExecutor(LOOKUP_THREADS, thread_name_prefix="lookup")

    async def __call__(self, host: str) -> Sequence[str]:
        return await asyncio.get_running_loop().run_in_executor(self._threads, self._ask, host)

    def _ask(self, host: str) -> list[str]:
        # As bytes the name skips Python's own IDNA codec, which raises on long labels.
        found = socket.getaddrinfo(host.encode(), None, type=socket.SOCK_STREAM, flags=socket.AI_ADDRCONFIG)
        return list(dict.fromkeys(str(entry[4][0]) for entry in found))

    def close(self) -> None:
        self._threads.shutdown(wait=False, cancel_futures=True)


class Resolver(AbstractResolver):
    """Answers aiohttp with addresses, never with names, so nothing is looked up a second time."""

    def __init__(self, lookup: Lookup) -> None:
        self._lookup = lookup

    async def resolve(
        self, host: str, port: int = 0, family: socket.AddressFamily = socket.AF_UNSPEC
    ) -> list[ResolveResult]:
        addresses = await self._lookup(host)
        if not addresses:
            raise OSError("no address")
        return [result(host, address, port) for address in addresses]

    async def close(self) -> None:
        """The lookup is closed by the one who made it."""


class PublicResolver(Resolver):
    """Refuses an answer whole if any address in it is blocked: a mixed answer is an attempt, not an accident."""

    async def resolve(
        self, host: str, port: int = 0, family: socket.AddressFamily = socket.AF_UNSPEC
    ) -> list[ResolveResult]:
        results = await super().resolve(host, port, family)
        for found in results:
            refuse_blocked(found["host"])
        return results


class FixedResolver(Resolver):
    """Names that the operator pinned to an address and port; others are looked up, for the operator's own servers."""

    def __init__(self, lookup: Lookup, fixed: Fixed) -> None:
        super().__init__(lookup)
        self._fixed = fixed

    async def resolve(
        self, host: str, port: int = 0, family: socket.AddressFamily = socket.AF_UNSPEC
    ) -> list[ResolveResult]:
        if host in self._fixed:
            return [result(host, *self._fixed[host])]
        return await super().resolve(host, port, family)


def guarded_connector(lookup: Lookup, open_socket: OpenSocket) -> TCPConnector:
    """The socket is where IP literals are caught, since aiohttp asks no resolver about them."""

    def dial(where: AddrInfoType) -> socket.socket:
        refuse_blocked(str(where[4][0]))
        return open_socket(where)

    return connector(PublicResolver(lookup), dial)


def exempt_connector(lookup: Lookup, open_socket: OpenSocket, fixed: Fixed) -> TCPConnector:
    """Has a pool of its own: a kept connection to a private server must never serve a guarded request."""
    return connector(FixedResolver(lookup, fixed), open_socket)


def connector(resolver: AbstractResolver, dial: OpenSocket) -> TCPConnector:
    # A cached answer would be a second use of one lookup, and checked at another time than it is dialled.
    return TCPConnector(resolver=resolver, socket_factory=dial, use_dns_cache=False, limit=CONNECTIONS)


def refuse_blocked(address: str) -> None:
    why = guard.refusal(address)
    if why is not None:
        raise RefusedError(errno.EACCES, f"{address} is blocked: {why}")


def result(host: str, address: str, port: int) -> ResolveResult:
    return ResolveResult(
        hostname=host, host=address, port=port, family=socket.AF_UNSPEC, proto=0, flags=socket.AI_NUMERICHOST
    )


def open_socket(where: AddrInfoType) -> socket.socket:
    family, kind, protocol, _, _ = where
    return socket.socket(family, kind, protocol)
