"""Pages are parsed in processes that can be killed, so no page can harm the caller."""

from __future__ import annotations

import asyncio
import os
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Awaitable, Callable
from pathlib import Path

import psutil
import pytest

from gleanery.crawling.pages.page_reader import Document, ParsedPage, read
from gleanery.crawling.pages.parser import Parser
from gleanery.domains.names import domain_of
from gleanery.errors import Unreadable

# Quadratic in the parser, and only there: the flattened page has none of its attributes.
SLOW = b"<p>first</p><div " + b" ".join(b"a%d" % number for number in range(150_000)) + b">last</div>"
# The same in many small portions, so that nothing helps.
HOPELESS = (b"<div " + b" ".join(b"a%d" % number for number in range(700)) + b">x</div>") * 620
# Each paragraph opens all the bold ones anew: a million elements out of a few kB.
SWELLING = b"<p>" + b"".join(b"<b id=%d>" % number for number in range(1_500)) + b"</p>" + b"<p>x</p>" * 1_200 + b"last"

with_processes = pytest.mark.skipif(sys.platform != "linux", reason="looks at processes through /proc")


def document(body: bytes) -> Document:
    return Document(
        body=body, url="https://example.org/x", media_type="text/html", charset=None, domain=domain_of("example.org")
    )


def page(number: int) -> Document:
    return document(
        f'<title>{number}</title><p>Page {number}.<a href="/{number}">'.encode() + b" " * (number % 7 * 9_000)
    )


def using(use: Callable[[Parser], Awaitable[None]], processes: int = 1, seconds: float = 5.0) -> None:
    async def run() -> None:
        async with Parser(processes, seconds=seconds) as parser:
            await use(parser)
        assert not children(), "no process stays behind"

    asyncio.run(asyncio.wait_for(run(), 60))


def children() -> list[psutil.Process]:
    return [child for child in psutil.Process().children() if _is_parsing(child)]


def _is_parsing(process: psutil.Process) -> bool:
    try:
        return any("parser_process" in word for word in process.cmdline())
    except psutil.Error:  # it has just ended
        return False


def test_a_page_is_parsed_as_it_would_be_in_the_same_process() -> None:
    async def use(parser: Parser) -> None:
        for number in range(3):
            assert await parser.read(page(number)) == read(page(number))

    using(use)


@pytest.mark.parametrize("processes", [1, 3])
def test_each_of_many_callers_gets_its_own_answer_in_order(processes: int) -> None:
    answered: list[int] = []

    async def ask(parser: Parser, number: int) -> ParsedPage:
        found = await parser.read(page(number))
        answered.append(number)
        return found

    async def use(parser: Parser) -> None:
        found = await asyncio.gather(*(ask(parser, number) for number in range(200)))
        assert [each.title for each in found] == [str(number) for number in range(200)]
        assert processes > 1 or answered == list(range(200))

    using(use, processes)


@pytest.mark.parametrize("tag", [b"<div>", b"<b>", b"<ul><li>", b"<table><tr><td>", b"<p><span>"])
def test_a_hundred_thousand_nested_elements_lose_no_word(tag: bytes) -> None:
    async def use(parser: Parser) -> None:
        found = await parser.read(document(b"<p>first</p>" + tag * 100_000 + b"deepest</b><p>last"))
        assert [word for word in found.text.split() if word != "-"] == ["first", "deepest", "last"]

    using(use)


def test_a_page_that_takes_too_long_is_read_flattened_by_a_new_process() -> None:
    async def use(parser: Parser) -> None:
        [before] = children()
        found = await parser.read(document(SLOW))
        assert found.text == "first\n\nlast"
        assert [child.pid for child in children()] != [before.pid]
        assert (await parser.read(page(1))).title == "1"

    using(use, seconds=0.5)


def test_a_page_that_cannot_be_read_either_way_is_unreadable_and_others_go_on() -> None:
    async def use(parser: Parser) -> None:
        hopeless = asyncio.ensure_future(parser.read(document(HOPELESS)))
        others = asyncio.gather(*(parser.read(page(number)) for number in range(20)))
        with pytest.raises(Unreadable, match=r"more than 0\.2 seconds"):
            await hopeless
        assert [each.title for each in await others] == [str(number) for number in range(20)]

    using(use, seconds=0.2)


@with_processes
def test_a_page_that_takes_too_much_memory_is_read_flattened() -> None:
    async def use(parser: Parser) -> None:
        found = await parser.read(document(SWELLING))
        assert found.text.endswith("last")
        [child] = children()
        assert child.memory_info().rss < 128 << 20

    using(use)


@with_processes
def test_a_process_that_grew_too_large_is_replaced_at_once() -> None:
    async def use(parser: Parser) -> None:
        [before] = children()
        size = before.memory_info().rss
        await parser.read(document(HOPELESS * 6))
        await asyncio.sleep(0.2)
        assert sum(child.memory_info().rss - size for child in children()) < 64 << 20
        assert (await parser.read(page(1))).title == "1"

    using(use)


