"""`gleanery doctor`: checks the installation and says what to do about each problem."""

from __future__ import annotations

import os
import platform
import shutil
from collections.abc import Callable
from dataclasses import asdict, dataclass, fields
from datetime import UTC, datetime
from pathlib import Path
from typing import NamedTuple

import typer
from rich.text import Text

from gleanery import __version__, environment
from gleanery.crawling.rendering.chromium import find_chromium
from gleanery.domains.names import suffix_list_date
from gleanery.errors import GleaneryError
from gleanery.interfaces.cli.runtime import application
from gleanery.interfaces.cli.terminal.hints import with_settings
from gleanery.interfaces.cli.terminal.output import Json, say, show
from gleanery.text import counted

ENOUGH_BYTES = 1 << 30
NO_PROVIDER = (
    "No search provider is on, so `gleanery discover` cannot search. Set one of these, or add results with "
    "`gleanery discover --topic NAME --file FILE`, sources with `gleanery submit`, records with `gleanery import`."
)

NO_BACKUP = (
    "Set GLEANERY_BACKUP_DIR to a directory on another disk, and a worker writes a backup there each night. "
    "To write one now, run `gleanery backup`."
)


@dataclass(frozen=True, slots=True)
class Finding:
    about: str
    ok: bool
    says: str
    hint: str = ""  # what to do, though nothing is wrong


class Hinted(NamedTuple):
    """Result of a check that found nothing wrong, with something that should still be done."""

    says: str
    hint: str


Check = Callable[[], str | Hinted]


def doctor(json: Json = False) -> None:
    """Check this installation, and say what to do about each problem."""
    findings = [_examine(*BEFORE_START[0]), _examine(*BEFORE_START[1])]
    # A problem of the settings is reported once, not again by each check that reads them.
    findings += [_examine(about, check) for about, check in BEFORE_START[2:] if findings[1].ok]
    if all(finding.ok for finding in findings):
        findings += _examine_running()
    show([asdict(finding) for finding in findings], json, lambda: _print(findings))
    if not all(finding.ok for finding in findings):
        raise typer.Exit(1)


def _examine(about: str, check: Check) -> Finding:
    try:
        said = check()
        return Finding(about, True, *said) if isinstance(said, Hinted) else Finding(about, True, said)
    except GleaneryError as problem:
        return Finding(about, False, str(problem))


def _examine_running() -> list[Finding]:
    """Run the checks that need the database; it is started for them if it is not running."""
    try:
        with application():
            return [_examine(about, check) for about, check in WHEN_RUNNING]
    except GleaneryError as problem:
        return [Finding("database", False, str(problem))]


def _print(findings: list[Finding]) -> None:
    for finding in findings:
        mark = ("✗", "red") if not finding.ok else ("!", "yellow") if finding.hint else ("✓", "green")
        say(Text.assemble(mark, " ", (finding.about, "bold"), f": {with_settings(finding.says)}"))
        if finding.hint:
            say(f"  {finding.hint}")
    say(f"\n{_summary(findings)}")


def _summary(findings: list[Finding]) -> str:
    if wrong := sum(not finding.ok for finding in findings):
        return f"{wrong} of {len(findings)} checks found a problem."
    if hints := sum(bool(finding.hint) for finding in findings):
        return f"Nothing is wrong. See {counted(hints, 'hint')} above, marked with !."
    return "Everything is in order."


def _version() -> str:
    return f"Gleanery {__version__} on Python {platform.python_version()}, {platform.system()} {platform.machine()}"


def _settings() -> str:
    environment.read(os.environ)
    names = sorted(name for name in os.environ if name.startswith(("GLEANERY_", "DEDUP_")))
    known = {each.metadata["name"] for each in fields(environment.Environment)}
    if unknown := [name for name in names if name not in known and not name.startswith("GLEANERY_DEMO_")]:
        raise GleaneryError(f"{unknown[0]} is not a setting. Check the spelling: docs/settings.md lists all settings.")
    return f"readable; set are {', '.join(names)}" if names else "readable; all at their defaults"


