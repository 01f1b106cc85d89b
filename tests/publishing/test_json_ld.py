"""JSON-LD of records as a processor that others wrote reads it."""

from __future__ import annotations

from typing import Any

import pytest
from django.test import Client
from pyld import jsonld

from tests.resolution.shop import JAZZ, record_of, tell

pytestmark = pytest.mark.django_db

VOCABULARY = "https://schema.org/"
KINDS = {
    "event": JAZZ,
    "funding": {"name": "Small grants", "funder_name": "Iskra", "deadline": "2099-05-01", "amount_max": 5000},
    "service": {"name": "Food bank", "provider_name": "Iskra", "address": "1 Main St", "locality": "Ruse"},
    "opportunity": {"name": "Gardener", "organizer_name": "Iskra", "locality": "Ruse"},
    "place": {"name": "Old Hall", "address": "1 Main St", "locality": "Ruse", "lat": 43.85, "lon": 25.95},
    "organization": {"name": "Iskra", "locality": "Ruse"},
}


def from_no_network(url: str, options: Any) -> dict[str, Any]:
    """The vocabulary alone: terms keep their names, and nothing is fetched."""
    assert url.rstrip("/") == VOCABULARY.rstrip("/")
    context = {"@context": {"@vocab": VOCABULARY}}
    return {"contextUrl": None, "documentUrl": url, "document": context, "contentType": "application/ld+json"}


def triples(document: Any) -> set[tuple[str, str]]:
    """Return predicate and object of all triples."""
    graph = jsonld.to_rdf(document, {"documentLoader": from_no_network})["@default"]
    return {(each["predicate"]["value"], each["object"]["value"]) for each in graph}


@pytest.mark.parametrize("kind", KINDS)
def test_a_json_ld_processor_keeps_all_that_is_said(client: Client, kind: str) -> None:
    record = record_of(tell("a", kind, "1", **KINDS[kind]))
    document = client.get(f"/api/v1/records/{record.pk}.jsonld").json()
    found = triples(document)
    assert (f"{VOCABULARY}name", record.name) in found
    (expanded,) = jsonld.expand(document, {"documentLoader": from_no_network})
    assert len(expanded) == len(document) - 1, "no term was dropped but the context"
    assert expanded["@type"] == [VOCABULARY + document["@type"]]
