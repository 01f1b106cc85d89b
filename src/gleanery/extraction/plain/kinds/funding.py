"""Recogniser of funding programmes: a name, a sum or deadline, and words about applying."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from datetime import date
from typing import Any

from gleanery.extraction.draft import Draft
from gleanery.extraction.plain.event_details.times_and_prices import HAS_DIGIT
from gleanery.extraction.plain.kinds.funding_words import (
    APPLYING,
    AT_MOST,
    CLOSED,
    DUE,
    FUNDING,
    GIVEN,
    INVITED,
    LEAST,
    NOT_DUE,
    OPENS,
    PAST_OR_TOTAL,
    QUOTED_PROGRAMME,
    REGIONS,
    SENTENCES,
)
from gleanery.extraction.plain.layout.blocks import Block
from gleanery.extraction.plain.listing.offers import closing_days, listed_offers
from gleanery.extraction.plain.structure.facts import Fact, facts_of, first
from gleanery.extraction.plain.structure.labelled_rows import LabelledRow, labelled_rows
from gleanery.extraction.plain.structure.labels import role_of
from gleanery.extraction.plain.structure.page_view import PageView
from gleanery.extraction.plain.structure.scopes import Scope, find_parts
from gleanery.extraction.values.addresses import country_named
from gleanery.extraction.values.amounts import Amount, currency_of, find_amounts
from gleanery.extraction.values.dates import Dates, find_dates, iso, offset_in
from gleanery.extraction.values.names import organisation_in

ENOUGH = 2


def funding(view: PageView) -> list[Draft]:
    if view.is_article or not FUNDING.search(f"{view.text} {view.heads}"):
        return []
    found = [draft for row in labelled_rows(view.page) if (draft := _from_row(view, row))]
    several = [scope for scope in find_parts(view.page, lambda blocks: _is_funding(view, blocks)) if scope.name]
    if not found and len(listed := _listed(view)) > len(several):
        return listed
    if found or not (APPLYING.search(view.text) or first(view.facts, "deadline")):
        return found
    # A homepage covers many things; it is about one programme only if its title says so.
    heads = view.main.name if view.is_home else view.heads
    scopes = several or ([view.main] if FUNDING.search(heads) and _is_funding(view, view.main.blocks) else [])
    return [draft for scope in scopes if (draft := _from_scope(view, scope))]


def _listed(view: PageView) -> list[Draft]:
    """Return calls from a list: each with a name and an upcoming deadline, most of them with a sum."""
    if not FUNDING.search(view.heads):
        return []
    drafts = []
    for scope, entry in listed_offers(view, closing_days):
        upcoming = [each.start for each in entry.days if each.start >= view.source.fetched]
        if len(upcoming) == 1 and (draft := _from_scope(view, scope)):
            drafts.append(_closing(draft, upcoming[0].isoformat(), entry.line.written))
    return drafts if sum("amount_max" in each.fields for each in drafts) * 2 > len(drafts) else []


def _closing(draft: Draft, day: str, region_fact: str) -> Draft:
    """Add the day of a list entry as deadline."""
    fields, evidence = {"deadline": day} | draft.fields, {"deadline": region_fact} | draft.evidence
    return replace(draft, fields=fields, evidence=evidence)


def _is_funding(view: PageView, blocks: Sequence[Block]) -> bool:
    """Return True with two of: sum given, deadline, eligibility."""
    if not any(HAS_DIGIT.search(block.text) for block in blocks):
        return False
    facts = facts_of(blocks)
    if any(CLOSED.search(block.text) for block in blocks[:6]):
        return False
    given = _amount(view, blocks, facts) is not None
    who = first(facts, "eligibility") is not None
    if not (given or who):
        return False
    due = bool(_deadline(view, blocks, facts))
    return given + due + who >= ENOUGH and (
        due or bool(APPLYING.search("\n".join(f"{block.label} {block.text}" for block in blocks)))
    )


def _from_scope(view: PageView, scope: Scope) -> Draft | None:
    facts = facts_of(scope.blocks)
    name, evidence = _name(scope)
    if not name:
        return None
    aim = first(facts, "description")
    description = (
        aim.value.replace("\n", " ") if aim and aim.block.kind == "pair" else view.description(scope.blocks, facts)
    )
    fields: dict[str, Any] = {
        "name": name,
        "description": description,
        "url": "" if scope.whole else view.absolute(scope.href or _only_link(scope)),
    }
    where_found = {"name": evidence, "description": "the first paragraph"}
    if amount := _amount(view, scope.blocks, facts):
        fields |= _sums(*amount)
        where_found |= dict.fromkeys(("amount_min", "amount_max", "currency"), amount[1])
    if due := _deadline(view, scope.blocks, facts):
        fields["deadline"], where_found["deadline"] = due
    if who := _eligibility(scope.blocks, facts):
        fields["eligibility"], where_found["eligibility"] = who
    if region_fact := first(facts, "region"):
        fields["region"], where_found["region"] = region_fact.value, region_fact.label
    elif region := _region(fields.get("eligibility", "")):
        fields["region"], where_found["region"] = region, fields["eligibility"]
    fields["funder_name"], where_found["funder_name"] = _funder(view, scope, facts, description)
    if reference := first(facts, "external_id"):
        fields["external_id"] = reference.value
    return view.draft("funding", fields, where_found)


def _only_link(scope: Scope) -> str:
    """Return the only link of the scope, or ""."""
    links = [
        link.href
        for block in scope.blocks
        for link in block.links
        if not link.href.startswith(("mailto:", "tel:", "#"))
    ]
    return links[0] if len(links) == 1 else ""


def _from_row(view: PageView, row: LabelledRow) -> Draft | None:
    if (
        not row.name
        or not ({"amount", "deadline"} & row.cells.keys())
        or row.cells.keys() & {"no_salary", "employment"}
    ):
        return None
    currency = currency_of(" ".join(row.headers)) or currency_of(row.cells.get("amount", "")) or currency_of(row.around)
    amounts = find_amounts(row.cells.get("amount", ""), currency=currency)
    # In a table of sums and applicants a plain date is the deadline.
    closes = row.cells.get("deadline") or ("" if OPENS.search(row.cells.get("when", "")) else row.cells.get("when", ""))
    dates = find_dates(closes, view.reader)
    if not amounts and not dates:
        return None
    fields: dict[str, Any] = {
        "name": row.name,
        "url": view.absolute(row.href),
        "eligibility": row.cells.get("eligibility", ""),
        "funder_name": row.cells.get("funder", "") or view.publisher or view.brand,
        "region": row.cells.get("region", ""),
        "description": row.cells.get("description", ""),
    }
    if amounts:
        fields |= _sums(
            amounts[0],
            f"{' '.join(header for header in row.headers if role_of(header) == 'amount')} {row.cells['amount']}",
        )
    if dates:
        fields["deadline"] = _moment(dates[0], closes)
    return view.draft("funding", fields, dict.fromkeys(fields, f"table row: {row.text}"))


def _name(scope: Scope) -> tuple[str, str]:
    """Return name and evidence. A headline with a sum is news; the programme is then quoted in the text."""
    if scope.heading is not None and find_amounts(scope.heading.text):
        for block in scope.blocks:
            if match := QUOTED_PROGRAMME.search(block.text):
                return match["name"], block.text
    return scope.name, "heading"


def _amount(view: PageView, blocks: Sequence[Block], facts: Sequence[Fact]) -> tuple[Amount, str] | None:
    named = [fact for fact in facts if fact.role in ("amount", "minimum")]
    found: Amount | None = None
    for fact in named:
        for amount in find_amounts(fact.value):
            found = _combined(found, amount, fact)
            break
    if found and named:
        return found, f"{named[0].label}: {named[0].value}"
    total = {id(fact.block) for fact in facts if fact.role in ("no_total", "no_own", "no_salary", "cost")}
    for block in blocks:
        if id(block) in total or block.kind in ("heading", "pair"):
            continue
        for sentence in SENTENCES.split("\n".join(block.lines)):
            amounts = find_amounts(sentence)
            # A sentence that begins with a sum states what is given: "EUR 2,000-10,000 for village schools".
            is_given = bool(amounts) and (GIVEN.search(sentence) or not sentence[: amounts[0].start].strip())
            if is_given and not PAST_OR_TOTAL.search(sentence) and amounts[0].most:
                return amounts[0], sentence
    return None


def _combined(found: Amount | None, amount: Amount, fact: Fact) -> Amount | None:
    """Combine a separate minimum and maximum into one range."""
    if fact.role == "minimum" or LEAST.match(fact.label):
        return Amount(amount.most, found.most if found else None, amount.currency, 0, 0)
    if found is None:
        return amount
    if found.most is None:
        return Amount(found.least, amount.most, found.currency, 0, 0)
    return found


def _sums(amount: Amount, words: str) -> dict[str, Any]:
    """Return the sum fields. A single sum is the maximum, and the minimum unless "up to" or "a month" is stated."""
    exact = amount.least is not None and (amount.least != amount.most or not AT_MOST.search(words))
    return {"amount_min": amount.least if exact else None, "amount_max": amount.most, "currency": amount.currency}


def _deadline(view: PageView, blocks: Sequence[Block], facts: Sequence[Fact]) -> tuple[str, str] | None:
    for role in ("deadline", "window"):
        for fact in facts:
            if fact.role == role and (
                chosen := _next_deadline(find_dates(fact.value, view.reader), view.source.fetched)
            ):
                return _moment(chosen, fact.value), f"{fact.label}: {fact.value}"
    other = {id(fact.block) for fact in facts if fact.role in ("no_results", "no_duration", "no_opens")}
    dated: list[tuple[Dates, str]] = []
    for block in blocks:
        if id(block) in other or block.kind == "heading":
            continue
        for sentence in SENTENCES.split("\n".join(block.lines)):
            if DUE.search(sentence) and not NOT_DUE.search(sentence):
                dated.extend((each, sentence) for each in find_dates(sentence, view.reader))
    upcoming = [each for each in dated if (each[0].end or each[0].start) >= view.source.fetched]
    if not upcoming:
        return None
    chosen, sentence = min(upcoming, key=lambda each: each[0].end or each[0].start)
    return _moment(chosen, sentence), sentence


def _next_deadline(dates: list[Dates], today: date) -> Dates | None:
    upcoming = [each for each in dates if (each.end or each.start) >= today]
    return min(upcoming, key=lambda each: each.end or each.start) if upcoming else next(iter(dates), None)


def _moment(dates: Dates, words: str) -> str:
    """Return the end of a range in local time, with an offset if one is stated."""
    return iso(
        dates.end or dates.start, dates.times.end or dates.times.start if dates.times else None, offset=offset_in(words)
    )


def _eligibility(blocks: Sequence[Block], facts: Sequence[Fact]) -> tuple[str, str] | None:
    if fact := first(facts, "eligibility"):
        value = fact.value.replace("\n", " ")
        is_end_of_list = (
            fact.block.kind != "pair"
            and value.endswith(".")
            and fact.value
            and value.count(". ") == 0
            and value[0].islower()
        )
        return value.rstrip(".") if is_end_of_list else value, fact.label
    for block in blocks[:6]:
        if (
            block.kind == "text"
            and (match := INVITED.search(block.text))
            and APPLYING.search(block.text + " ".join(each.text for each in blocks[:8]))
        ):
            return match["who"].strip(" ,"), block.text
    return None


def _region(eligibility: str) -> str:
    found = next((match["where"] for pattern in REGIONS if (match := pattern.search(eligibility))), "")
    return "" if any(country_named(name) for name in re.split(r",\s|\s(?:and|und|or)\s", found)) else found


def _funder(view: PageView, scope: Scope, facts: Sequence[Fact], description: str) -> tuple[str, str]:
    if fact := first(facts, "funder", "organizer"):
        return fact.value.split("\n")[0], fact.label
    if not scope.whole and (name := organisation_in(scope.name)):
        return name, "heading"
    if not scope.whole and view.leads_away(scope.href or _only_link(scope)):  # a digest of calls by others
        return "", ""
    if view.organisation:
        return view.organisation, "the page's title, header or footer"
    if name := organisation_in(description):
        return name, description
    return view.publisher or view.brand, "the page's title, header or footer"
