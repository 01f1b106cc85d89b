"""Traps in links and redirects: endless, to other sites, into the local machine."""

from __future__ import annotations

import itertools
import secrets

from tests.crawling.serving import Asked, Writer, answer
from tests.crawling.traps import ELSEWHERE, HOST, at, bytes_at, html, links, page_at

LONG = "/long/" + "l" * 18_000
# Each must be refused; port 80 of this machine and the port of the canary have a listener that must stay alone.
INTO_THE_MACHINE = (
    "http://127.0.0.1/",
    "http://127.0.0.1:{canary}/",
    "http://[::1]/",
    "http://[::ffff:127.0.0.1]/",
    "http://localhost/",
    "http://localhost:{canary}/",
    "http://169.254.169.254/latest/meta-data/",
    "http://2130706433/",
    "http://0x7f.1/",
    "http://127.1/",
    "http://0/",
    "http://10.0.0.1/",
    "http://metadata.google.internal/",
    f"http://{HOST}:{{canary}}/",
    f"http://{HOST}:22/",
    f"http://user:password@{HOST}/",
    f"http://{HOST}\\@127.0.0.1/",
    "http://①②⑦.⓪.⓪.①/",
)
ODD_SCHEMES = (
    "file:///etc/passwd",
    "gopher://127.0.0.1:{canary}/",
    "ftp://127.0.0.1/",
    "javascript:alert(1)",
    "data:text/html,<h1>x</h1>",
    "mailto:a@example.org",
    "tel:+359000",
    "about:blank",
    "blob:x",
)
# Whose suffix is not ours by label.
NEIGHBOURS = (
    f"http://{ELSEWHERE}/",
    f"http://{ELSEWHERE}/deep/page",
    f"//{ELSEWHERE}/",
    f"http://evil-{HOST}/",
    f"http://{HOST}.evil.net/",
    "http://sub.hostile.example.org/",
)


def respond(asked: Asked, writer: Writer, body: str) -> None:
    asked.status = 200
    writer.write(answer(200, body.encode()))


def redirect(asked: Asked, writer: Writer, target: str, status: int = 302) -> None:
    asked.status = status
    writer.write(answer(status, b"", f"Location: {target}"))


@at("/links/into-the-machine", "links to loopback, link-local and private addresses, odd schemes and ports")
async def into_the_machine(asked: Asked, writer: Writer) -> None:
    targets = (each.replace("{canary}", asked.headers["x-canary"]) for each in (*INTO_THE_MACHINE, *ODD_SCHEMES))
    respond(asked, writer, html(links(*targets), head='<link rel="canonical" href="http://127.0.0.1/">'))


page_at("/links/elsewhere", "links to other domains", html(links(*NEIGHBOURS)))
page_at(
    "/links/base", "a base that moves all links away", html(links("x", "/y"), head='<base href="http://127.0.0.1/">')
)
page_at("/links/long", "links of 18 kB", html(links(LONG, f"/?q={'q' * 18_000}")))
page_at("/links/many", "100,000 links", lambda: html("".join(f"<a href=/many/{n}>{n}</a>" for n in range(100_000))))
page_at("/links/nofollow", "links not to be followed", html('<a rel="nofollow ugc" href="/nofollow/1">no</a>'))
page_at(
    "/links/meta-nofollow",
    "a page whose links are not to be followed",
    html(links("/nofollow/2"), head='<meta name="robots" content="noindex, nofollow">'),
)
page_at(
    "/links/odd",
    "hrefs that are no addresses",
    html(links("http://", "//", "http:///x", "%%%", "?", "http://[", "\x00")),
)
page_at(
    "/links/canonical",
    "canonical at another domain",
    html("x", head=f'<link rel=canonical href="http://{ELSEWHERE}/">'),
)
page_at(
    "/links/refresh",
    "a meta refresh to a good page",
    html("x", head='<meta http-equiv=refresh content="0; url=/good/5">'),
)
page_at(
    "/links/refresh-away",
    "a meta refresh to another domain",
    html("x", head=f'<meta http-equiv="refresh" content="0;URL=http://{ELSEWHERE}/refreshed">'),
)


@at("/nofollow/", "pages that only nofollow links lead to", whole_tree=True, linked=False)
async def nofollow(asked: Asked, writer: Writer) -> None:
    respond(asked, writer, html("nobody should come here"))


@at("/many/", "pages of the 100,000 links", whole_tree=True, linked=False)
async def many(asked: Asked, writer: Writer) -> None:
    respond(asked, writer, html(f"one of many: {asked.path}"))


