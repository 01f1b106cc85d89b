"""`gleanery up`, `demo` and `worker`: the processes that serve."""

from __future__ import annotations

import os
import signal
import sys
from collections.abc import Callable
from datetime import timedelta

from gleanery import environment
from gleanery.errors import GleaneryError
from gleanery.interfaces.cli.output import Json, say, show
from gleanery.interfaces.cli.processes import Processes
from gleanery.interfaces.cli.runtime import application
from gleanery.net import ports

LINK_LIFETIME = timedelta(hours=1)


def up(json: Json = False) -> None:
    """Start everything: database, worker and web server. Ctrl-C stops it all."""
    _serve(json, introduce=lambda: None)


def demo(json: Json = False) -> None:
    """Show Gleanery on data of its own, beside yours; every start begins anew."""
    settings = environment.read(os.environ)
    os.environ["GLEANERY_DATA_DIR"] = str(settings.data_dir / "demo")
    os.environ.pop("GLEANERY_DATABASE_URL", None)
    _serve(json, introduce=lambda: say("This is a demo on data of its own; every start begins anew."))


def _serve(json: bool, introduce: Callable[[], None]) -> None:
    port = environment.read(os.environ).port
    if not ports.is_free(port):
        raise GleaneryError(f"Port {port} is in use: set GLEANERY_PORT to another, or stop the program that has it.")
    if not json:
        introduce()
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
    options = ["--interface", "wsgi", "--host", "127.0.0.1", "--port", str(port), "--log-level", "warning"]
    return [sys.executable, "-m", "granian", *options, "gleanery.interfaces.wsgi:application"]


def _greet(facts: dict[str, str]) -> None:
    say(f"\nGleanery runs at {facts['url']}")
    say(f"Log in as admin with this link; it works once, within an hour:\n\n  {facts['login_link']}\n")
    say("Press Ctrl-C to stop.")


def worker() -> None:
    """Run background jobs. Start as many as you like, on as many machines, over one PostgreSQL."""
    with application():
        from procrastinate.contrib.django import app

        from gleanery.jobs import HEARTBEAT_SECONDS, STALLED_AFTER_SECONDS

        with app.replace_connector(app.connector.get_worker_connector()) as running:  # type: ignore[attr-defined]
            running.run_worker(
                update_heartbeat_interval=HEARTBEAT_SECONDS,
                stalled_worker_timeout=STALLED_AFTER_SECONDS,
                shutdown_graceful_timeout=10,
            )


def stop_quietly() -> None:
    """A closed terminal ends us like Ctrl-C does."""
    for name in ("SIGTERM", "SIGHUP"):
        if hasattr(signal, name):
            signal.signal(getattr(signal, name), signal.default_int_handler)
