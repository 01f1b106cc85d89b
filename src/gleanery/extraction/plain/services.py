"""Services on pages without markup: what is offered, when and where, for whom and at what cost."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from gleanery.extraction.draft import Draft
from gleanery.extraction.plain.blocks import Block
from gleanery.extraction.plain.facts import Fact, facts_of, first
from gleanery.extraction.plain.happenings import FREE, SENTENCES
from gleanery.extraction.plain.labels import role_of
from gleanery.extraction.plain.listing.offers import listed_offers, numbers_in
from gleanery.extraction.plain.places import CONTACT_PAGE, PLACE
from gleanery.extraction.plain.rows import Row, rows
from gleanery.extraction.plain.scopes import Scope, clean_name, parts
from gleanery.extraction.plain.sight import Sight
from gleanery.extraction.values.addresses import find_address, split_address
from gleanery.extraction.values.emails import find_emails
from gleanery.extraction.values.hours import find_hours
from gleanery.extraction.values.names import is_organisation, organisation_in, person_in
from gleanery.extraction.values.phones import find_phones

ENOUGH = 3
LONGEST_TEXT = 20_000  # characters in which is sought for whom it is
LONGEST_NUMBER = 20  # of a line that is only a phone
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


def services(sight: Sight) -> list[Draft]:
    if sight.is_article:
        return []
    found = [draft for row in rows(sight.page) if (draft := _from_row(sight, row))]
    if found:
        return found
    if CONTACT_PAGE.search(sight.main.name):
        return []
    several = [scope for scope in parts(sight.page, lambda blocks: _is_service(sight, blocks)) if scope.name]
    several = several or _listed(sight)
    main = _main(sight)
    is_place = (
        PLACE.search(main.name) and first(sight.main_facts, "eligibility") is None and _for_whom(main.text) is None
    )
    scopes = several or ([main] if main.name and not is_place and _is_service(sight, main.blocks, main.name) else [])
    return [_from_scope(sight, scope) for scope in scopes]


def _listed(sight: Sight) -> list[Scope]:
    """Services in a list: each with a name, a number of its own and hours or an address."""
    if not OFFERED.search(sight.heads):
        return []
    found = listed_offers(sight, numbers_in(sight.source.country))
    reached = [scope for scope, _ in found if find_hours(scope.text) or find_address(scope.text, sight.source.country)]
    return reached if len(reached) == len(found) else []


def _main(sight: Sight) -> Scope:
    """A page that greets with a question names what it offers in the next heading; a number may stand above."""
    main = sight.main
    headings = [block for block in main.blocks if block.kind == "heading"]
    if main.name.endswith("?") and headings and headings[0].level <= 3 and not role_of(headings[0].text):  # noqa: PLR2004
        at = main.blocks.index(headings[0])
        return replace(main, name=clean_name(headings[0].text), blocks=main.blocks[at + 1 :], heading=headings[0])
    if main.heading in sight.page.content:
        above = sight.page.content[: sight.page.content.index(main.heading)]
        numbers = [
            block
            for block in above[-2:]
            if find_phones(block.text, sight.source.country) and len(block.text) < LONGEST_NUMBER
        ]
        return replace(main, blocks=(*main.blocks, *numbers))
    return main


def _for_whom(text: str) -> re.Match[str] | None:
    return FOR_WHOM.search(text[:LONGEST_TEXT])


def _is_service(sight: Sight, blocks: Sequence[Block], name: str = "") -> bool:
    """Three of hours, phone, place, for whom, cost: and one of the last two, which places and offices do not tell."""
    facts = facts_of(blocks)
    text = "\n".join("\n".join(block.lines) for block in blocks)
    who = first(facts, "eligibility") is not None or _for_whom(text) is not None
    cost = first(facts, "cost") is not None or bool(FREE.search(text))
    hours = bool(find_hours(text)) or first(facts, "hours") is not None
    provided = PROVIDED_BY.search(text) is not None
    if not (hours or cost or provided):
        return False
    phone = bool(find_phones(text, sight.source.country))
    # For whom it is, with a phone and a place, may be said of any office: when it is open or what it costs tells more.
    # Where, when and at what number, each under its own label: that is how an offer is told.
    labelled = all(first(facts, *roles) for roles in (("hours",), ("phone", "email"), ("place", "address")))
    if name and labelled and hours and not is_organisation(name) and not PLACE.search(name):
        return True
    told = who + cost + hours + phone + provided
    if not (who or cost) or told < ENOUGH - 1:
        return False
    # An address takes the longest to look for, so only where it decides.
    return (
        (told >= ENOUGH and (who or phone))
        or first(facts, "address", "place") is not None
        or any(find_address("\n".join(block.lines), sight.source.country) for block in blocks)
    )


def _from_scope(sight: Sight, scope: Scope) -> Draft:
    facts = facts_of(scope.blocks)
    fields: dict[str, Any] = {
        "name": scope.name,
        "description": sight.description(scope.blocks, facts),
        "url": "" if scope.whole else sight.absolute(scope.href),
    }
    evidence = {"name": "heading", "description": "the first paragraph"}
    for name, found in (
        ("opening_hours", _hours(scope, facts)),
        ("eligibility", _who(scope, facts)),
        ("cost", _cost(scope, facts)),
        ("phone", _phone(sight, scope, facts)),
        ("email", _email(scope, facts)),
        ("provider_name", _provider(sight, scope, facts)),
    ):
        if found:
            fields[name], evidence[name] = found
    fact = first(facts, "address", "place")
    address = split_address(fact.value, sight.source.country) if fact else None
    if address is None:
        address = next(
            (each for block in scope.blocks if (each := find_address("\n".join(block.lines), sight.source.country))),
            None,
        )
    if address is not None:
        fields |= address.fields() | {"venue_name": address.venue}
    elif sight.address is not None:
        fields |= sight.address.fields()
    return sight.draft("service", fields, evidence)


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


def _who(scope: Scope, facts: Sequence[Fact]) -> Found:
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


def _phone(sight: Sight, scope: Scope, facts: Sequence[Fact]) -> Found:
    for fact in facts:
        if (
            fact.role == "phone"
            and not person_in(fact.value)
            and (found := find_phones(fact.value, sight.source.country))
        ):
            return found[0].e164, f"{fact.label}: {fact.value}"
    for block in scope.blocks:  # a number that is nobody's own
        if not person_in(block.text) and (found := find_phones(block.text, sight.source.country)):
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


def _provider(sight: Sight, scope: Scope, facts: Sequence[Fact]) -> Found:
    if fact := first(facts, "provider", "organizer"):
        return fact.value.split("\n")[0], fact.label
    match = PROVIDED_BY.search(scope.text)
    if match:
        return organisation_in(match["who"]) or match["who"].strip(), match.group()
    name = sight.publisher or sight.brand
    return (name, "the page's title, header or footer") if name and name != scope.name else None


def _from_row(sight: Sight, row: Row) -> Draft | None:
    cells = row.cells
    hours = cells.get("hours", "") or cells.get("when", "")
    open_to = find_hours(hours) and cells.keys() & {"eligibility", "cost"}
    # A column that is headed "Service" says of its rows what they are.
    listed = any(SERVICE.match(header) for header in row.headers) and cells.keys() & {"phone", "address", "place"}
    if not row.name or not (open_to or listed):
        return None
    phones = find_phones(cells.get("phone", ""), sight.source.country)
    where = cells.get("address", "") or cells.get("place", "")
    address = split_address(where, sight.source.country) or (None if where else sight.address)
    fields: dict[str, Any] = {
        "name": row.name,
        "url": sight.absolute(row.href),
        "opening_hours": hours,
        "eligibility": cells.get("eligibility", ""),
        "cost": cells.get("cost", ""),
        "phone": phones[0].e164 if phones else "",
        # A list of services may be one of other people's.
        "provider_name": cells.get("provider", "")
        or organisation_in(row.name)
        or ((sight.publisher or sight.brand) if open_to else ""),
    }
    if address is not None:
        fields |= address.fields()
    return sight.draft("service", fields, dict.fromkeys(fields, f"table row: {row.text}"))
