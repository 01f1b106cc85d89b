"""Contacts on a page: people with their roles, desks and organisations, each with what stands beside the name."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace

from gleanery.extraction.addresses import Address, find_address
from gleanery.extraction.blocks import Block
from gleanery.extraction.draft import ContactDraft
from gleanery.extraction.emails import find_emails, revealed
from gleanery.extraction.names import organisation_in, person_in, person_name
from gleanery.extraction.phones import find_phones
from gleanery.extraction.sight import Sight

MOST = 200
LONGEST_ROLE = 60
_ROLE_AFTER = re.compile(r"^\s?(?:,|–|—|-|\()\s?(?P<role>[^,;:()\d@\n.–—]{3,60}?)\s?(?=[,;:()\n.–—]|тел|tel|$)|^\n(?P<line>[^\n\d@:]{3,60})(?=\n|$)", re.IGNORECASE)
_ROLE_BEFORE = re.compile(r"(?:^|[.;\n]\s?|\s–\s)(?P<role>[^.,;:\n\d@()]{3,50})\s?[:–—]\s?$")
_DESK = re.compile(r"(?:^|[.;|\n]\s?)(?P<desk>[^.,;:|\n\d@()]{3,50}):?\s*$")
_ROLE_LIKE = re.compile(r"^[\w\s„“\"«»”’'/&.-]+$")
_CHANNEL = re.compile(
    r"^(?:e-?mail|mail|имейл|тел\w*|tel\w*|phone|факс|fax|телефон\w*|телефони|mobile|gsm|correo|courriel|téléphone|teléfono|viber|за връзка|контакти|contact|kontakt|address|адрес|"
    r"за въпроси|за справки|за информация|renseignements|questions|write to|пиши на|отговаря|лице за контакт\w*|ansprechpartner\w*|call|звъни.*|sună.*|при|send.*|изпратете.*|връзка.*)$",
    re.IGNORECASE,
)


def contacts(sight: Sight) -> list[ContactDraft]:
    found: dict[str, ContactDraft] = {}
    for block in sight.page.blocks:
        if block.frame == "aside" or block.kind == "heading" and not block.links:
            continue
        for contact in _in_block(sight, block):
            key = contact.name.casefold()
            found[key] = _united(found[key], contact) if key in found else contact
            if len(found) >= MOST:
                return list(found.values())
    return [contact for contact in found.values() if contact.email or contact.phone or contact.address or contact.role]


def _united(one: ContactDraft, other: ContactDraft) -> ContactDraft:
    return replace(
        one, role=one.role or other.role, email=one.email or other.email, phone=one.phone or other.phone, address=one.address or other.address
    )


def _in_block(sight: Sight, block: Block) -> Iterator[ContactDraft]:
    text = revealed("\n".join(block.lines))
    if block.kind == "pair":
        text = f"{block.label}: {text}"
    mails = [link.href[7:].split("?")[0] for link in block.links if link.href.lower().startswith("mailto:")]
    people = list(_people(text))
    emails, phones = find_emails(text), find_phones(text, sight.source.country)
    address = find_address(text, sight.source.country)
    hidden = [mail for mail in mails if find_emails(mail) and mail.lower() not in {email.address for email in emails}]
    if people and (emails or phones or hidden or _all_people(text, people)):
        for index, (begin, end) in enumerate(people):
            stop = people[index + 1][0] if index + 1 < len(people) else len(text)
            role = _role(text, begin, end)
            email = next((each.address for each in emails if end <= each.start < stop), "") or (
                next((each.address for each in emails), "") if len(people) == 1 else ""
            )
            phone = next((each.e164 for each in phones if end <= each.start < stop), "") or (phones[0].e164 if phones and len(people) == 1 else "")
            if hidden and len(people) == 1:
                email = email or find_emails(hidden[0])[0].address
            if email or phone or role:
                yield ContactDraft(name=person_name(text[begin:end]), role=role, email=email, phone=phone, evidence=text[:200])
        if address is None or not address.street:
            return
    name = _desk(sight, text, address, min([each.start for each in (*emails, *phones)], default=len(text)))
    has_own = not people and (emails or phones or hidden)
    if name and (has_own or (address is not None and address.street)):
        yield ContactDraft(
            name=name,
            email=(emails[0].address if emails else find_emails(hidden[0])[0].address if hidden else "") if has_own else "",
            phone=phones[0].e164 if has_own and phones else "",
            address=_written(address) if address is not None and address.street else "",
            evidence=text[:200],
        )


def _people(text: str) -> Iterator[tuple[int, int]]:
    place = 0
    while match := person_in(text[place:]):
        begin, end = place + match.start(), place + match.end()
        yield begin, end
        place = end


def _all_people(text: str, people: list[tuple[int, int]]) -> bool:
    """A line that is only a name with a role: "Hannelore Priebus, Leitung"."""
    begin, end = people[0]
    return begin < 30 and bool(_role(text, begin, end)) and len(text) < 80 * len(people)  # noqa: PLR2004


def _role(text: str, begin: int, end: int) -> str:
    if match := _ROLE_AFTER.match(text[end:]):
        role = (match["role"] or match["line"] or "").strip()
        if role and _ROLE_LIKE.match(role) and not person_in(role) and not _CHANNEL.match(role):
            return role
    if match := _ROLE_BEFORE.search(re.sub(r"(?:инж\.|г-жа|г-н|адв\.)\s?$", "", text[:begin])):
        role = match["role"].strip(" –—-")
        if not _CHANNEL.match(role) and len(role.split()) <= 6:  # noqa: PLR2004
            return role
    return ""


def _desk(sight: Sight, text: str, address: Address | None, before: int) -> str:
    """Who has no person's name: what leads to the number, else the organisation named there, else the page's own."""
    if match := _DESK.search(text[:before]):
        desk = match["desk"].strip(" –—-,")
        if desk and not _CHANNEL.match(desk) and len(desk.split()) <= 4 and text[: before].rstrip().endswith(":"):  # noqa: PLR2004
            return desk
    if name := organisation_in(text):
        return name
    if address is not None and address.venue and len(address.venue) < LONGEST_ROLE:
        return address.venue
    return sight.publisher or sight.brand or sight.main.name


def _written(address: Address) -> str:
    town = f"{address.postal_code} {address.locality}".strip()
    return ", ".join(part for part in (address.street, town) if part)