@with_processes
def test_a_process_that_dies_is_replaced_and_the_page_tried_once_more() -> None:
    async def use(parser: Parser) -> None:
        asking = asyncio.ensure_future(parser.read(document(SLOW)))
        while not children():
            await asyncio.sleep(0.01)
        children()[0].kill()
        assert (await asking).text == "first\n\nlast"
        children()[0].kill()
        await asyncio.sleep(0.2)
        assert (await parser.read(page(7))).title == "7"

    using(use)


@with_processes
def test_a_page_under_which_two_processes_die_is_unreadable() -> None:
    async def use(parser: Parser) -> None:
        asking = asyncio.ensure_future(parser.read(document(SLOW)))
        while not children():
            await asyncio.sleep(0.01)
        [first] = children()
        first.kill()
        while not (second := [child for child in children() if child != first]):
            await asyncio.sleep(0.01)
        second[0].kill()
        with pytest.raises(Unreadable, match="process"):
            await asking
        assert (await parser.read(page(7))).title == "7"

    using(use)


def test_a_cancelled_caller_takes_nobody_elses_answer() -> None:
    async def use(parser: Parser) -> None:
        for wait in (0, 0.0005, 0.002):
            asking = [asyncio.ensure_future(parser.read(page(number))) for number in range(30)]
            await asyncio.sleep(wait)
            for each in asking[::2]:
                each.cancel()
            answers = await asyncio.gather(*asking, return_exceptions=True)
            for number, answer in enumerate(answers):
                assert isinstance(answer, asyncio.CancelledError) or answer.title == str(number)  # type: ignore[union-attr]
            assert sum(isinstance(answer, ParsedPage) for answer in answers) >= 15

    using(use, processes=2)


def test_a_caller_cancelled_while_a_process_starts_leaves_none_behind() -> None:
    async def use(parser: Parser) -> None:
        children()[0].kill()
        await asyncio.sleep(0.1)
        asking = asyncio.ensure_future(parser.read(page(1)))
        await asyncio.sleep(0.02)
        asking.cancel()
        assert (await parser.read(page(2))).title == "2"
        assert len(children()) == 1

    using(use)


def test_closing_leaves_no_caller_waiting() -> None:
    async def run() -> None:
        async with Parser() as parser:
            asking = [asyncio.ensure_future(parser.read(document(SLOW))) for _ in range(3)]
            await asyncio.sleep(0.1)
        answers = await asyncio.gather(*asking, return_exceptions=True)
        assert all(isinstance(answer, Unreadable) for answer in answers)

    asyncio.run(asyncio.wait_for(run(), 20))


def test_a_parser_that_cannot_start_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "executable", "/bin/false")
    with pytest.raises(Unreadable, match="could not be started"):
        using(lambda parser: parser.read(page(1)))  # type: ignore[arg-type,return-value]


@with_processes
def test_signals_of_the_terminal_do_not_end_the_children() -> None:
    async def use(parser: Parser) -> None:
        [child] = children()
        for each in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
            child.send_signal(each)
        assert (await parser.read(page(1))).title == "1"
        assert children() == [child]

    using(use)


@with_processes
def test_a_child_imports_no_django_and_inherits_nothing_from_its_parent(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GLEANERY_SECRET_KEY", "secret")

    async def use(parser: Parser) -> None:
        [child] = children()
        await parser.read(page(1))
        held = {os.readlink(f"/proc/{child.pid}/fd/{each}") for each in os.listdir(f"/proc/{child.pid}/fd")}
        number = os.fstat(listening.fileno()).st_ino
        assert f"socket:[{number}]" not in held
        assert len(held) <= 4
        assert "GLEANERY_SECRET_KEY" not in child.environ()
        used = child.cpu_times()
        assert used.user + used.system < 1.0

    with socket.create_server(("127.0.0.1", 0)) as listening:
        using(use)
    script = """
import sys, gleanery.crawling.pages.parser_process
sys.exit(not {"django", "asyncio"}.isdisjoint(sys.modules))
"""
    assert subprocess.run([sys.executable, "-c", script], check=False).returncode == 0


PARENT = """
import asyncio, sys
from tests.crawling.test_parsing import HOPELESS, children, document
from gleanery.crawling.pages.parser import Parser

async def run():
    async with Parser(seconds=2.0) as parser:
        print(children()[0].pid, flush=True)
        if sys.argv[1] == "busy":
            await parser.read(document(HOPELESS * 8))
        await asyncio.sleep(60)

asyncio.run(run())
"""


@with_processes
@pytest.mark.parametrize("state", ["idle", "busy"])
def test_a_child_ends_with_its_parent_even_by_kill(state: str) -> None:
    root = Path(__file__).parents[2]
    command = [sys.executable, "-c", PARENT, state]
    with subprocess.Popen(
        command, stdout=subprocess.PIPE, cwd=root, env={**os.environ, "PYTHONPATH": str(root)}
    ) as parent:
        assert parent.stdout is not None
        child = psutil.Process(int(parent.stdout.readline()))
        time.sleep(0.3)
        parent.kill()
        child.wait(timeout=15)
