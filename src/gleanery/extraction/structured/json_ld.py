"""JSON-LD extractor: the scripts of a page form one graph. Remote contexts are never fetched."""

from __future__ import annotations

import re
from typing import Any

from gleanery.extraction.draft import Extracted
from gleanery.extraction.structured.html_page import HtmlPage
from gleanery.extraction.structured.json_repair import values_in
from gleanery.extraction.structured.nodes import Node, NodeGraph
from gleanery.extraction.structured.schema_org import extracted_from

FORM = "json-ld"
MOST_SCRIPTS = 200
MOST_NODES = 20_000
LONGEST_SCRIPT = 1024 * 1024

_PREFIX = re.compile(r"https?:/*(?:www\.)?schema\.org/+|schema:")
# Aliases defined by the context of schema.org.
_ALIASES = {"type": "@type", "id": "@id", "graph": "@graph"}


def from_json_ld(page: HtmlPage) -> Extracted:
    if not page.is_html or "ld+json" not in page.html.lower():
        return Extracted()
    roots: list[Node] = []
    problems: list[str] = []
    for number, script in enumerate(_scripts(page), 1):
        try:
            values = values_in(script)
        except ValueError as problem:
            problems.append(f"JSON-LD script {number}: {problem}.")
            continue
        for value in values:
            roots.extend(_roots(value, number, problems))
    found = extracted_from(NodeGraph(page, roots), FORM)
    return Extracted(drafts=found.drafts, contacts=found.contacts, problems=tuple(problems))


def _scripts(page: HtmlPage) -> list[str]:
    found: list[str] = []
    for script in page.tree.tags("script"):
        kind = script.attributes.get("type")
        if kind and "ld+json" in kind.lower() and len(found) < MOST_SCRIPTS:
            found.append(script.text()[:LONGEST_SCRIPT])
    return found


def _roots(value: Any, number: int, problems: list[str]) -> list[Node]:
    """Return the top-level nodes of a value, with normalised property names."""
    roots: list[Node] = []
    waiting = [value]
    while waiting and len(roots) < MOST_NODES:
        each = waiting.pop(0)
        if isinstance(each, list):
            waiting[:0] = each[:MOST_NODES]
        elif isinstance(each, dict):
            if _uses_schema_org(each.get("@context")):
                _normalise_keys(each)
                roots.append(each)
            else:
                problems.append(f"JSON-LD script {number}: it uses another vocabulary than schema.org and was skipped.")
    return roots


def _uses_schema_org(context: Any) -> bool:
    """Return True for schema.org or a missing context, False for other vocabularies only."""
    if context is None:
        return True
    if isinstance(context, list):
        return not context or any(_uses_schema_org(each) for each in context[:50] if each is not None)
    if isinstance(context, dict):
        vocabularies = [each for each in context.values() if isinstance(each, str)]
        return not vocabularies or any("schema.org" in each for each in vocabularies)
    return isinstance(context, str) and (not context.strip() or "schema.org" in context)


def _normalise_keys(value: Any) -> None:
    """Rename schema:name and http://schema.org/name to name, in place and at any depth."""
    waiting = [value]
    taken = 0
    while waiting and taken < MOST_NODES:
        each = waiting.pop()
        taken += 1
        if isinstance(each, dict):
            for key in [key for key in each if ":" in key or key in _ALIASES]:
                plain = _ALIASES.get(key) or _PREFIX.sub("", key, count=1)
                if plain not in each:
                    each[plain] = each.pop(key)
            waiting.extend(part for part in each.values() if isinstance(part, dict | list))
        elif isinstance(each, list):
            waiting.extend(part for part in each if isinstance(part, dict | list))
