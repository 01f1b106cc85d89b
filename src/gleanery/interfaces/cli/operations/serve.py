"""`gleanery up`, `demo` and `worker`: starts the processes that serve."""

from __future__ import annotations

import os
import sys
from contextlib import nullcontext
from datetime import datetime, timedelta
from pathlib import Path
from typing import Annotated, Any

import typer

from gleanery import environment
from gleanery.database import launcher
from gleanery.database.recreation import recreate_database
from gleanery.database.status import server_status
from gleanery.database.watchdog import Watchdog
from gleanery.errors import GleaneryError
from gleanery.interfaces.cli.demonstration import tour
from gleanery.interfaces.cli.demonstration.summary import print_summary, print_truth
from gleanery.interfaces.cli.operations.processes import Processes
from gleanery.interfaces.cli.runtime import application, base_of
from gleanery.interfaces.cli.terminal.hints import settings_in_use
from gleanery.interfaces.cli.terminal.output import Json, is_read_on_a_terminal, say, show
from gleanery.interfaces.serving.claim import Claim, claimed
from gleanery.net import ports

LINK_LIFETIME = timedelta(hours=1)


def up(json: Json = False) -> None:
    """Start everything: database, worker and web server. Ctrl-C stops it all."""
    settings = environment.read(os.environ)
    with claimed(settings.port, settings.data_dir) as claim:
        if not json:
            say("Starting the database ...")
        with application(), Processes() as processes:
            _serve(claim, processes, json, {})


def demo(
    once: Annotated[bool, typer.Option("--once", help="Print the results and exit without serving.")] = False,
    json: Json = False,
) -> None:
    """Show Gleanery on a bundled sample web, without network or keys; each start begins afresh."""
    settings, web, day = environment.read(os.environ), ports.free_port(), datetime.now().astimezone().date()
    data = settings.data_dir / "demo"
    if server_status(data).running:
        raise GleaneryError("A demo is already running. Use that one, or stop it with Ctrl-C first.")
    os.environ.pop("GLEANERY_DATABASE_URL", None)
    os.environ["GLEANERY_DATA_DIR"] = str(data)
    os.environ.pop("GLEANERY_PUBLIC_URL", None)
    os.environ.update(tour.settings_for(web, day))
    if not json:
        say("This is a demo on a sample web, with two search engines and its own database. Your data is not touched.")
    with nullcontext() if once else claimed(settings.port, data) as claim, launcher.running(data) as connection:
        recreate_database(connection)
        with application(), Processes() as processes:
            processes.start("sample web", *_web_server(web, "gleanery.demo.web:application"))
            processes.wait_until(lambda: ports.answers(web), "sample web")
            story = tour.story(json, day)
            if claim is None:
                show(story, json, lambda: print_summary(story["numbers"]))
            else:
                _serve(claim, processes, json, story)


def _serve(claim: Claim, processes: Processes, json: bool, story: dict[str, Any]) -> None:
    settings = environment.read(os.environ)
    root, port = base_of(settings), settings.port
    link = _login_link(root, is_demo=bool(story))
    processes.start("web server", *_web_server(port, "gleanery.interfaces.wsgi:application"))
    processes.start("worker", sys.executable, "-m", "gleanery", "worker")
    processes.wait_until(lambda: ports.answers(port), "web server")
    claim.record(processes.family("web server"))
    about = {"url": f"{root}/admin/", "login_link": link, **story}
    check = (lambda: None) if settings.database_url else Watchdog(settings.data_dir).check
    processes.wait(lambda: show(about, json, lambda: _greet(about)), check)
    if not json:
        say("Stopping ...")


def _login_link(root: str, *, is_demo: bool) -> str | None:
    """Return a login link, or None if it would end in a log and an admin has a password. Older links stay valid."""
    from gleanery.accounts import services
    from gleanery.accounts.actor import system

    admin = services.first_admin()
    if not (is_demo or is_read_on_a_terminal()) and services.has_admin_with_password():
        return None
    return root + services.issue_login_link(system(), admin, LINK_LIFETIME, keeps_older=True)


def _web_server(port: int, application: str) -> list[str]:
    where = ["--interface", "wsgi", "--host", "127.0.0.1", "--port", str(port)]
    limits = ["--blocking-threads", "8", "--backpressure", "64", "--log-level", "error"]
    return [sys.executable, "-m", "granian", *where, *limits, application]


def _greet(facts: dict[str, Any]) -> None:
    say(f"\nThe public site:  {facts['url'].removesuffix('admin/')}")
    say(f"The console:      {facts['url']}")
    if facts["login_link"]:
        say(f"Log in as admin with this link; it works once, within an hour:\n\n  {facts['login_link']}\n")
    else:
        say("Log in with your password. To make a login link:  gleanery user link NAME")
    if "sessions" in facts:
        command = f"{settings_in_use()}{Path(sys.argv[0])}"
        say(f"In another terminal, on the same data:\n\n  {command} record list\n")
        _point_at_matches(facts, command)
    say("Press Ctrl-C to stop.")


def _point_at_matches(facts: dict[str, Any], command: str) -> None:
    print_truth(facts["numbers"]["truth"])
    say(f"\nPossible duplicates to review:\n\n  {facts['url']}review-queue?warning=duplicates\n")
    if facts["flagged_pair"]:
        one, other = facts["flagged_pair"]
        say(f"Why two of them may be the same, point by point:\n\n  {facts['url']}resolution/record/{one}/why/{other}/")
        say(f"  {command} record why {one} {other}\n")


def worker() -> None:
    """Run background jobs, crawl, read feeds. Any number of workers on any machines can share one PostgreSQL."""
    with application():
        from gleanery.crawling.visiting.crawler import crawl_for_ever
        from gleanery.feeds.reading.worker_loop import read_feeds_for_ever
        from gleanery.worker import run_worker

        run_worker(crawl_for_ever, read_feeds_for_ever)