@at("/long/", "the page behind the long link", whole_tree=True, linked=False)
async def long(asked: Asked, writer: Writer) -> None:
    respond(asked, writer, html("such a long way"))


@at("/calendar/2026/11/", "a calendar that goes on for ever, both ways")
@at("/calendar/", "all its other months", whole_tree=True, linked=False)
async def calendar(asked: Asked, writer: Writer) -> None:
    parts = [int(part) for part in asked.path.split("/") if part.isdigit()]
    year, month = (*parts, 2026, 11)[:2]
    before, after = divmod(year * 12 + month - 2, 12), divmod(year * 12 + month, 12)
    days = [f"/calendar/{year}/{month:02}/{day:02}/" for day in range(1, 29)]
    months = [f"/calendar/{y}/{m + 1:02}/" for y, m in (before, after)]
    respond(asked, writer, html(f"<h1>{year}-{month}</h1>No events. " + links(*months, *days)))


@at("/a/a/", "paths that grow deeper for ever")
@at("/a/", "the deeper ones", whole_tree=True, linked=False)
async def deeper(asked: Asked, writer: Writer) -> None:
    respond(asked, writer, html(f"deeper {len(asked.path)} " + links("a/", "a/b/a/", "../a/a/a/", f"{asked.path}a/")))


@at("/session/", "a new session in every link", whole_tree=True)
async def session(asked: Asked, writer: Writer) -> None:
    fresh = [secrets.token_hex(16) for _ in range(5)]
    targets = (f"/session/?PHPSESSID={fresh[0]}", f"/session/;jsessionid={fresh[1]}", f"/session/?sid={fresh[2]}")
    respond(asked, writer, html("the same page " + links(*targets, f"/session/{fresh[3]}/", f"/session/?t={fresh[4]}")))


@at("/shop/", "parameters that explode", whole_tree=True)
async def shop(asked: Asked, writer: Writer) -> None:
    query = asked.path.partition("?")[2]
    names = ("colour", "size", "sort", "page", "view", "brand", "price")
    more = [f"/shop/?{query}&amp;{name}={value}" for name, value in itertools.product(names, range(5))]
    respond(asked, writer, html("things " + links(*more)))


@at("/redirect/loop", "a loop of redirects")
async def loop(asked: Asked, writer: Writer) -> None:
    redirect(asked, writer, "/redirect/loop-back")


@at("/redirect/loop-back", "the other end of the loop", linked=False)
async def loop_back(asked: Asked, writer: Writer) -> None:
    redirect(asked, writer, "/redirect/loop")


@at("/redirect/self", "a redirect to itself")
async def to_itself(asked: Asked, writer: Writer) -> None:
    redirect(asked, writer, "/redirect/self", 301)


@at("/redirect/grow", "redirects to ever new addresses", whole_tree=True)
async def grow(asked: Asked, writer: Writer) -> None:
    redirect(asked, writer, f"{asked.path}x")


@at("/redirect/chain/10", "a chain of ten redirects")
@at("/redirect/chain/", "the links of the chain", whole_tree=True, linked=False)
async def chain(asked: Asked, writer: Writer) -> None:
    left = int(asked.path.rpartition("/")[2])
    if left:
        redirect(asked, writer, f"/redirect/chain/{left - 1}", 308)
    else:
        respond(asked, writer, html("the end of the chain"))


@at("/redirect/canary", "a redirect to a port of this machine")
async def to_canary(asked: Asked, writer: Writer) -> None:
    redirect(asked, writer, f"http://127.0.0.1:{asked.headers['x-canary']}/")


def redirect_at(path: str, what: str, target: str) -> None:
    bytes_at(path, what, answer(302, b"", f"Location: {target}"))


redirect_at("/redirect/loopback", "a redirect to port 80 of this machine", "http://127.0.0.1/")
redirect_at("/redirect/metadata", "a redirect to the metadata of a cloud", "http://169.254.169.254/latest/")
redirect_at("/redirect/elsewhere", "a redirect to another domain", f"http://{ELSEWHERE}/landed")
redirect_at("/redirect/file", "a redirect to a file", "file:///etc/passwd")
redirect_at("/redirect/long", "a redirect to 18 kB", LONG)
redirect_at("/redirect/good", "an honest redirect", "/good/3")
redirect_at("/redirect/bad", "a redirect to what is no address", "http://[::1")
bytes_at("/redirect/nowhere", "a redirect without a target", answer(302, b"<p>where to?</p>"))
