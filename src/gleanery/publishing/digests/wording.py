"""The e-mails as they are read: the question for confirmation, and the digest, each as plain text and as HTML."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, date, datetime
from email.message import EmailMessage
from email.policy import SMTP
from email.utils import format_datetime, formataddr, parseaddr
from uuid import UUID

from django.template.loader import render_to_string
from django.utils import translation
from django.utils.translation import gettext as _

from gleanery.publishing.digests.items import Found
from gleanery.publishing.digests.links import Links, root
from gleanery.publishing.showing.addresses import path_of
from gleanery.publishing.showing.facts import facts, status_of
from gleanery.publishing.showing.reading import Published

FACTS = 3
SEVEN_BIT = SMTP.clone(cte_type="7bit")  # any server takes that


@dataclass(frozen=True, slots=True)
class Item:
    name: str
    link: str
    line: str


@dataclass(frozen=True, slots=True)
class Section:
    heading: str
    items: list[Item]
    left_out: int


@dataclass(frozen=True, slots=True)
class About:
    """Which search of which site a digest follows, and how to leave it."""

    site: str
    title: str
    search: str
    leave: str


@dataclass(frozen=True, slots=True)
class Text:
    """One e-mail before it has an envelope."""

    subject: str
    lines: list[str]  # before its button or its sections
    sections: list[Section]
    button: tuple[str, str] | None  # what it says, where it leads
    search: str = ""  # the address of the search that it follows
    leave: str = ""
    ending: str = ""


def confirmation(site: str, links: Links) -> Text:
    """Nothing in it was typed by whoever filled in the form: anybody can enter anybody's mailbox there."""
    return Text(
        subject=_("Please confirm: e-mails from %(site)s") % {"site": site},
        lines=[_("Somebody, most likely you, asked for e-mails about new entries on %(site)s.") % {"site": site}],
        sections=[],
        button=(_("Look at it and confirm"), links.confirm),
        ending=_("If it was not you, do nothing: no more e-mails will come, and your address is deleted in two days."),
    )


def digest(about: About, new: Found, closing: Found, today: date) -> Text:
    sections = [
        Section(heading, [_item(each, today) for each in found.entries], found.total - len(found.entries))
        for heading, found in ((_("New"), new), (_("Closing soon"), closing))
        if found.entries
    ]
    return Text(
        subject=f"{about.site}: {about.title}",
        lines=[],
        sections=sections,
        button=None,
        search=about.search,
        leave=about.leave,
        ending=_("You get this because you confirmed it on %(site)s.") % {"site": about.site},
    )


def message(text: Text, letter: UUID, sender: str, recipient: str, site: str) -> EmailMessage:
    """Put it into an envelope. Its Message-ID stays the same however often it is tried."""
    name, address = parseaddr(sender)
    made = EmailMessage(policy=SEVEN_BIT)
    made["Subject"] = _line(text.subject)
    made["From"] = formataddr((name or _line(site), address))
    made["To"] = recipient
    made["Date"] = format_datetime(datetime.now(UTC))
    made["Message-ID"] = f"<{letter}@{address.rpartition('@')[2]}>"
    made["Auto-Submitted"] = "auto-generated"
    if text.leave:
        made["List-Unsubscribe"] = f"<{text.leave}>"
        made["List-Unsubscribe-Post"] = "List-Unsubscribe=One-Click"
    made.set_content(plain(text))
    html = render_to_string("publishing/letter.html", {"text": text, "site": site, "root": root()})
    made.add_alternative(html, subtype="html")
    made["Content-Language"] = translation.get_language() or "en"
    return made


def plain(text: Text) -> str:
    lines = [*text.lines, ""] if text.lines else []
    if text.button:
        lines += [f"{text.button[0]}:", text.button[1], ""]
    for section in text.sections:
        lines += [section.heading.upper(), ""]
        for item in section.items:
            lines += [*filter(None, (item.name, item.line, item.link)), ""]
        if section.left_out > 0:
            lines += [_("and %(count)s more") % {"count": section.left_out}, ""]
    if text.search:
        lines += [_("All of this search") + ":", text.search, ""]
    lines += ["-- ", text.ending]
    if text.leave:
        lines += [_("Stop these e-mails") + ":", text.leave]
    return "\n".join(lines) + "\n"


def _item(of: Published, today: date) -> Item:
    status = status_of(of.fields)
    name = f"{status}: {of.record.name}" if status else of.record.name
    line = " · ".join(each.text for each in facts(of, today)[:FACTS])
    return Item(_line(name), root() + path_of(of.record.pk, of.record.name), _line(line))


def _line(text: str) -> str:
    return " ".join(text.split())
