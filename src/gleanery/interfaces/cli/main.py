"""Root of the command line; every expected error is printed as one message and exits with code 1."""

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

# Seconds until a process that was asked to end is asked again: when the signal was swallowed, and in general.
RETRY_AT_ONCE, RETRY_LATER = 0.01, 10.0

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
    """Options of `gleanery` itself."""


def _exit_on_signal(number: int, frame: FrameType | None) -> None:
    """Raise SystemExit, so that context managers run and the database connection is released."""
    leaving = SystemExit(128 + number)
    _raise_again(leaving, RETRY_LATER)  # in case cleaning up blocks
    raise leaving


def _recover_dropped_exit(lost: sys.UnraisableHookArgs) -> None:
    """Raise an exit again that Python dropped because the signal came while an object was being destroyed."""
    if isinstance(lost.exc_value, SystemExit | KeyboardInterrupt):
        _raise_again(lost.exc_value, RETRY_AT_ONCE)
    else:
        sys.__unraisablehook__(lost)


def _raise_again(leaving: BaseException, after: float) -> None:
    def again(number: int, frame: FrameType | None) -> None:
        raise leaving

    signal.signal(signal.SIGALRM, again)
    signal.setitimer(signal.ITIMER_REAL, after, RETRY_LATER)


def exit_on_signals() -> None:
    """End the command cleanly on SIGTERM and SIGHUP."""
    for number in (signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, _exit_on_signal)
    sys.unraisablehook = _recover_dropped_exit
    atexit.register(signal.setitimer, signal.ITIMER_REAL, 0)  # no alarm may arrive while Python shuts down


def main() -> None:
    logging.config.dictConfig(logging_settings(pretty=on_a_terminal()))
    sys.excepthook = complain_of_crash
    exit_on_signals()
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
