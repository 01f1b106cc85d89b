"""The browser renders one page, has no network access, and leaves nothing behind."""

from __future__ import annotations

import json
import re
import socket
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import psutil
import pytest

from gleanery.crawling.rendering import browser, chromium, confinement
from gleanery.crawling.rendering.resource_requests import MOST_REQUESTS
from gleanery.errors import BadSetting, Unreadable
from tests.crawling.rendering.showing import shown
from tests.crawling.serving import ROOT
from tests.crawling.workers import is_alive, wait_for
from tests.net.canary import Canary

pytestmark = pytest.mark.browser

# Ways to connect from a page without its own requests; `results` is how each ended.
WAYS_OUT = """<!doctype html><title>Ways out</title>
<link rel="dns-prefetch" href="//localhost"><link rel="preconnect" href="http://{there}">
<link rel="prefetch" href="http://{there}/prefetch"><link rel="stylesheet" href="http://{there}/sheet">
<script type="speculationrules">{{"prerender": [{{"urls": ["/next"], "eagerness": "immediate"}}]}}</script>
<iframe src="http://{there}/frame"></iframe><img src="http://{there}/image"><object data="http://{there}/o"></object>
<video src="http://{there}/film"></video>
<form id="form" action="http://{there}/form" target="_blank" method="post"></form>
<pre id="told"></pre>
<script>
const told = {{}}, tell = (way, how) => {{
  told[way] = String(how); document.getElementById("told").textContent = JSON.stringify(told)
}}
const tries = (way, work) => {{ try {{ work(how => tell(way, how)) }} catch (problem) {{ tell(way, problem.name) }} }}
tries("fetch", done => fetch("http://{there}/fetch").then(() => done("open"), () => done("shut")))
tries("post", done => fetch("http://{there}/post", {{method: "POST"}}).then(() => done("open"), () => done("shut")))
tries("websocket", done => {{
  const line = new WebSocket("ws://{there}/"); line.onopen = () => done("open"); line.onerror = () => done("shut") }})
tries("events", done => {{
  const line = new EventSource("http://{there}/")
  line.onopen = () => done("open"); line.onerror = () => done("shut") }})
tries("worker", done => {{
  const source = 'fetch("http://{there}/w").then(() => postMessage("open"), () => postMessage("shut"))'
  new Worker(URL.createObjectURL(new Blob([source]))).onmessage = event => done(event.data) }})
tries("service worker", done => navigator.serviceWorker.register("/sw.js").then(
  worker => done(worker ? "open" : "shut"), () => done("shut")))
tries("transport", done => new WebTransport("https://{there}/").ready.then(() => done("open"), () => done("shut")))
tries("beacon", () => navigator.sendBeacon("http://{there}/beacon", "x"))
tries("popup", () => window.open("http://{there}/popup"))
tries("form", () => document.getElementById("form").submit())
tries("webrtc", done => {{
  const call = new RTCPeerConnection({{iceServers: [{{urls: "stun:{udp}"}},
    {{urls: "turn:{there}?transport=tcp", username: "a", credential: "b"}}]}})
  call.onicecandidate = event => event.candidate && done(event.candidate.candidate)
  call.createDataChannel("x"); call.createOffer().then(offer => call.setLocalDescription(offer)); done("shut") }})
// Kept busy until all have said how they ended.
const wait = count => count && fetch("/wait" + count).finally(() => setTimeout(wait, 100, count - 1))
wait(15)
</script>"""


@pytest.fixture
def canary() -> Iterator[Canary]:
    canary = Canary()
    yield canary
    canary.close()


def test_a_page_cannot_connect_by_itself(canary: Canary) -> None:
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as udp:
        udp.bind(("127.0.0.1", 0))
        udp.setblocking(False)
        there = f"127.0.0.1:{canary.port}"
        html, asked = shown(WAYS_OUT.format(there=there, udp=f"127.0.0.1:{udp.getsockname()[1]}"))
        with pytest.raises(BlockingIOError):
            udp.recv(100)
    assert canary.visits == 0
    told = json.loads(re.search('<pre id="told">(.*?)</pre>', html)[1])  # type: ignore[index]
    assert set(told.values()) == {"shut"}
    assert {"fetch", "websocket", "worker", "webrtc"} <= set(told)
    # What it may have at all, it has to ask us for.
    assert {each.url for each in asked if each.url.startswith("http://127")} <= {
        f"http://{there}/fetch",
        f"http://{there}/w",
    }


