"""`gleanery net`: what the door to the outside says."""

from __future__ import annotations

import asyncio
import os
from typing import TYPE_CHECKING, Annotated

import typer

from gleanery import environment
from gleanery.interfaces.cli.terminal.output import Json, say, show

if TYPE_CHECKING:
    from gleanery.net.check import Check

app = typer.Typer(no_args_is_help=True, help="The door to the outside world.")


@app.callback()
def root() -> None:
    """Keeps `check` a command of its own while it is the only one."""


@app.command("check")
def check_url(url: Annotated[str, typer.Argument(help="The address of a page.")], json: Json = False) -> None:
    """Show what the guard and robots.txt say about an address; its site is asked for robots.txt, nothing else."""
    found = asyncio.run(_check(url))
    rules = {"wait": found.rules.wait, "reason": found.rules.reason, "delay": found.rules.delay}
    addresses = [address._asdict() for address in found.addresses]
    facts = {"url": found.url, "addresses": addresses, "allowed": found.allowed, **rules}
    facts["sitemaps"] = list(found.rules.sitemaps)
    show(facts, json, lambda: say("\n".join(found.lines)))


async def _check(url: str) -> Check:
    # Loaded here: the client takes a third of a second to load, and no other command that a person types needs it.
    from gleanery.net.check import check
    from gleanery.net.client import Client

    async with Client(environment.read(os.environ)) as client:
        return await check(client, url)
