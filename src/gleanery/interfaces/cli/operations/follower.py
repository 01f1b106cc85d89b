"""`gleanery follower`: shows the searches followed by e-mail, and deletes the data of a mailbox."""

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
    """Show the followed searches, how often e-mails are sent, and to how many people; no addresses."""
    with application():
        from gleanery.publishing.digests import services

        rows = [asdict(each) for each in services.followed()]
    columns = ("search", "rhythm", "followers")
    cells = [[row[each] for each in columns] for row in rows]
    show(rows, json, lambda: table(cells, *columns, empty="Nobody follows a search by e-mail yet."))


@app.command("forget")
def forget(email: Annotated[str, typer.Argument(help="The e-mail address to delete.")], json: Json = False) -> None:
    """Delete everything stored about an e-mail address; the journal does not record the address."""
    with application():
        from gleanery.accounts.actor import at_terminal
        from gleanery.publishing.digests import services

        count = services.forget_mailbox(at_terminal(), email)
    show(
        {"deleted": count},
        json,
        lambda: say(
            f"{counted(count, 'subscription')} of this address deleted." if count else "This address is not known."
        ),
    )
