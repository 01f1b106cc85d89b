"""Recogniser of organisations and places: contact pages, imprints, lists of branches."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

from gleanery.extraction.draft import Draft
from gleanery.extraction.plain.layout.blocks import Block
from gleanery.extraction.plain.structure.facts import Fact, facts_of, first
from gleanery.extraction.plain.structure.labelled_rows import LabelledRow, labelled_rows
from gleanery.extraction.plain.structure.page_view import PageView
from gleanery.extraction.plain.structure.scopes import Scope, find_parts
from gleanery.extraction.values.addresses import find_address, split_address
from gleanery.extraction.values.emails import find_emails
from gleanery.extraction.values.names import is_organisation, organisation_in
from gleanery.extraction.values.opening_hours import find_hours
from gleanery.extraction.values.phones import find_phones
from gleanery.extraction.values.times import find_times

CONTACT_PAGE = re.compile(
    r"\b(?:contacts?\b|about\b|imprint|who we are|our (?:team|staff|people)|staff directory|телефонен указател|"
    r"контакти|за нас|кои сме|екип|impressum|kontakt|über uns|à propos|qui sommes|nous contacter|contacto|"
    r"quiénes somos|sobre nosotros|despre noi|kontakti|za-nas)",
    re.IGNORECASE,
)
FOUNDED = re.compile(
    r"(?:основан\w*|създаден\w*|founded|established|since|began|gegründet|seit|fondée?|créée?|fundad[oa]|"
    r"înființat\w*)\s(?:през|in|im|en|în|on|на|am|le)?\s?(?P<year>(?:1[89]|20)\d\d)",
    re.IGNORECASE,
)
OFFICIAL = re.compile(
    r"(?:ЕИК|Булстат|БУЛСТАТ|[Cc]ompany (?:no\.?|number)|[Cc]harity (?:no\.?|number)?|"
    r"[Rr]egistered charity(?: no\.?| number)?|VR|HRB|SIRET|RNA|CIF|NIF|CUI|RCN|CHY|EIN)\s?[:№]?\s?"
    r"(?P<id>[A-Z]{0,2}[\d][\d ./-]{3,18}\d)"
)
PLACE = re.compile(
    r"\b(?:library|museum|hut\b|centre\b|center\b|park\b|gallery|branch|hall\b|hostel|shelter|библиотек|музей|"
    r"хижа|филиал|център|галерия|парк|заслон|зала|"
    r"bibliothek|hütte|bibliothèque|refuge|biblioteca|museo|muzeu|cabană)",
    re.IGNORECASE,
)
COORDINATES = re.compile(
    r"(?P<lat>[34567]\d[.,]\d{3,7})\s?°?\s?[NС]?[,;/\s]{1,3}(?:[EИ]\s?)?(?P<lon>-?\d{1,2}[.,]\d{3,7})\s?°?\s?[EИWЗ]?"
)
IMPRINT = re.compile(r"\b(?:impressum|imprint|mentions légales|aviso legal)\b", re.IGNORECASE)
ENOUGH = 2


def places(view: PageView) -> list[Draft]:
    if view.is_article:
        return []
    found = [draft for row in labelled_rows(view.page) if (draft := _from_row(view, row))]
    if found:
        return found
    several = [scope for scope in find_parts(view.page, lambda blocks: _is_place(view, blocks)) if scope.name]
    if several:
        return [_from_scope(view, scope, "place") for scope in several]
    if OFFICIAL.search(_full_text(view)) or CONTACT_PAGE.search(view.heads):
        draft = _organisation(view)
        return [draft] if draft else []
    if PLACE.search(view.main.name) and _is_place(view, view.page.content):
        return [_from_scope(view, view.main, "place")]
    return []


def _full_text(view: PageView) -> str:
    return "\n".join(
        "\n".join(block.lines) if block.kind != "pair" else f"{block.label}: {block.text}"
        for block in view.page.blocks
        if block.frame != "aside"
    )


def _is_place(view: PageView, blocks: Sequence[Block]) -> bool:
    text = "\n".join("\n".join(block.lines) for block in blocks)
    hours = find_hours(text) or first(facts_of(blocks), "hours")
    address = any(find_address("\n".join(block.lines), view.source.country) for block in blocks) or first(
        facts_of(blocks), "coordinates"
    )
    return bool(hours) and bool(address or find_phones(text, view.source.country))


def _organisation(view: PageView) -> Draft | None:
    name, scope = _organisation_name(view)
    if not name:
        return None
    text = _full_text(view)
    fields = _contact_fields(
        view, [block for block in view.page.blocks if block.frame != "aside"], facts_of(view.page.blocks)
    )
    if len(fields.keys() & {"address", "phone", "email"}) < ENOUGH:
        return None
    official, founded = OFFICIAL.search(text), FOUNDED.search(text)
    facts = facts_of(view.page.blocks)
    legal = first(facts, "legal_name")
    formal = re.search(
        rf"{re.escape(name)} (?:Ltd|Limited|gemeinnützige GmbH|gGmbH|GmbH|e\. ?V\.|CIC|CIO|ЕООД|ООД|АД|SRL|"
        rf"S\.L\.)(?!\w)",
        text,
    )
    fields |= {
        "name": name,
        "description": "" if IMPRINT.search(view.heads) else view.description(scope[:5]),
        "official_id": _official_id(official) if official else "",
        "founding_date": founded["year"] if founded else "",
        "legal_name": legal.value if legal else formal.group() if formal else "",
    }
    evidence = {
        "official_id": official.group() if official else "",
        "founding_date": founded.group() if founded else "",
    }
    return view.draft("organization", fields, evidence)


def _official_id(match: re.Match[str]) -> str:
    """Return a registration number, with the letters of German registers."""
    number = match["id"].strip()
    kind = re.match(r"HRB|HRA|VR", match.group())
    return f"{kind.group()} {number}" if kind else number.replace(" ", "")


def _organisation_name(view: PageView) -> tuple[str, Sequence[Block]]:
    content = view.page.content
    for index, block in enumerate(content):
        if block.kind == "heading" and is_organisation(block.text):
            return organisation_in(block.text), content[index + 1 :]
    return view.publisher or view.brand, content


def _contact_fields(view: PageView, blocks: Sequence[Block], facts: Sequence[Fact]) -> dict[str, Any]:
    """Return the first address, phone and e-mail."""
    fields: dict[str, Any] = {}
    fact = first(facts, "address")
    address = split_address(fact.value, view.source.country) if fact else None
    if address is None:
        address = next(
            (
                each
                for block in blocks
                if (each := find_address("\n".join(block.lines), view.source.country)) and each.street
            ),
            None,
        )
    if address is not None:
        fields |= address.fields()
    for block in blocks:
        for line in block.lines:
            phones, emails = find_phones(line, view.source.country), find_emails(line)
            if phones:
                fields.setdefault("phone", phones[0].e164)
            if emails:
                fields.setdefault("email", emails[0].address)
    return fields


def _from_scope(view: PageView, scope: Scope, kind: str) -> Draft:
    facts = facts_of(scope.blocks)
    fields = _contact_fields(view, scope.blocks, facts)
    fields |= {
        "name": scope.name,
        "description": view.description(scope.blocks, facts),
        "opening_hours": _hours(scope, facts),
    }
    if match := COORDINATES.search(scope.text):
        fields |= {"lat": float(match["lat"].replace(",", ".")), "lon": float(match["lon"].replace(",", "."))}
    return view.draft(kind, fields, {"name": "heading", "opening_hours": fields["opening_hours"]})


def _hours(scope: Scope, facts: Sequence[Fact]) -> str:
    for fact in facts:
        if fact.role == "hours" and (find_hours(fact.value) or find_times(fact.value)):
            return fact.value.replace("\n", "; ")
    return next((found for block in scope.blocks if (found := find_hours("\n".join(block.lines)))), "")


def _from_row(view: PageView, row: LabelledRow) -> Draft | None:
    cells = row.cells
    hours = cells.get("hours", "") or cells.get("when", "")
    if (
        not row.name
        or not find_hours(hours)
        or not cells.keys() & {"address", "phone", "place"}
        or cells.keys() & {"eligibility", "cost"}
    ):
        return None
    phones = find_phones(cells.get("phone", ""), view.source.country)
    emails = find_emails(row.text)
    address = split_address(cells.get("address", "") or cells.get("place", ""), view.source.country)
    fields: dict[str, Any] = {
        "name": row.name,
        "opening_hours": hours,
        "phone": phones[0].e164 if phones else "",
        "email": emails[0].address if emails else "",
        "url": view.absolute(row.href),
        **(address.fields() if address else {}),
    }
    return view.draft("place", fields, dict.fromkeys(fields, f"table row: {row.text}"))