def _data_directory() -> str:
    path = environment.read(os.environ).data_dir
    there = _nearest_existing(path)
    if not os.access(there, os.W_OK):
        raise GleaneryError(f"{there} is not writable. Set GLEANERY_DATA_DIR to a writable directory.")
    free = shutil.disk_usage(there).free
    if free < ENOUGH_BYTES:
        raise GleaneryError(
            f"{path} has only {free >> 20} MiB left. Free some space, or set GLEANERY_DATA_DIR to another disk."
        )
    return f"{path}, {free >> 30} GiB free"


def _nearest_existing(path: Path) -> Path:
    return next(each for each in (path, *path.parents) if os.path.exists(each))  # a closed parent counts as missing


def _suffix_list() -> str:
    made = suffix_list_date()
    if made is None:
        raise GleaneryError("The public suffix list has no date. Install the package publicsuffixlist again.")
    return f"as of {made:%d %B %Y}, bundled; to update it, run `pip install --upgrade publicsuffixlist`"


def _database() -> str:
    from django.db import connection

    with connection.cursor() as cursor:
        cursor.execute("SELECT current_setting('server_version'), pg_size_pretty(pg_database_size(current_database()))")
        version, size = cursor.fetchone()
    whose = "the server of GLEANERY_DATABASE_URL" if environment.read(os.environ).database_url else "the bundled server"
    return f"PostgreSQL {version}, {whose}, {size}; Cyrillic text is compared correctly; all migrations are applied"


def _admin() -> str:
    from gleanery.accounts.models import User
    from gleanery.roles import Role

    admins = User.people().filter(groups__name=Role.ADMIN, is_active=True)
    names = list(admins.order_by("username").values_list("username", flat=True))
    if not names:
        raise GleaneryError("Nobody can log in as admin. Run `gleanery up` or `gleanery user add NAME --role admin`.")
    return ", ".join(names)


def _providers() -> str | Hinted:
    from gleanery.discovery.status import provider_status

    found = provider_status()
    said = "; ".join(f"{each.provider} is {each.sentence}" for each in found)
    return said if any(each.on for each in found) else Hinted(said, NO_PROVIDER)


def _jobs() -> str:
    from gleanery.jobs import counts

    found = counts()
    jobs = ", ".join(f"{count} {status}" for status, count in sorted(found.items())) or "none yet"
    if found.get("failed"):
        raise GleaneryError(f"{jobs}. See the failed ones under Jobs in the console, and the log of the worker.")
    return jobs


def _browser() -> str:
    path = find_chromium(environment.read(os.environ).browser)
    if not path:
        return "off, so pages made by scripts are not read; set GLEANERY_BROWSER=on to read them"
    return f"on: {path} renders pages made by scripts"


def _backup() -> str | Hinted:
    """Check the newest backup by reading all of it, as a restore would."""
    from gleanery.database.backup import nightly

    directory = environment.read(os.environ).backup_dir
    if directory is None:
        return Hinted("no automatic backups", NO_BACKUP)
    found = nightly.newest(directory)
    if found is None:
        return Hinted(
            f"none in {directory} yet", "A worker writes one each night. To write one now, run `gleanery backup`."
        )
    path, manifest = found
    age = datetime.now(UTC) - manifest.made_at
    if age > nightly.TOO_OLD:
        raise GleaneryError(
            f"The newest backup in {directory} is {counted(age.days, 'day')} old. Check that a worker runs at night "
            "and why its job back_up_nightly failed; to write one now, run `gleanery backup`."
        )
    return f"{path}, {manifest.made_at:%Y-%m-%d %H:%M} UTC, {counted(manifest.rows, 'row')}, complete"


def _webhooks() -> str:
    from gleanery.publishing.webhooks import health

    return health.report()


def _mail() -> str | Hinted:
    from gleanery.publishing.digests import status

    says, hint = status.standing()
    return Hinted(says, hint) if hint else says


BEFORE_START: tuple[tuple[str, Check], ...] = (
    ("version", _version),
    ("settings", _settings),
    ("data directory", _data_directory),
    ("public suffix list", _suffix_list),
    ("browser", _browser),
)
WHEN_RUNNING: tuple[tuple[str, Check], ...] = (
    ("database", _database),
    ("admins", _admin),
    ("providers", _providers),
    ("jobs", _jobs),
    ("backup", _backup),
    ("webhooks", _webhooks),
    ("e-mails", _mail),
)
