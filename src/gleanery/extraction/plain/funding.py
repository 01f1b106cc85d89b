"""Funding programmes on pages without markup: a name, money or a deadline, and words of applying."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from datetime import date
from typing import Any

from gleanery.extraction.draft import Draft
from gleanery.extraction.plain.blocks import Block
from gleanery.extraction.plain.facts import Fact, facts_of, first
from gleanery.extraction.plain.funding_words import (
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
from gleanery.extraction.plain.happenings import HAS_DIGIT
from gleanery.extraction.plain.labels import role_of
from gleanery.extraction.plain.listing.offers import closing_days, listed_offers
from gleanery.extraction.plain.rows import Row, rows
from gleanery.extraction.plain.scopes import Scope, parts
from gleanery.extraction.plain.sight import Sight
from gleanery.extraction.values.addresses import country_named
from gleanery.extraction.values.amounts import Amount, currency_of, find_amounts
from gleanery.extraction.values.dates import Dates, find_dates, iso, offset_in
from gleanery.extraction.values.names import organisation_in

ENOUGH = 2


def funding(sight: Sight) -> list[Draft]:
    if sight.is_article or not FUNDING.search(f"{sight.text} {sight.heads}"):
        return []
    found = [draft for row in rows(sight.page) if (draft := _from_row(sight, row))]
    several = [scope for scope in parts(sight.page, lambda blocks: _is_funding(sight, blocks)) if scope.name]
    if not found and len(listed := _listed(sight)) > len(several):
        return listed
    if found or not (APPLYING.search(sight.text) or first(sight.facts, "deadline")):
        return found
    # The first page of a site tells of many things: it is about one programme only if it is called so.
    heads = sight.main.name if sight.is_home else sight.heads
    scopes = several or ([sight.main] if FUNDING.search(heads) and _is_funding(sight, sight.main.blocks) else [])
    return [draft for scope in scopes if (draft := _from_scope(sight, scope))]


def _listed(sight: Sight) -> list[Draft]:
    """Calls in a list: each with a name and a day ahead until which to apply, and most with a sum."""
    if not FUNDING.search(sight.heads):
        return []
    drafts = []
    for scope, entry in listed_offers(sight, closing_days):
        ahead = [each.start for each in entry.days if each.start >= sight.source.fetched]
        if len(ahead) == 1 and (draft := _from_scope(sight, scope)):
            drafts.append(_closing(draft, ahead[0].isoformat(), entry.line.written))
    return drafts if sum("amount_max" in each.fields for each in drafts) * 2 > len(drafts) else []


def _closing(draft: Draft, day: str, where: str) -> Draft:
    """In a list of sums and days a day is the one until which to apply."""
    fields, evidence = {"deadline": day} | draft.fields, {"deadline": where} | draft.evidence
    return replace(draft, fields=fields, evidence=evidence)


def _is_funding(sight: Sight, blocks: Sequence[Block]) -> bool:
    """Two of: money that is given, a date until which to apply, who may. Sums and dates are written in digits."""
    if not any(HAS_DIGIT.search(block.text) for block in blocks):
        return False
    facts = facts_of(blocks)
    if any(CLOSED.search(block.text) for block in blocks[:6]):
        return False
    given = _amount(sight, blocks, facts) is not None
    who = first(facts, "eligibility") is not None
    if not (given or who):
        return False
    due = bool(_deadline(sight, blocks, facts))
    return given + due + who >= ENOUGH and (
        due or bool(APPLYING.search("\n".join(f"{block.label} {block.text}" for block in blocks)))
    )


def _from_scope(sight: Sight, scope: Scope) -> Draft | None:
    facts = facts_of(scope.blocks)
    name, evidence = _name(scope)
    if not name:
        return None
    aim = first(facts, "description")
    description = (
        aim.value.replace("\n", " ") if aim and aim.block.kind == "pair" else sight.description(scope.blocks, facts)
    )
    fields: dict[str, Any] = {
        "name": name,
        "description": description,
        "url": "" if scope.whole else sight.absolute(scope.href or _more(scope)),
    }
    told = {"name": evidence, "description": "the first paragraph"}
    if amount := _amount(sight, scope.blocks, facts):
        fields |= _sums(*amount)
        told |= dict.fromkeys(("amount_min", "amount_max", "currency"), amount[1])
    if due := _deadline(sight, scope.blocks, facts):
        fields["deadline"], told["deadline"] = due
    if who := _eligibility(scope.blocks, facts):
        fields["eligibility"], told["eligibility"] = who
    if where := first(facts, "region"):
        fields["region"], told["region"] = where.value, where.label
    elif region := _region(fields.get("eligibility", "")):
        fields["region"], told["region"] = region, fields["eligibility"]
    fields["funder_name"], told["funder_name"] = _funder(sight, scope, facts, description)
    if reference := first(facts, "external_id"):
        fields["external_id"] = reference.value
    return sight.draft("funding", fields, told)


def _more(scope: Scope) -> str:
    """Where a short notice sends for the rest: the only link of a part of the page."""
    links = [
        link.href
        for block in scope.blocks
        for link in block.links
        if not link.href.startswith(("mailto:", "tel:", "#"))
    ]
    return links[0] if len(links) == 1 else ""


def _from_row(sight: Sight, row: Row) -> Draft | None:
    if (
        not row.name
        or not ({"amount", "deadline"} & row.cells.keys())
        or row.cells.keys() & {"no_salary", "employment"}
    ):
        return None
    currency = currency_of(" ".join(row.headers)) or currency_of(row.cells.get("amount", "")) or currency_of(row.around)
    amounts = find_amounts(row.cells.get("amount", ""), currency=currency)
    # In a table of sums and applicants the day that is told is the one until which to apply.
    closes = row.cells.get("deadline") or ("" if OPENS.search(row.cells.get("when", "")) else row.cells.get("when", ""))
    dates = find_dates(closes, sight.reader)
    if not amounts and not dates:
        return None
    fields: dict[str, Any] = {
        "name": row.name,
        "url": sight.absolute(row.href),
        "eligibility": row.cells.get("eligibility", ""),
        "funder_name": row.cells.get("funder", "") or sight.publisher or sight.brand,
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
    return sight.draft("funding", fields, dict.fromkeys(fields, f"table row: {row.text}"))


def _name(scope: Scope) -> tuple[str, str]:
    """A headline that tells a sum is journalism: the programme's name stands in quotes in the text then."""
    if scope.heading is not None and find_amounts(scope.heading.text):
        for block in scope.blocks:
            if match := QUOTED_PROGRAMME.search(block.text):
                return match["name"], block.text
    return scope.name, "heading"


