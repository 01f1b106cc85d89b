"""`gleanery judge` and `candidate`: scores of search results, and the candidates they led to."""

from __future__ import annotations

from typing import Annotated, Any

import typer
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

from gleanery.errors import NotFound
from gleanery.interfaces.cli.runtime import application
from gleanery.interfaces.cli.terminal.output import Json, err, say, show, table
from gleanery.text import counted

candidates = typer.Typer(no_args_is_help=True, help="Candidates: domains that were judged.")
COLUMNS = ("domain", "confidence", "shown_status", "organization", "programme", "topic")
SPARE = ("topic", "programme", "organization")


def judge(
    url: Annotated[str, typer.Argument(help="The address of a page, or a domain.")],
    topic: Annotated[str, typer.Option(help="The short name of the topic.")],
    title: Annotated[str, typer.Option(help="The title, as a search engine shows it.")] = "",
    text: Annotated[str, typer.Option(help="The text under it.")] = "",
    json: Json = False,
) -> None:
    """Explain how one search result would be scored; nothing is stored."""
    with application():
        from gleanery.discovery.services import find_topic
        from gleanery.judging import services

        facts = services.explain(find_topic(topic), url, title, text)
    show(facts, json, lambda: print_judgement(facts))


def print_judgement(facts: dict[str, Any]) -> None:
    rows = [[each["name"], each["score"], each["weight"], each["explanation"]] for each in facts["scores"]]
    table(rows, "judge", "score", "weight", "explanation", empty="No judge gave a score.")
    verdict = "propose it" if facts["should_crawl"] else "skip it"
    say(f"\nConfidence {facts['confidence']}, threshold {facts['threshold']}: {verdict}.")
    for name in ("organization", "programme"):
        if facts[name]:
            say(f"{name.capitalize()}: {facts[name]}")


def judge_with_progress(session: Any, json: bool) -> dict[str, Any]:
    """Judge the results of a session with a progress bar; a worker may have judged some already."""
    from gleanery.judging import numbers, services

    columns = (
        TextColumn("judging       ", markup=False),
        BarColumn(bar_width=24),
        MofNCompleteColumn(),
        TimeElapsedColumn(),
    )
    with Progress(*columns, console=err, disable=json) as bars:
        task = bars.add_task("judging", total=session.results.filter(outcome__in=("new", "duplicate")).count())
        services.judge_session(session, lambda count: bars.advance(task, count))
    return numbers.of_session(session.pk).as_dict()


def print_stats(stats: dict[str, Any], *, hints: bool = True) -> None:
    if not stats["total"]:
        say("\nThere was nothing to judge.")
        return
    say(f"\nThe judges looked at {counted(stats['total'], 'result')}. New candidates: {stats['created']}.")
    rows = [[name.replace("_", " "), value] for name, value in stats.items() if value]
    table(rows, "", "", empty="")
    if hints:
        say("The best of them:  gleanery candidate list")


@candidates.command("list")
def list_candidates(
    status: Annotated[str, typer.Option(help="Only those of this status.")] = "pending_crawl",
    topic: Annotated[str, typer.Option(help="Only those of this topic.")] = "",
    most: Annotated[int, typer.Option(min=1, max=100_000)] = 50,
    json: Json = False,
) -> None:
    """Show the candidates, the surest first; --status '' shows the skipped ones too."""
    with application():
        from gleanery.judging.candidate_status import of_status, with_shown_status
        from gleanery.judging.models import Candidate

        found = with_shown_status(Candidate.objects.select_related("domain", "topic"))
        found = found.exclude(domain__processing_status="blacklisted").order_by("-confidence", "domain__name")
        found = of_status(found, status) if status else found
        found = found.filter(topic__name=topic) if topic else found
        rows, total = [_facts(each) for each in found[:most]], found.count()
    cells = [[row[each] for each in COLUMNS] for row in rows]
    empty = "No matching candidates."
    show(rows, json, lambda: table(cells, *COLUMNS, empty=empty, total=total, spare=SPARE))


@candidates.command("show")
def show_candidate(
    domain: Annotated[str, typer.Argument(help="The domain, in any spelling.")], json: Json = False
) -> None:
    """Show the evidence for a candidate: each search result, with the explanation of each judge."""
    with application():
        from gleanery.domains import registry
        from gleanery.judging import services
        from gleanery.judging.candidate_status import with_shown_status
        from gleanery.judging.models import Candidate

        rows = with_shown_status(Candidate.objects.select_related("domain", "topic"))
        row = rows.filter(domain=registry.find(domain)).first()
        if row is None:
            raise NotFound(f"{domain} has not been judged yet.")
        evidence = [_evidence(each) for each in services.evidence_of(row)]
        facts = {**_facts(row), "evidence": evidence}
    show(facts, json, lambda: _print_candidate(facts))


def _print_candidate(facts: dict[str, Any]) -> None:
    table([[facts[each] for each in COLUMNS]], *COLUMNS, empty="", spare=SPARE)
    for each in facts["evidence"]:
        say(f"\n{each['title']}\n{each['url']}")
        print_judgement(each) if each["scores"] else say(f"Not judged: {each['skipped']}.")


def _facts(candidate: Any) -> dict[str, Any]:
    shown = ("id", "status", "shown_status", "confidence", "organization", "programme", "created_at")
    names = {"domain": candidate.domain.name, "topic": candidate.topic.name}
    return {**names, **{each: getattr(candidate, each) for each in shown}}


def _evidence(judgement: Any) -> dict[str, Any]:
    shown = ("confidence", "threshold", "should_crawl", "scores", "organization", "programme", "skipped")
    said = {"url": judgement.result.url, "title": judgement.result.title}
    return {**said, **{each: getattr(judgement, each) for each in shown}}
