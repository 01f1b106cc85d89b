"""`gleanery net`: checks whether an address may be fetched."""

from __future__ import annotations

import asyncio
import os
from typing import TYPE_CHECKING, Annotated

import typer

from gleanery import environment
from gleanery.interfaces.cli.terminal.output import Json, say, show

if TYPE_CHECKING:
    from gleanery.net.check import Check

app = typer.Typer(no_args_is_help=True, help="Requests to the outside: what is allowed and why.")


@app.callback()
def root() -> None:
    """Keep `check` a command of its own while it is the only one."""


@app.command("check")
def check_url(url: Annotated[str, typer.Argument(help="The address of a page.")], json: Json = False) -> None:
    """Show whether the network guard and robots.txt allow an address; only robots.txt is fetched."""
    found = asyncio.run(_check(url))
    rules = {"wait": found.rules.wait, "reason": found.rules.reason, "delay": found.rules.delay}
    addresses = [address._asdict() for address in found.addresses]
    facts = {"url": found.url, "addresses": addresses, "allowed": found.allowed, **rules}
    facts["sitemaps"] = list(found.rules.sitemaps)
    show(facts, json, lambda: say("\n".join(found.lines)))


async def _check(url: str) -> Check:
    # Imported here because it takes a third of a second, and no other command needs it.
    from gleanery.net.check import check
    from gleanery.net.client import Client

    async with Client(environment.read(os.environ)) as client:
        return await check(client, url)
