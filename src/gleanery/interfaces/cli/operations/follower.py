"""`gleanery follower`: which searches are followed by e-mail, and the end of it for a mailbox that asks for that."""

from __future__ import annotations

from dataclasses import asdict
from typing import Annotated

import typer

from gleanery.interfaces.cli.runtime import application
from gleanery.interfaces.cli.terminal.output import Json, say, show, table
from gleanery.text import counted

app = typer.Typer(no_args_is_help=True, help="Searches that visitors follow by e-mail.")


@app.command("list")
def list_followed(json: Json = False) -> None:
    """Show which searches are followed, how often e-mails go out, and to how many; no address is shown."""
    with application():
        from gleanery.publishing.digests import services

        rows = [asdict(each) for each in services.followed()]
    columns = ("search", "rhythm", "followers")
    cells = [[row[each] for each in columns] for row in rows]
    show(rows, json, lambda: table(cells, *columns, empty="Nobody follows a search by e-mail yet."))


@app.command("forget")
def forget(
    email: Annotated[str, typer.Argument(help="The address that is to be forgotten.")], json: Json = False
) -> None:
    """Delete all that is kept of a mailbox; the journal says that it was done, and not whose it was."""
    with application():
        from gleanery.accounts.actor import at_terminal
        from gleanery.publishing.digests import services

        count = services.forget_mailbox(at_terminal(), email)
    show(
        {"deleted": count},
        json,
        lambda: say(f"{counted(count, 'subscription')} of this address deleted." if count else "It is not known here."),
    )
