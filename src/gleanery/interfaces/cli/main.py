"""The root of the command line; every deliberate error ends as one sentence and exit code 1."""

from __future__ import annotations

import atexit
import logging.config
import signal
import sys
from types import FrameType
from typing import Annotated

import typer
from typer.exceptions import TyperException

from gleanery import __version__
from gleanery.database import failures
from gleanery.errors import GleaneryError
from gleanery.interfaces.cli.operations import account, backup, doctor, follower, net, serve, webhook
from gleanery.interfaces.cli.records import dedupe, export, extract, import_file, record, review
from gleanery.interfaces.cli.sources import crawl, discover, domain, feed, judge, results, source, submit, topic
from gleanery.interfaces.cli.terminal.output import complain, complain_of_crash, complain_of_usage, err, flush, say
from gleanery.logs import logging_settings, on_a_terminal

MOMENT, PATIENCE = 0.01, 10.0  # seconds until somebody who was asked to end is asked again

app = typer.Typer(
    name="gleanery",
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    add_completion=False,
    help="Find web sources on a topic, approve them, crawl them, and keep one clean, sourced record of everything.",
)
app.command()(serve.up)
app.command()(serve.demo)
app.command()(serve.worker)
app.command()(doctor.doctor)
app.command()(backup.backup)
app.command()(backup.restore)
app.add_typer(backup.stores, name="store")
app.command()(discover.discover)
app.command()(judge.judge)
app.command()(submit.submit)
app.command()(crawl.crawl)
app.command()(extract.extract)
app.command("import")(import_file.import_file)
app.command()(export.export)
app.command()(dedupe.dedupe)
app.add_typer(judge.candidates, name="candidate")
app.add_typer(topic.app, name="topic")
app.add_typer(results.sessions, name="session")
app.add_typer(results.results, name="result")
app.add_typer(results.spam, name="spam")
app.add_typer(domain.app, name="domain")
app.add_typer(feed.app, name="feed")
app.add_typer(extract.observations, name="observation")
app.add_typer(source.app, name="source")
app.add_typer(record.app, name="record")
app.add_typer(review.app, name="review")
app.add_typer(follower.app, name="follower")
app.add_typer(account.users, name="user")
app.add_typer(account.keys, name="key")
app.add_typer(net.app, name="net")
app.add_typer(webhook.app, name="webhook")


def _version(wanted: bool) -> None:
    if wanted:
        say(f"gleanery {__version__}")
        raise typer.Exit


@app.callback()
def root(
    version: Annotated[
        bool, typer.Option("--version", callback=_version, is_eager=True, help="Print the version.")
    ] = False,
) -> None:
    """Options of the command itself."""


def _leave(number: int, frame: FrameType | None) -> None:
    """Asked to end, a command leaves by the door, so that its share of the database is given back."""
    leaving = SystemExit(128 + number)
    _ask_again(leaving, PATIENCE)  # whatever it is that waits for something else meanwhile
    raise leaving


def _leave_after_all(lost: sys.UnraisableHookArgs) -> None:
    """Python drops what a signal raises while an object is being destroyed: raise it again, a moment later."""
    if isinstance(lost.exc_value, SystemExit | KeyboardInterrupt):
        _ask_again(lost.exc_value, MOMENT)
    else:
        sys.__unraisablehook__(lost)


def _ask_again(leaving: BaseException, after: float) -> None:
    def again(number: int, frame: FrameType | None) -> None:
        raise leaving

    signal.signal(signal.SIGALRM, again)
    signal.setitimer(signal.ITIMER_REAL, after, PATIENCE)


def leave_when_asked() -> None:
    for number in (signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, _leave)
    sys.unraisablehook = _leave_after_all
    atexit.register(signal.setitimer, signal.ITIMER_REAL, 0)  # once Python ends, nobody is left to take what it sends


def main() -> None:
    logging.config.dictConfig(logging_settings(pretty=on_a_terminal()))
    sys.excepthook = complain_of_crash
    leave_when_asked()
    try:
        with failures.translated():
            code = app(standalone_mode=False)
            flush()
        sys.exit(code)
    except GleaneryError as problem:
        complain(problem)
        sys.exit(1)
    except TyperException as problem:
        complain_of_usage(problem)
        sys.exit(getattr(problem, "exit_code", 1))
    except typer.Abort:
        say("Aborted.", to=err)
        sys.exit(1)
    except KeyboardInterrupt:
        sys.exit(130)
