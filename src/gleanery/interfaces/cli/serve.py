"""`gleanery up`, `demo` and `worker`: the processes that serve."""

from __future__ import annotations

import os
import sys
from datetime import timedelta

from gleanery import environment
from gleanery.database import launcher
from gleanery.database.renewal import renew
from gleanery.errors import GleaneryError
from gleanery.interfaces.cli.output import Json, say, show
from gleanery.interfaces.cli.processes import Processes
from gleanery.interfaces.cli.runtime import application
from gleanery.net import ports

LINK_LIFETIME = timedelta(hours=1)


def up(json: Json = False) -> None:
    """Start everything: database, worker and web server. Ctrl-C stops it all."""
    _serve(json)


def demo(json: Json = False) -> None:
    """Show Gleanery on data of its own, beside yours; every start begins anew."""
    data = environment.read(os.environ).data_dir / "demo"
    os.environ["GLEANERY_DATA_DIR"] = str(data)
    os.environ.pop("GLEANERY_DATABASE_URL", None)
    _check_port()
    if not json:
        say("This is a demo on data of its own; every start begins anew.")
    with launcher.running(data) as connection:
        renew(connection)
        _serve(json)


def _check_port() -> int:
    port = environment.read(os.environ).port
    if not ports.is_free(port):
        raise GleaneryError(f"Port {port} is in use: set GLEANERY_PORT to another, or stop the program that has it.")
    return port


def _serve(json: bool) -> None:
    port = _check_port()
    if not json:
        say("Starting the database ...")
    with application(), Processes() as processes:
        root = f"http://127.0.0.1:{port}"
        link = root + _login_path()
        processes.start("web server", *_web_server(port))
        processes.start("worker", sys.executable, "-m", "gleanery", "worker")
        processes.wait_until(lambda: ports.answers(port), "web server")
        facts = {"url": f"{root}/admin/", "login_link": link}
        show(facts, json, lambda: _greet(facts))
        processes.wait()
    if not json:
        say("Stopped.")


def _login_path() -> str:
    from gleanery.accounts import services
    from gleanery.accounts.actor import system

    return services.issue_login_link(system(), services.first_admin(), LINK_LIFETIME)


def _web_server(port: int) -> list[str]:
    where = ["--interface", "wsgi", "--host", "127.0.0.1", "--port", str(port)]
    limits = ["--blocking-threads", "8", "--backpressure", "64", "--log-level", "error"]
    return [sys.executable, "-m", "granian", *where, *limits, "gleanery.interfaces.wsgi:application"]


def _greet(facts: dict[str, str]) -> None:
    say(f"\nGleanery runs at {facts['url']}")
    say(f"Log in as admin with this link; it works once, within an hour:\n\n  {facts['login_link']}\n")
    say("Press Ctrl-C to stop.")


def worker() -> None:
    """Run background jobs. Start as many as you like, on as many machines, over one PostgreSQL."""
    with application():
        from gleanery.jobs import run_worker

        run_worker()
