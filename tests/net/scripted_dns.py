"""A loopback DNS server with scripted answers, and a lookup that queries it over a real socket."""

from __future__ import annotations

import asyncio
import socket
import threading
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from ipaddress import IPv6Address

from dnslib import AAAA, CNAME, QTYPE, RCODE, RR, A, DNSRecord

# Each name has a list of answers, given one after the other, the last one for ever. An entry that is no address
# is a CNAME, followed within the script as a resolver would.
Script = Mapping[str, Sequence[Sequence[str]]]


class ScriptedDns:
    def __init__(self, script: Script) -> None:
        self.script = script
        self.lookups: Counter[str] = Counter()
        self._socket = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
        self._socket.bind(("127.0.0.1", 0))
        self._port = self._socket.getsockname()[1]
        self._thread = threading.Thread(target=self._serve, daemon=True)
        self._thread.start()

    async def lookup(self, host: str) -> list[str]:
        """Look up A and AAAA records, as getaddrinfo does."""
        self.lookups[host] += 1
        return [*await asyncio.to_thread(self._ask, host, "A"), *await asyncio.to_thread(self._ask, host, "AAAA")]

    def _ask(self, host: str, kind: str) -> list[str]:
        answer = DNSRecord.parse(DNSRecord.question(host.rstrip("."), kind).send("127.0.0.1", self._port, timeout=5))
        if answer.header.rcode == RCODE.NXDOMAIN:
            raise socket.gaierror(socket.EAI_NONAME, "Name or service not known")
        return [str(each.rdata) for each in answer.rr if QTYPE[each.rtype] in {"A", "AAAA"}]

    def _serve(self) -> None:
        while True:
            data, sender = self._socket.recvfrom(4096)
            if data == b"stop":
                return
            self._socket.sendto(self._answer(DNSRecord.parse(data)).pack(), sender)

    def _answer(self, question: DNSRecord) -> DNSRecord:
        reply = question.reply()
        name = str(question.q.qname).rstrip(".").lower()
        if name not in self.script:
            reply.header.rcode = RCODE.NXDOMAIN
            return reply
        for record in self._records(name, QTYPE[question.q.qtype]):
            reply.add_answer(record)
        return reply

    def _records(self, name: str, kind: str) -> Iterator[RR]:
        answers = self.script[name]
        for value in answers[min(max(self.lookups[name], 1), len(answers)) - 1]:
            if ":" in value:
                if kind == "AAAA":
                    yield RR(name, QTYPE.AAAA, rdata=AAAA(IPv6Address(value).exploded))
            elif value[0].isdigit():
                if kind == "A":
                    yield RR(name, QTYPE.A, rdata=A(value))
            else:
                yield RR(name, QTYPE.CNAME, rdata=CNAME(value))
                yield from self._records(value, kind)

    def close(self) -> None:
        with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as sender:
            sender.sendto(b"stop", ("127.0.0.1", self._port))
        self._thread.join()
        self._socket.close()


@contextmanager
def scripted_dns(script: Script) -> Iterator[ScriptedDns]:
    server = ScriptedDns(script)
    try:
        yield server
    finally:
        server.close()
