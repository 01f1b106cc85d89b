"""Contacts on a page: people with roles, offices and organisations, with the phone and e-mail next to them."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import NamedTuple

from gleanery.extraction.draft import ContactDraft, Draft
from gleanery.extraction.plain.kinds.places import CONTACT_PAGE
from gleanery.extraction.plain.layout.blocks import Block
from gleanery.extraction.plain.structure.labels import role_of
from gleanery.extraction.plain.structure.page_view import PageView
from gleanery.extraction.values.addresses import Address, country_named, find_address
from gleanery.extraction.values.emails import Email, find_emails, reveal_hidden
from gleanery.extraction.values.names import organisation_in, person_in, person_name
from gleanery.extraction.values.phones import Phone, find_phones

MOST = 200
LONGEST_LINE = 90  # of a line that is only a name and a role
LONGEST_EVIDENCE = 200
MOST_WORDS = 6
MOST_DESK_WORDS = 3
_AFTER = re.compile(
    r"^(?:,\s?[A-Z]{2,5}(?=\s[–—-]))?\s?(?:,|–|—|-|\()\s?(?P<role>[^,;:()\d@\n.–—]{3,60}?)\s?(?=[,;:()\n.–—]|"
    r"\bтел|\btel|$)|^\n(?P<line>[^\n\d@:]{3,60})(?=\n|$)",
    re.IGNORECASE,
)
_BEFORE = re.compile(r"(?:^|[.;:\n]\s?|\s–\s)(?P<role>[^.,;:\n\d@()–—]{3,50})\s?[:–—]\s?$")
_STANDS_FOR = re.compile(r"^(?:vertreten durch|represented by)\s(?:die|den|der|the)?\s?", re.IGNORECASE)
_DESK = re.compile(r"^(?P<desk>[^.,;:|\d@()]{3,40}):")
_AFTER_CHANNEL = re.compile(r"^[^:]{3,40}:\s(?P<desk>[^\W\d_][^.,;:\d@]{3,30}),\s")
_CHANNEL = re.compile(
    r"e-?mail|\bmail|имейл|\bтел|\btel|phone|факс|fax|\bgsm|correo|courriel|viber|поща|écrire|write|пиш|"
    r"контакт|contact|kontakt|адрес|address|въпрос|справк|информация|"
    r"renseign|question|\bcall|звън|връзка|ring\b|записв|резервац|reservation|booking|текст|send|изпрат",
    re.IGNORECASE,
)


# Without phone or e-mail, a name is a contact only with one of these roles.
_OFFICE = re.compile(
    r"\b(?:директор\w*|управител\w*|председател\w*|секретар\w*|счетоводител\w*|координатор\w*|ръководител\w*|"
    r"организатор\w*|лекар\w*|кмет\w*|отговорник\w*|специалист\w*|експерт\w*|"
    r"director|manager|head of|chair\w*|president|treasurer|secretary|coordinator|officer|lead\b|founder|"
    r"trustee|trainer|teacher|"
    r"leitung|leiter\w*|berater\w*|geschäftsführer\w*|vorstand|vorsitzende\w*|ansprechpartner\w*|referent\w*|"
    r"président\w*|trésori\w+|secrétaire|directeur|directrice|animat\w+|responsable|chargée? de|director\w*|"
    r"coordinador\w*|presidente\w*|secretari\w*|"
    r"coordonator|președinte|bibliotecar\w*|manager)",
    re.IGNORECASE,
)


class ContactDetails(NamedTuple):
    """Ways to reach somebody given in one block, with its text."""

    text: str
    emails: list[Email]
    phones: list[Phone]
    hidden: list[str]  # e-mail addresses found in links only
    address: Address | None


def contacts(view: PageView, drafts: Sequence[Draft]) -> list[ContactDraft]:
    found: dict[str, ContactDraft] = {}
    for contact in _candidates(view, drafts):
        key = contact.name.casefold()
        found[key] = _merged(found[key], contact) if key in found else contact
        if len(found) >= MOST:
            break
    return [
        contact
        for contact in found.values()
        if contact.name and (contact.email or contact.phone or contact.address or contact.role)
    ]


def _candidates(view: PageView, drafts: Sequence[Draft]) -> Iterator[ContactDraft]:
    if len(drafts) > 1 and drafts[0].kind == "place":
        yield from (_of_place(draft) for draft in drafts)
    known = {draft.fields.get("phone") for draft in drafts if draft.kind in ("place", "service") and len(drafts) > 1}
    named = (
        drafts[0].fields["name"] if len(drafts) == 1 and drafts[0].kind in ("service", "place", "organization") else ""
    )
    own = named or view.publisher or view.brand or view.main.name
    for block in view.page.blocks:
        if block.frame == "aside" or (block.kind == "heading" and not block.links):
            continue
        reach = _details(view, block)
        people = list(_persons(block, reach))
        yield from people
        if people or not (reach.emails or reach.phones or reach.hidden or reach.address):
            reach = reach._replace(emails=[], phones=[], hidden=[])
        if known & {phone.e164 for phone in reach.phones}:
            continue
        yield from _offices(view, block, reach, own, bool(named))


def _of_place(draft: Draft) -> ContactDraft:
    fields = draft.fields
    town = f"{fields.get('postal_code', '')} {fields.get('locality', '')}".strip()
    address = ", ".join(part for part in (fields.get("address", ""), town) if part) if fields.get("address") else ""
    return ContactDraft(
        name=fields["name"],
        phone=fields.get("phone", ""),
        email=fields.get("email", ""),
        address=address,
        evidence=fields["name"],
    )


def _merged(one: ContactDraft, other: ContactDraft) -> ContactDraft:
    return replace(
        one,
        role=one.role or other.role,
        email=one.email or other.email,
        phone=one.phone or other.phone,
        address=one.address or other.address,
    )


def _details(view: PageView, block: Block) -> ContactDetails:
    text = reveal_hidden("\n".join(block.lines))
    if block.kind == "pair":
        text = f"{block.label.rstrip(' :')}: {text}"
    emails = find_emails(text)
    written = {email.address for email in emails}
    linked = [
        found[0].address
        for link in block.links
        if link.href.lower().startswith("mailto:") and (found := find_emails(link.href[7:].split("?")[0]))
    ]
    return ContactDetails(
        text,
        emails,
        find_phones(text, view.source.country),
        [each for each in linked if each not in written],
        find_address(text, view.source.country),
    )


def _people(text: str) -> list[tuple[int, int]]:
    found: list[tuple[int, int]] = []
    place = 0
    while len(found) < MOST and (match := person_in(text[place:])):
        begin, end = place + match.start(), place + match.end()
        # A capitalised line after a name may be its role.
        if not (found and text[found[-1][1] : begin] == "\n" and _role(text, *found[-1])):
            found.append((begin, end))
        place = end
    return found


def _persons(block: Block, reach: ContactDetails) -> Iterator[ContactDraft]:
    text = reach.text
    reachable = bool(reach.emails or reach.phones or reach.hidden)
    # Names in a table row are contacts only if they can be reached.
    people = _people(text) if reachable or block.kind != "row" else []
    for index, (begin, end) in enumerate(people):
        stop = people[index + 1][0] if index + 1 < len(people) else len(text)
        role = _role_in_row(block, text[begin:end]) or _role(text, begin, end)
        if not reachable and not (_OFFICE.search(role) and _is_name_and_role(block, text, begin)):
            continue
        only = len(people) == 1
        email = next((each.address for each in reach.emails if end <= each.start < stop), "")
        phone = next((each.e164 for each in reach.phones if end <= each.start < stop), "")
        if only:
            email = email or next((each.address for each in reach.emails), "") or next(iter(reach.hidden), "")
            phone = phone or next((each.e164 for each in reach.phones), "")
        if email or phone or role:
            yield ContactDraft(
                name=person_name(text[begin:end]), role=role, email=email, phone=phone, evidence=text[:LONGEST_EVIDENCE]
            )


def _is_name_and_role(block: Block, text: str, begin: int) -> bool:
    """Return True for a sentence of name and role only ("Hannelore Priebus, Leitung") without another label."""
    if block.kind == "pair":
        return role_of(block.label) == "contact"
    start = max(text.rfind(". ", 0, begin) + 2 if ". " in text[:begin] else 0, text.rfind("\n", 0, begin) + 1, 0)
    lead = text[start:begin].strip(" :–—")
    return len(lead) < LONGEST_LINE // 2 and role_of(lead) in ("", "contact")


def _role_in_row(block: Block, name: str) -> str:
    """Return the role from the position column of a staff table."""
    if block.kind != "row" or not block.headers:
        return ""
    for header, cell in zip(block.headers, block.cells, strict=False):
        if (
            cell
            and name not in cell
            and re.match(
                r"длъжност|позиция|position|role|title|job|funktion|fonction|cargo|funcți", header, re.IGNORECASE
            )
        ):
            return cell.replace("\n", " ")
    return ""


def _role(text: str, begin: int, end: int) -> str:
    if match := _AFTER.match(text[end : end + 120]):
        role = (match["role"] or match["line"] or "").strip()
        if _is_role(role):
            return role
    before = re.sub(r"(?:инж\.|г-жа|г-н|адв\.)\s?$", "", text[max(0, begin - 120) : begin]).replace(":\n", ": ")
    if match := _BEFORE.search(before):
        role = _STANDS_FOR.sub("", match["role"].strip(" –—-"))
        if _is_role(role):
            return role
    return ""


def _is_role(text: str) -> bool:
    if not text or len(text.split()) > MOST_WORDS or _CHANNEL.search(text) or country_named(text):
        return False
    return person_in(text) is None and find_address(text) is None and not re.match(r"[A-Z]{2,5}$|\w+str$", text)


def _offices(
    view: PageView, block: Block, reach: ContactDetails, own: str, is_own_page: bool
) -> Iterator[ContactDraft]:
    """Yield contacts without a person: a labelled office, else the organisation of the line or page."""
    address = reach.address if reach.address is not None and reach.address.street else None
    if reach.emails or reach.phones or reach.hidden:
        name = _office_name(reach, block) or (own if is_own_page else _organisation(view, reach.text) or own)
        yield ContactDraft(
            name=name,
            email=next((each.address for each in reach.emails), "") or next(iter(reach.hidden), ""),
            phone=next((each.e164 for each in reach.phones), ""),
            address=address.written if address else "",
            evidence=reach.text[:LONGEST_EVIDENCE],
        )
    elif address is not None:
        name = own if is_own_page else _organisation(view, reach.text)
        if not name and (block.frame in ("header", "footer") or CONTACT_PAGE.search(view.heads)):
            name = view.publisher or view.brand
        if name and (is_own_page or name in reach.text[:LONGEST_LINE] or block.frame):
            yield ContactDraft(name=name, address=address.written, evidence=reach.text[:LONGEST_EVIDENCE])


def _organisation(view: PageView, text: str) -> str:
    name = organisation_in(text)
    return view.publisher if name and view.publisher.startswith(name) else name


def _office_name(reach: ContactDetails, block: Block) -> str:
    first = min([*(each.start for each in reach.emails), *(each.start for each in reach.phones)], default=0)
    start = max(
        reach.text.rfind("\n", 0, first) + 1, reach.text.rfind(". ", 0, first) + 2 if ". " in reach.text[:first] else 0
    )
    line = reach.text[start:]
    if match := _DESK.match(line):
        desk = match["desk"].strip()
        if not _CHANNEL.search(desk):
            return desk if role_of(desk) in ("", "organizer", "provider") and len(desk.split()) <= MOST_WORDS else ""
        if after := _AFTER_CHANNEL.match(line):
            return (
                after["desk"].strip()
                if len(after["desk"].split()) < MOST_DESK_WORDS and not _CHANNEL.search(after["desk"])
                else ""
            )
    link = next(
        (link for link in block.links if link.href.lower().startswith("mailto:") and "@" not in link.text), None
    )
    return (
        link.text
        if link and reach.hidden and 0 < len(link.text.split()) <= MOST_DESK_WORDS and not _CHANNEL.search(link.text)
        else ""
    )