CONFINED = """
import os, socket, subprocess, sys
from gleanery.crawling.rendering import confinement
confinement.confine()
{before}
try:
    {work}
except OSError as problem:
    print(type(problem).__name__)
"""


@pytest.mark.parametrize(
    "work",
    [
        "socket.socket(socket.AF_INET)",
        "socket.socket(socket.AF_INET, socket.SOCK_DGRAM)",
        "socket.socket(socket.AF_INET6)",
        "socket.socket(socket.AF_PACKET)",
        "socket.socket(socket.AF_UNIX).connect('/nowhere')",
        "socket.create_connection(('127.0.0.1', 80))",
    ],
)
@pytest.mark.parametrize("before", ["", "if os.fork(): os.wait(); sys.exit()"], ids=["itself", "its child"])
def test_the_kernel_refuses_what_is_confined_every_connection(work: str, before: str) -> None:
    code = CONFINED.format(work=work, before=before)
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "PermissionError"


def test_a_page_that_sends_endless_requests_gets_a_limited_number_of_responses() -> None:
    html, asked = shown(
        "<p id=count></p><script>let got = 0; for (let i = 0; i < 100; i++) fetch('/' + i + '.json').then("
        "() => { document.getElementById('count').textContent = ++got }, () => {})</script>",
        {f"{number}.json": "{}" for number in range(100)},
    )
    assert len(asked) == MOST_REQUESTS
    assert f'<p id="count">{MOST_REQUESTS}</p>' in html


def test_a_page_that_never_ends_is_given_up_and_leaves_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(browser, "SECONDS", 6.0)
    # A process pool that an earlier test left open is none of this test's business.
    before = set(psutil.Process().children(recursive=True))
    with pytest.raises(Unreadable, match="seconds"):
        shown("<script>for (;;);</script>")
    assert not set(psutil.Process().children(recursive=True)) - before


@pytest.fixture
def worker() -> Iterator[psutil.Popen]:
    """A worker whose browser waits for a response."""
    command = [sys.executable, "-m", "tests.crawling.rendering.process"]
    with psutil.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, text=True) as worker:
        assert worker.stdout.readline() == "asked\n"
        yield worker
        worker.kill()


def test_a_worker_that_is_killed_leaves_no_browser_behind(worker: psutil.Popen) -> None:
    below = worker.children(recursive=True)
    parts = [part for each in below for part in each.cmdline()]
    (profile,) = {Path(part.partition("=")[2]) for part in parts if part.startswith("--user-data-dir=")}
    assert profile.is_dir()
    # What runs a page is sandboxed, as a user that owns nothing.
    pages = [each for each in below if "--type=renderer" in each.cmdline()]
    assert pages
    assert all(confinement.ROOT not in each.uids() for each in pages)
    assert "--no-sandbox" not in parts or not confinement._makes_namespaces()
    worker.kill()
    wait_for(lambda: not any(map(is_alive, below)), 20)
    wait_for(lambda: not profile.exists(), 20)


def test_a_missing_browser_is_reported_with_the_remedy(monkeypatch: pytest.MonkeyPatch) -> None:
    assert chromium.find_chromium("") == ""
    assert chromium.find_chromium("/bin/sh") == "/bin/sh"
    with pytest.raises(BadSetting, match=r"no Chromium at /nowhere/chromium\. Install"):
        chromium.find_chromium("/nowhere/chromium")
    monkeypatch.setenv("PATH", "/nowhere")
    with pytest.raises(BadSetting, match="Install the package chromium, or set GLEANERY_BROWSER"):
        chromium.find_chromium("on")
    monkeypatch.setattr(sys, "platform", "darwin")
    with pytest.raises(BadSetting, match="only rendered on Linux"):
        chromium.find_chromium("on")