def _amount(sight: Sight, blocks: Sequence[Block], facts: Sequence[Fact]) -> tuple[Amount, str] | None:
    named = [fact for fact in facts if fact.role in ("amount", "minimum")]
    found: Amount | None = None
    for fact in named:
        for amount in find_amounts(fact.value):
            found = _united(found, amount, fact)
            break
    if found and named:
        return found, f"{named[0].label}: {named[0].value}"
    total = {id(fact.block) for fact in facts if fact.role in ("no_total", "no_own", "no_salary", "cost")}
    for block in blocks:
        if id(block) in total or block.kind in ("heading", "pair"):
            continue
        for sentence in SENTENCES.split("\n".join(block.lines)):
            amounts = find_amounts(sentence)
            # A notice that begins with a sum tells what is given: "EUR 2,000-10,000 for village schools".
            told = bool(amounts) and (GIVEN.search(sentence) or not sentence[: amounts[0].start].strip())
            if told and not PAST_OR_TOTAL.search(sentence) and amounts[0].most:
                return amounts[0], sentence
    return None


def _united(found: Amount | None, amount: Amount, fact: Fact) -> Amount | None:
    """A minimum and a maximum that stand apart are one span."""
    if fact.role == "minimum" or LEAST.match(fact.label):
        return Amount(amount.most, found.most if found else None, amount.currency, 0, 0)
    if found is None:
        return amount
    if found.most is None:
        return Amount(found.least, amount.most, found.currency, 0, 0)
    return found


def _sums(amount: Amount, words: str) -> dict[str, Any]:
    """A single sum is the most that is given; it is also the least only where nothing says "up to" or "a month"."""
    exact = amount.least is not None and (amount.least != amount.most or not AT_MOST.search(words))
    return {"amount_min": amount.least if exact else None, "amount_max": amount.most, "currency": amount.currency}


def _deadline(sight: Sight, blocks: Sequence[Block], facts: Sequence[Fact]) -> tuple[str, str] | None:
    for role in ("deadline", "window"):
        for fact in facts:
            if fact.role == role and (chosen := _next(find_dates(fact.value, sight.reader), sight.source.fetched)):
                return _moment(chosen, fact.value), f"{fact.label}: {fact.value}"
    other = {id(fact.block) for fact in facts if fact.role in ("no_results", "no_duration", "no_opens")}
    told: list[tuple[Dates, str]] = []
    for block in blocks:
        if id(block) in other or block.kind == "heading":
            continue
        for sentence in SENTENCES.split("\n".join(block.lines)):
            if DUE.search(sentence) and not NOT_DUE.search(sentence):
                told.extend((each, sentence) for each in find_dates(sentence, sight.reader))
    ahead = [each for each in told if (each[0].end or each[0].start) >= sight.source.fetched]
    if not ahead:
        return None
    chosen, sentence = min(ahead, key=lambda each: each[0].end or each[0].start)
    return _moment(chosen, sentence), sentence


def _next(dates: list[Dates], today: date) -> Dates | None:
    ahead = [each for each in dates if (each.end or each.start) >= today]
    return min(ahead, key=lambda each: each.end or each.start) if ahead else next(iter(dates), None)


def _moment(dates: Dates, words: str) -> str:
    """Local time, with an offset only where the words state one."""
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


def _funder(sight: Sight, scope: Scope, facts: Sequence[Fact], description: str) -> tuple[str, str]:
    if fact := first(facts, "funder", "organizer"):
        return fact.value.split("\n")[0], fact.label
    if not scope.whole and (name := organisation_in(scope.name)):
        return name, "heading"
    if not scope.whole and sight.leads_away(scope.href or _more(scope)):  # a digest of what others give
        return "", ""
    if sight.organisation:
        return sight.organisation, "the page's title, header or footer"
    if name := organisation_in(description):
        return name, description
    return sight.publisher or sight.brand, "the page's title, header or footer"
