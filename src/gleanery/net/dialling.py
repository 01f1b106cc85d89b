"""Resolves a host once per connection and connects only to the address that was checked."""

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

# The event loop's pool has six threads on two cores: six dead name servers would block all other lookups.
LOOKUP_THREADS = 32
CONNECTIONS = 200


class SystemLookup:
    """Looks up names with the system's resolver, in its own threads."""

    def __init__(self) -> None:
        self._threads = ThreadPoolExecutor(LOOKUP_THREADS, thread_name_prefix="lookup")

    async def __call__(self, host: str) -> Sequence[str]:
        return await asyncio.get_running_loop().run_in_executor(self._threads, self._ask, host)

    def _ask(self, host: str) -> list[str]:
        # Passed as bytes, the name skips Python's IDNA codec, which raises on long labels.
        found = socket.getaddrinfo(host.encode(), None, type=socket.SOCK_STREAM, flags=socket.AI_ADDRCONFIG)
        return list(dict.fromkeys(str(entry[4][0]) for entry in found))

    def close(self) -> None:
        self._threads.shutdown(wait=False, cancel_futures=True)


class Resolver(AbstractResolver):
    """Gives aiohttp addresses, never names, so that nothing is looked up twice."""

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
        """Do nothing: the owner of the lookup closes it."""


class PublicResolver(Resolver):
    """Refuses all addresses of a host if any is blocked: a mixed result suggests an attack."""

    async def resolve(
        self, host: str, port: int = 0, family: socket.AddressFamily = socket.AF_UNSPEC
    ) -> list[ResolveResult]:
        results = await super().resolve(host, port, family)
        for found in results:
            refuse_blocked(found["host"])
        return results


class FixedResolver(Resolver):
    """Resolves names fixed by the operator; looks up others, for the operator's own servers."""

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
    """Return a connector that also checks sockets, since aiohttp does not resolve IP literals."""

    def dial(where: AddrInfoType) -> socket.socket:
        refuse_blocked(str(where[4][0]))
        return open_socket(where)

    return connector(PublicResolver(lookup), dial)


def exempt_connector(lookup: Lookup, open_socket: OpenSocket, fixed: Fixed) -> TCPConnector:
    """Return a connector with its own pool, so that no guarded request reuses a connection to a private server."""
    return connector(FixedResolver(lookup, fixed), open_socket)


def connector(resolver: AbstractResolver, dial: OpenSocket) -> TCPConnector:
    # No DNS cache: a cached lookup would be checked at another time than it is used.
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
