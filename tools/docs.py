"""Writes the pages of docs/ that are made from the code, or says which of them are no longer true."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Collection, Iterator
from dataclasses import fields
from pathlib import Path

import django

ROOT = Path(__file__).parents[1]
NOTE = "<!-- Made by `make docs FIX=1`; change the code, not this page. -->"


def states() -> Iterator[str]:
    from gleanery.accounts.life import KEY  # noqa: PLC0415  # Django has to be set up first
    from gleanery.crawling.crawl_lifecycle import CRAWL  # noqa: PLC0415
    from gleanery.discovery.life import SESSION  # noqa: PLC0415
    from gleanery.domains.life import APPROVAL, PROCESSING  # noqa: PLC0415
    from gleanery.feeds.life import FEED  # noqa: PLC0415
    from gleanery.judging.life import CANDIDATE  # noqa: PLC0415
    from gleanery.resolution.records.life import RECORD  # noqa: PLC0415
    from gleanery.review.life import ITEM  # noqa: PLC0415

    yield from ("# States", "", NOTE, "", "Each thing with a life moves only as its table allows.")
    for machine in (PROCESSING, APPROVAL, CANDIDATE, CRAWL, FEED, RECORD, ITEM, SESSION, KEY):
        yield from ("", f"## {machine.name}", "", "```mermaid", *machine.drawing(), "```", "")
        yield from ("| from | action | to | who | reason |", "|---|---|---|---|---|")
        for move in machine.moves:
            reason = "needed" if move.needs_reason else ""
            yield f"| {move.before} | {move.action} | {move.after} | {move.who} | {reason} |"


def settings() -> Iterator[str]:
    from gleanery.environment import Environment  # noqa: PLC0415

    yield from (
        "# Settings",
        "",
        NOTE,
        "",
        "Environment variables; all optional. A value that cannot be used stops the",
    )
    yield from (
        "start with a sentence that says what to set.",
        "",
        "| variable | default | what it is for |",
        "|---|---|---|",
    )
    for each in fields(Environment):
        default = f"`{each.metadata['default']}`" if each.metadata["default"] else ""
        yield f"| `{each.metadata['name']}` | {default} | {each.metadata['help']} |"


def commands() -> Iterator[str]:
    import typer  # noqa: PLC0415

    from gleanery.interfaces.cli.main import app  # noqa: PLC0415

    yield from (
        "# Commands",
        "",
        NOTE,
        "",
        "`gleanery COMMAND --help` tells more. Exit codes: 0 ok, 1 failed, 2 usage.",
    )
    yield from ("", "| command | what it does |", "|---|---|")
    yield from _commands("gleanery", typer.main.get_command(app))


def _commands(path: str, command: object) -> Iterator[str]:
    inner = getattr(command, "commands", None)
    if inner is None:
        yield f"| `{path}` | {getattr(command, 'help', '').strip().splitlines()[0]} |"
        return
    for name, each in inner.items():
        yield from _commands(f"{path} {name}", each)


def api() -> Iterator[str]:
    from gleanery.interfaces.api.root import api as root  # noqa: PLC0415
    from gleanery.interfaces.permissions import API, Open  # noqa: PLC0415

    yield from ("# API", "", NOTE, "", "Under `/api/v1`; the schema is at `/api/v1/openapi.json`. Send a key as")
    yield from (
        "`Authorization: Bearer glean_...`; errors are problems (RFC 9457). A query parameter that a route does not",
    )
    yield from ("know is refused, and so is a body that is no JSON object.", "")
    yield from ("| route | what it does | who may |", "|---|---|---|")
    for path, item in root.get_openapi_schema()["paths"].items():
        for method, operation in item.items():
            need = API[method.upper(), path.removeprefix("/api/v1")]
            who = need.value if isinstance(need, Open) else _scopes(need)
            yield f"| `{method.upper()} {path}` | {operation['summary']} | {who} |"


def _scopes(need: str | Collection[str]) -> str:
    return "scope " + " or ".join(f"`{each}`" for each in ([need] if isinstance(need, str) else sorted(need)))


def platforms() -> Iterator[str]:
    from gleanery.feeds.platforms import PLATFORMS  # noqa: PLC0415

    yield from (
        "# Platforms",
        "",
        NOTE,
        "",
        "Feeds are read before pages. A feed is found by a sign on a page of its source, never by trying paths.",
    )
    yield from ("Of several platforms that see the same address the upper one has it.", "")
    yield from ("| platform | how a page shows it | where its feed is | asked at |", "|---|---|---|---|")
    for each in PLATFORMS:
        hosts = ", ".join(f"`{host}`" for host in each.hosts) or "the site itself"
        yield f"| {each.label} | {each.shown_by} | {each.feed_at} | {hosts} |"


def matching() -> Iterator[str]:
    from gleanery.matching.adjustments import ADJUSTMENTS  # noqa: PLC0415
    from gleanery.matching.comparisons import COMPARISONS  # noqa: PLC0415
    from gleanery.matching.weights import weights  # noqa: PLC0415

    yield from ("# What two records are compared by", "", NOTE, "")
    yield "Each field that both records say something about has a level, and each level its points for each kind."
    yield "They add up, with those that a kind begins with: 0 points are 50 %, one more makes it twice as likely."
    yield "A level with a veto keeps two from being joined unasked, whatever else agrees."
    kinds = COMPARISONS[0].kinds
    yield from ("", f"| | {' | '.join(kinds)} |", f"|---{'|---' * len(kinds)}|")
    yield f"| to begin with | {' | '.join(f'{weights(kind).prior:g}' for kind in kinds)} |"
    for each in COMPARISONS:
        yield from ("", f"## {each.field}", "", f"| level | veto | {' | '.join(each.kinds)} |")
        yield f"|---|---{'|---' * len(each.kinds)}|"
        for level in each.levels:
            points = " | ".join(f"{weights(kind).of(each.field, level.name):g}" for kind in each.kinds)
            yield f"| {level.name}: {level.sentence} | {'veto' if level.veto else ''} | {points} |"
    yield from ("", "## What several fields say together", "", "In this order:", "")
    for change in ADJUSTMENTS:
        one, other = (" · ".join(each.values()) for each in change.example)
        yield f"- **{change.name}**: {change.sentence} Example: {one} / {other}."


PAGES: dict[str, Callable[[], Iterator[str]]] = {
    "docs/states.md": states,
    "docs/settings.md": settings,
    "docs/commands.md": commands,
    "docs/api.md": api,
    "docs/platforms.md": platforms,
    "docs/matching.md": matching,
}


def stale() -> list[str]:
    return [name for name, page in PAGES.items() if not _same(ROOT / name, page)]


def _same(path: Path, page: Callable[[], Iterator[str]]) -> bool:
    return path.exists() and path.read_text() == _text(page)


def _text(page: Callable[[], Iterator[str]]) -> str:
    return "\n".join(page()) + "\n"


def main() -> int:
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "gleanery.settings")
    django.setup()
    if "--write" in sys.argv:
        for name, page in PAGES.items():
            (ROOT / name).write_text(_text(page))
        return 0
    for name in stale():
        sys.stderr.write(f"{name} is no longer true: run `make docs FIX=1`.\n")
    return 1 if stale() else 0


if __name__ == "__main__":
    sys.exit(main())
