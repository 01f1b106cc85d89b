"""Recogniser of jobs and volunteering: tables of posts, boxes of roles, or one advert."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

from gleanery.extraction.draft import Draft
from gleanery.extraction.plain.event_details.times_and_prices import SENTENCES
from gleanery.extraction.plain.event_details.venues import place_of
from gleanery.extraction.plain.layout.blocks import Block
from gleanery.extraction.plain.structure.facts import Fact, facts_of, first
from gleanery.extraction.plain.structure.labelled_rows import LabelledRow, labelled_rows
from gleanery.extraction.plain.structure.page_view import PageView
from gleanery.extraction.plain.structure.scopes import Scope, find_parts
from gleanery.extraction.values.dates import find_dates, iso
from gleanery.extraction.values.emails import find_emails
from gleanery.extraction.values.names import organisation_in
from gleanery.extraction.values.phones import find_phones

HEADINGS = re.compile(
    r"\b(?:jobs?\b|vacanc|careers?\b|work with us|join our team|volunteer|internship|traineeship|доброволец|"
    r"доброволци|доброволчес|търсим\b|свободни позиции|работа при нас|кариери|"
    r"свободно работно място|стаж\b|karieri|stellenangebot|stellenausschreibung|karriere|ehrenamt|freiwillig|"
    r"praktikum|offre d[’']emploi|recrute|bénévol|stage\b|"
    r"empleo|oferta de trabajo|voluntari|prácticas|locuri de muncă|angajăm|post vacant|job)",
    re.IGNORECASE,
)
VOLUNTEERING = re.compile(r"volunteer|доброволец|доброволци|ehrenamt|freiwillig|bénévol|voluntari", re.IGNORECASE)
WORK = re.compile(
    r"\b(?:salary|full[- ]time|part[- ]time|contract|cv\b|трудов договор|заплата|автобиография|"
    r"пълен работен ден|непълен работен ден|граждански договор|vollzeit|teilzeit|"
    r"gehalt|lebenslauf|cdi\b|cdd\b|temps plein|temps partiel|salaire|jornada completa|salario|normă întreagă|"
    r"salariu|volunteer\w*|доброволец|доброволци|bénévol\w*|ehrenamt\w*)",
    re.IGNORECASE,
)
EMPLOYMENT = re.compile(
    r"(?:трудов договор[^,.;]{0,40}|граждански договор|(?:непълен|пълен) работен ден|full[- ]time|part[- ]time|"
    r"vollzeit|teilzeit|temps plein|temps partiel|jornada (?:completa|parcial)|"
    r"normă întreagă)",
    re.IGNORECASE,
)
DUE = re.compile(
    r"\b(?:записване до|кандидатств\w+ до|apply by|apply before|sign up by|until|closing|срок|до)\b", re.IGNORECASE
)
APPLY = re.compile(
    r"кандидатст|записв|изпра[тщ]|автобиограф|подава|срок|\bapply|applications?|sign up|\bsend|closing|deadline|"
    r"bewerb|candidat|postul|solicit|aplic|trimite",
    re.IGNORECASE,
)
WANTED = re.compile(
    r"\b(?:volunteers? (?:needed|wanted|for)|(?:we need|looking for|seeking|become an?)\b.*\b(?:volunteer|mentor|"
    r"driver|tutor|steward)|търсим\b|търсят се|стани(?:те)? доброволец|нужни са доброволци|freiwillige gesucht|"
    r"ehrenamtliche gesucht|cherch\w+ des bénévoles|se buscan voluntari|căutăm voluntari)",
    re.IGNORECASE,
)
OTHER_HEADINGS = re.compile(
    r"^(?:how to|why|about|equal|our |what we|faq|frequently|contact|записване|няма време|търсят|какво|кои сме|"
    r"за нас|контакти|въпроси|необходими|benefits|requirements|who we)",
    re.IGNORECASE,
)


def opportunities(view: PageView) -> list[Draft]:
    if view.is_article or not HEADINGS.search(view.heads) or not WORK.search(f"{view.text} {view.heads}"):
        return []
    found = [draft for row in labelled_rows(view.page) if (draft := _from_row(view, row))]
    if found:
        return found
    if VOLUNTEERING.search(view.heads):
        roles = [
            scope
            for scope in find_parts(view.page, _is_role)
            if scope.name and scope.heading and scope.heading.cards and not OTHER_HEADINGS.match(scope.name)
        ]
        if len(roles) > 1:
            return [_from_scope(view, scope) for scope in roles]
    facts = view.main_facts
    asks_for_cv = re.search(r"\bCV\b|автобиография|lebenslauf", view.text) and not view.is_home
    is_dated = first(facts, "deadline", "start", "when") or asks_for_cv or _seeks_volunteers(view)
    return [_from_scope(view, view.main)] if is_dated and view.main.name else []


def _seeks_volunteers(view: PageView) -> bool:
    """Return True if the title seeks volunteers and the text has a phone or e-mail."""
    text = view.main.text
    reached = find_phones(text, view.source.country) or find_emails(text)
    return bool(WANTED.search(view.main.name) and reached)


def _is_role(blocks: Sequence[Block]) -> bool:
    """Return True for a box with a heading and a sentence."""
    return any(block.kind == "heading" for block in blocks) and any(
        block.kind == "text" and block.text.endswith(".") for block in blocks
    )


def _from_row(view: PageView, row: LabelledRow) -> Draft | None:
    if (
        not row.name
        or not row.cells.keys() & {"employment", "no_salary", "deadline", "hours"}
        or ("eligibility" in row.cells and "amount" in row.cells)
    ):
        return None
    dates = find_dates(row.cells.get("deadline", ""), view.reader)
    fields: dict[str, Any] = {
        "name": row.name,
        "url": view.absolute(row.href),
        "employment_type": row.cells.get("employment", "") or row.cells.get("hours", ""),
        "organizer_name": row.cells.get("organizer", "") or view.publisher or view.brand,
        "deadline": iso(dates[0].end or dates[0].start, None) if dates else "",
    }
    return view.draft("opportunity", fields, dict.fromkeys(fields, f"table row: {row.text}"))


def _from_scope(view: PageView, scope: Scope) -> Draft:
    facts = facts_of(scope.blocks)
    fields: dict[str, Any] = {"name": scope.name, "description": view.description(scope.blocks, facts)}
    evidence = {"name": "heading", "description": "the first paragraph"}
    for role, name in (("deadline", "deadline"), ("start", "start"), ("time", "start"), ("when", "start")):
        fact = first(facts, role)
        dates = find_dates(fact.value, view.reader) if fact else []
        if fact and dates and not fields.get(name):
            evidence[name] = f"{fact.label}: {fact.value}"
            fields[name] = iso(dates[0].start, None)
            if name == "start" and dates[0].end:
                fields["end"], evidence["end"] = iso(dates[0].end, None), evidence[name]
    _from_prose(view, scope, fields, evidence)
    if fact := first(facts, "eligibility"):
        fields["eligibility"], evidence["eligibility"] = fact.value.replace("\n", " "), fact.label
    fact = first(facts, "organizer", "provider")
    fields["organizer_name"] = fact.value if fact else _organizer(view)
    fields["employment_type"] = _employment(scope, facts)
    _, address, words = place_of(facts, view.source.country)
    if address is not None:
        fields |= address.fields()
        evidence |= dict.fromkeys(address.fields(), words)
    return view.draft("opportunity", fields, evidence)


def _organizer(view: PageView) -> str:
    return view.publisher or organisation_in(" ".join(block.text for block in view.main.blocks[:2]))


def _employment(scope: Scope, facts: Sequence[Fact]) -> str:
    if fact := first(facts, "employment"):
        return fact.value
    match = EMPLOYMENT.search(scope.text)
    return match.group().strip() if match else ""


def _from_prose(view: PageView, scope: Scope, fields: dict[str, Any], evidence: dict[str, str]) -> None:
    for sentence in SENTENCES.split(scope.text):
        for dates in find_dates(sentence, view.reader):
            before = sentence[: dates.begin]
            if scope.whole and (dates.end or dates.start < view.source.fetched or not APPLY.search(sentence)):
                continue  # a whole page has other dates too
            if dates.end is None and DUE.search(before):
                fields.setdefault("deadline", iso(dates.start, None))
                evidence.setdefault("deadline", sentence)
            elif dates.end is not None and "start" not in fields:
                fields["start"], fields["end"] = iso(dates.start, None), iso(dates.end, None)
                evidence["start"] = evidence["end"] = sentence
