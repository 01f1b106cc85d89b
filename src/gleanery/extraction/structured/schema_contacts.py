"""Contacts of organisations and people in structured data."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice

from gleanery.extraction.draft import ContactDraft
from gleanery.extraction.structured.draft_builder import DraftBuilder
from gleanery.extraction.structured.nodes import Node, NodeGraph
from gleanery.extraction.structured.schema_places import email, one_line, phone, read_place
from gleanery.extraction.structured.schema_types import BUSINESSES, PLACES, is_organization

MOST_PEOPLE = 100
# Properties that name the organisation responsible. Performers, authors and reviewers are no contacts.
RESPONSIBLE = ("organizer", "provider", "hiringOrganization", "funder", "sponsor", "serviceOperator")
PEOPLE = ("employee", "employees", "member", "members", "founder", "founders")
CONTACT_POINTS = ("contactPoint", "contactPoints", "contact", "applicationContact")

CONTACT_PROPERTIES = frozenset({"email", "telephone", *CONTACT_POINTS, *PEOPLE})


def contacts_of(graph: NodeGraph, node: Node, form: str) -> Iterator[ContactDraft]:
    """Return contacts of the node, if it is an organisation or person, else of those responsible for it."""
    types = set(graph.types(node))
    if is_organization(types) or types & PLACES:
        yield from _of_body(graph, node, form)
    elif "Person" in types and graph.text(node, "jobTitle"):
        yield from _of_person(graph, node, form)
    else:
        yield from _contact_points(graph, node, form)
        for name in RESPONSIBLE:
            for body in islice(graph.nodes(node, name), MOST_PEOPLE):
                yield from _of_body(graph, body, form)


def _of_body(graph: NodeGraph, node: Node, form: str) -> Iterator[ContactDraft]:
    """Return the contact of an organisation, place or person, and its contact points and staff."""
    if CONTACT_PROPERTIES.isdisjoint(node):
        return
    builder = DraftBuilder(graph, node, form)
    read_place(builder, node, "")
    contact = ContactDraft(
        name=graph.text(node, "name", "legalName"),
        role=graph.text(node, "jobTitle"),
        email=_email(graph, node),
        phone=_phone(graph, node, builder.country),
        address=one_line(builder.fields),
        evidence=f"{form}: {next(iter(graph.types(node)), 'organizer')}",
    )
    if contact.name and (contact.email or contact.phone):
        yield contact
    yield from _contact_points(graph, node, form)
    if is_organization(graph.types(node)) or not BUSINESSES.isdisjoint(graph.types(node)):
        for name in PEOPLE:
            for person in islice(graph.nodes(node, name), MOST_PEOPLE):
                yield from _of_person(graph, person, form)


def _of_person(graph: NodeGraph, node: Node, form: str) -> Iterator[ContactDraft]:
    contact = ContactDraft(
        name=graph.text(node, "name"),
        role=graph.text(node, "jobTitle"),
        email=_email(graph, node),
        phone=_phone(graph, node, graph.page.source.country),
        evidence=f"{form}: Person",
    )
    if contact.name and (contact.role or contact.email or contact.phone):
        yield contact


def _contact_points(graph: NodeGraph, node: Node, form: str) -> Iterator[ContactDraft]:
    """Return contact points with a name or purpose; others repeat the number of the node."""
    for name in CONTACT_POINTS:
        for point in islice(graph.nodes(node, name), MOST_PEOPLE):
            contact = ContactDraft(
                name=graph.text(point, "name"),
                role=graph.text(point, "contactType", "jobTitle"),
                email=_email(graph, point),
                phone=_phone(graph, point, graph.page.source.country),
                evidence=f"{form}: {name}",
            )
            if (contact.name or contact.role) and (contact.email or contact.phone):
                yield contact


def _email(graph: NodeGraph, node: Node) -> str:
    return next(filter(None, (email(graph.text_of(value)) for value in graph.values(node, "email"))), "")


def _phone(graph: NodeGraph, node: Node, country: str) -> str:
    return next(filter(None, (phone(graph.text_of(value), country) for value in graph.values(node, "telephone"))), "")
