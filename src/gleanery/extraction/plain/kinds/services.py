"""Recogniser of services: what is offered, when and where, for whom and at what cost."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from gleanery.extraction.draft import Draft
from gleanery.extraction.plain.event_details.times_and_prices import FREE, SENTENCES
from gleanery.extraction.plain.kinds.places import CONTACT_PAGE, PLACE
from gleanery.extraction.plain.layout.blocks import Block
from gleanery.extraction.plain.listing.offers import listed_offers, numbers_in
from gleanery.extraction.plain.structure.facts import Fact, facts_of, first
from gleanery.extraction.plain.structure.labelled_rows import LabelledRow, labelled_rows
from gleanery.extraction.plain.structure.labels import role_of
from gleanery.extraction.plain.structure.page_view import PageView
from gleanery.extraction.plain.structure.scopes import Scope, clean_name, find_parts
from gleanery.extraction.values.addresses import find_address, split_address
from gleanery.extraction.values.emails import find_emails
from gleanery.extraction.values.names import is_organisation, organisation_in, person_in
from gleanery.extraction.values.opening_hours import find_hours
from gleanery.extraction.values.phones import find_phones

ENOUGH = 3
LONGEST_TEXT = 20_000  # characters searched for eligibility
LONGEST_NUMBER = 20  # characters of a line that is only a phone
FOR_WHOM = re.compile(
    r"(?:(?:^|(?<=[.!?\n]\s)|(?<=\n))|\b(?:help|support|advice|care|помощ|подкрепа|съвети?|грижа)\b[^.;\n]{0,40}\s)"
    r"(?:for|за)\s(?P<whole>[^.;\n]{0,60}\b(?:people|adults|children|families|parents|women|men|"
    r"students|pupils|carers|refugees|хора|възрастни|деца|семейства|родители|жени|ученици|младежи|студенти|бежанци)\b"
    r"(?:[^.;\n]|(?<=\d)\.(?=\s[a-zа-я\d])){0,120})|"
    r"(?:(?:линията|услугата|центърът|програмата|кабинетът|приемната) е за|the (?:service|line|centre|"
    r"clinic) is for|приемаме|обслужваме|услугата е за|предназначен\w* (?:е )?за|помагаме на|подкрепяме|"
    r"for people|we help|open to|für menschen|richtet sich an|destiné aux?)\s+(?P<who>[^.;]{8,160})",
    re.IGNORECASE,
)
PROVIDED_BY = re.compile(
    r"(?:е услуга на|is a service of|обслужва се от|ist ein angebot|доставчик(?:ът)?(?: на услугата)? е|(?:is|"
    r"are) (?:run|provided|operated|managed) by|run by|предоставя се от|управлява се от|träger ist|géré par|"
    r"gestionado por|oferit de)\s+(?:the\s)?(?P<who>[^.;,]{4,90})",
    re.IGNORECASE,
)
SERVICE = re.compile(
    r"(?:(?:social )?services?|(?:социална |вид )?услуг[аи]|leistung|angebot|service proposé|servicios?|serviciul?)\b",
    re.IGNORECASE,
)


OFFERED = re.compile(
    r"\b(?:services?|advice|help|support|clinics?|shelters?|food banks?|услуги|помощ|консултации|прием|"
    r"beratung\w*|hilfe\w*|angebote|leistungen|services|aides?|accueil|ayudas?|servicios?|servicii)\b",
    re.IGNORECASE,
)


def services(view: PageView) -> list[Draft]:
    if view.is_article:
        return []
    found = [draft for row in labelled_rows(view.page) if (draft := _from_row(view, row))]
    if found:
        return found
    if CONTACT_PAGE.search(view.main.name):
        return []
    several = [scope for scope in find_parts(view.page, lambda blocks: _is_service(view, blocks)) if scope.name]
    several = several or _listed(view)
    main = _main(view)
    is_place = (
        PLACE.search(main.name) and first(view.main_facts, "eligibility") is None and _for_whom(main.text) is None
    )
    scopes = several or ([main] if main.name and not is_place and _is_service(view, main.blocks, main.name) else [])
    return [_from_scope(view, scope) for scope in scopes]


def _listed(view: PageView) -> list[Scope]:
    """Return listed services that each have a name, a phone, and hours or an address."""
    if not OFFERED.search(view.heads):
        return []
    found = listed_offers(view, numbers_in(view.source.country))
    reached = [scope for scope, _ in found if find_hours(scope.text) or find_address(scope.text, view.source.country)]
    return reached if len(reached) == len(found) else []


def _main(view: PageView) -> Scope:
    """Return the main scope. If its title is a question, the next heading names the service."""
    main = view.main
    headings = [block for block in main.blocks if block.kind == "heading"]
    if main.name.endswith("?") and headings and headings[0].level <= 3 and not role_of(headings[0].text):  # noqa: PLR2004
        at = main.blocks.index(headings[0])
        return replace(main, name=clean_name(headings[0].text), blocks=main.blocks[at + 1 :], heading=headings[0])
    if main.heading in view.page.content:
        above = view.page.content[: view.page.content.index(main.heading)]
        numbers = [
            block
            for block in above[-2:]
            if find_phones(block.text, view.source.country) and len(block.text) < LONGEST_NUMBER
        ]
        return replace(main, blocks=(*main.blocks, *numbers))
    return main


def _for_whom(text: str) -> re.Match[str] | None:
    return FOR_WHOM.search(text[:LONGEST_TEXT])


def _is_service(view: PageView, blocks: Sequence[Block], name: str = "") -> bool:
    """Return True with three of hours, phone, place, eligibility, cost, including one of the last two."""
    facts = facts_of(blocks)
    text = "\n".join("\n".join(block.lines) for block in blocks)
    who = first(facts, "eligibility") is not None or _for_whom(text) is not None
    cost = first(facts, "cost") is not None or bool(FREE.search(text))
    hours = bool(find_hours(text)) or first(facts, "hours") is not None
    provided = PROVIDED_BY.search(text) is not None
    if not (hours or cost or provided):
        return False
    phone = bool(find_phones(text, view.source.country))
    # Hours, a phone and a place, each with its own label, describe a service without eligibility or cost.
    labelled = all(first(facts, *roles) for roles in (("hours",), ("phone", "email"), ("place", "address")))
    if name and labelled and hours and not is_organisation(name) and not PLACE.search(name):
        return True
    signs = who + cost + hours + phone + provided
    if not (who or cost) or signs < ENOUGH - 1:
        return False
    # Searching for an address is slow, so it comes last.
    return (
        (signs >= ENOUGH and (who or phone))
        or first(facts, "address", "place") is not None
        or any(find_address("\n".join(block.lines), view.source.country) for block in blocks)
    )


def _from_scope(view: PageView, scope: Scope) -> Draft:
    facts = facts_of(scope.blocks)
    fields: dict[str, Any] = {
        "name": scope.name,
        "description": view.description(scope.blocks, facts),
        "url": "" if scope.whole else view.absolute(scope.href),
    }
    evidence = {"name": "heading", "description": "the first paragraph"}
    for name, found in (
        ("opening_hours", _hours(scope, facts)),
        ("eligibility", _eligibility(scope, facts)),
        ("cost", _cost(scope, facts)),
        ("phone", _phone(view, scope, facts)),
        ("email", _email(scope, facts)),
        ("provider_name", _provider(view, scope, facts)),
    ):
        if found:
            fields[name], evidence[name] = found
    fact = first(facts, "address", "place")
    address = split_address(fact.value, view.source.country) if fact else None
    if address is None:
        address = next(
            (each for block in scope.blocks if (each := find_address("\n".join(block.lines), view.source.country))),
            None,
        )
    if address is not None:
        fields |= address.fields() | {"venue_name": address.venue}
    elif view.address is not None:
        fields |= view.address.fields()
    return view.draft("service", fields, evidence)


Found = tuple[str, str] | None


def _hours(scope: Scope, facts: Sequence[Fact]) -> Found:
    for fact in facts:
        if fact.role in ("hours", "when"):
            lines = [line for line in fact.value.split("\n") if find_hours(line)]
            if lines:
                return "; ".join(lines), fact.label
    for block in scope.blocks:
        if found := find_hours("\n".join(block.lines)):
            return found, block.text
    return None


def _eligibility(scope: Scope, facts: Sequence[Fact]) -> Found:
    if fact := first(facts, "eligibility"):
        return fact.value.replace("\n", " "), fact.label
    match = _for_whom(scope.text)
    return ((match["who"] or match["whole"]).strip(), match.group()) if match else None


def _cost(scope: Scope, facts: Sequence[Fact]) -> Found:
    if fact := first(facts, "cost"):
        if fact.label[:1].isalpha():
            after = fact.block.text.partition(f"{fact.label}:")[2].strip()
            return (after or fact.value), fact.label
        return re.split(r"(?<=\.)\s", fact.value)[0], fact.label
    for sentence in SENTENCES.split(scope.text):
        if FREE.search(sentence) and len(sentence) < 120:  # noqa: PLR2004
            end = scope.text.find(sentence) + len(sentence)
            return (
                sentence + (scope.text[end : end + 1] if scope.text[end : end + 1] in ".!" else "")
            ).strip(), sentence
    return None


def _phone(view: PageView, scope: Scope, facts: Sequence[Fact]) -> Found:
    for fact in facts:
        if (
            fact.role == "phone"
            and not person_in(fact.value)
            and (found := find_phones(fact.value, view.source.country))
        ):
            return found[0].e164, f"{fact.label}: {fact.value}"
    for block in scope.blocks:  # not the number of a person
        if not person_in(block.text) and (found := find_phones(block.text, view.source.country)):
            return found[0].e164, block.text
    return None


def _email(scope: Scope, facts: Sequence[Fact]) -> Found:
    for fact in facts:
        if fact.role == "email" and (found := find_emails(fact.value)):
            return found[0].address, f"{fact.label}: {fact.value}"
    for block in scope.blocks:
        for line in block.lines:
            if found := find_emails(line):
                return found[0].address, line
    return None


def _provider(view: PageView, scope: Scope, facts: Sequence[Fact]) -> Found:
    if fact := first(facts, "provider", "organizer"):
        return fact.value.split("\n")[0], fact.label
    match = PROVIDED_BY.search(scope.text)
    if match:
        return organisation_in(match["who"]) or match["who"].strip(), match.group()
    name = view.publisher or view.brand
    return (name, "the page's title, header or footer") if name and name != scope.name else None


def _from_row(view: PageView, row: LabelledRow) -> Draft | None:
    cells = row.cells
    hours = cells.get("hours", "") or cells.get("when", "")
    open_to = find_hours(hours) and cells.keys() & {"eligibility", "cost"}
    # A column headed "Service" marks its rows as services.
    listed = any(SERVICE.match(header) for header in row.headers) and cells.keys() & {"phone", "address", "place"}
    if not row.name or not (open_to or listed):
        return None
    phones = find_phones(cells.get("phone", ""), view.source.country)
    where = cells.get("address", "") or cells.get("place", "")
    address = split_address(where, view.source.country) or (None if where else view.address)
    fields: dict[str, Any] = {
        "name": row.name,
        "url": view.absolute(row.href),
        "opening_hours": hours,
        "eligibility": cells.get("eligibility", ""),
        "cost": cells.get("cost", ""),
        "phone": phones[0].e164 if phones else "",
        # The list may cover services of others.
        "provider_name": cells.get("provider", "")
        or organisation_in(row.name)
        or ((view.publisher or view.brand) if open_to else ""),
    }
    if address is not None:
        fields |= address.fields()
    return view.draft("service", fields, dict.fromkeys(fields, f"table row: {row.text}"))
