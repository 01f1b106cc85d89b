"""Labelled facts on a page: role, label, value, and the block they come from."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache

from gleanery.extraction.plain.layout.blocks import Block
from gleanery.extraction.plain.structure.labels import EMOJI, LONGEST, role_of

_COLON = re.compile(r"^\s*([^:\n]{2,60}?)\s?[:：]\s*(.*)$")
_ORDINAL = re.compile(r"^(?:[A-ZÁÉÍÓÚ]{4,12}\.|\(?\d{1,2}[.)]|[IVX]{1,4}\.|[–—•*·-])\s*")
_SYMBOL = re.compile("^[\u2190-\u2bff\ufe0f\u200d\U0001f000-\U0001faff\\s]+")
_SENTENCE = re.compile(r"(?<=[\w)€“”\"»])[.;]\s+(?=[A-ZА-ЯÀ-ÝȘȚ])")


@dataclass(frozen=True, slots=True)
class Fact:
    role: str
    label: str
    value: str
    block: Block


def facts_of(blocks: Sequence[Block]) -> list[Fact]:
    found: list[Fact] = []
    for index, block in enumerate(blocks):
        if block.kind == "pair":
            found.extend(_pair(block))
        elif block.kind == "heading":
            found.extend(_heading(block, blocks[index + 1 : index + 8]))
        elif block.kind in ("text", "item"):
            found.extend(_lines(block))
    return found


def first(facts: Iterable[Fact], *roles: str) -> Fact | None:
    return next((fact for fact in facts if fact.role in roles and fact.value), None)


def without_symbols(text: str) -> str:
    return _SYMBOL.sub("", text).strip()


def _pair(block: Block) -> list[Fact]:
    role = role_of(without_symbols(block.label))
    return [Fact(role, block.label, "\n".join(block.lines), block)] if role else []


def _heading(block: Block, after: Sequence[Block]) -> list[Fact]:
    """Return the fact of a heading such as "Who can apply?", which labels the paragraph or list after it."""
    role = role_of(without_symbols(block.text)) if len(block.text) <= LONGEST else ""
    if not role or not after or after[0].kind not in ("text", "item"):
        return []
    first_block = after[0]
    if first_block.kind == "item":
        items = []
        for each in after:
            if each.kind != "item":
                break
            items.append(each.text)
        return [Fact(role, block.text, "; ".join(items), first_block)]
    return [Fact(role, block.text, "\n".join(first_block.lines), first_block)]


@lru_cache(maxsize=4096)  # several recognisers read the same blocks
def _lines(block: Block) -> tuple[Fact, ...]:
    found: list[Fact] = []
    lines = block.lines
    for index, line in enumerate(lines):
        strong = block.strong[index] if index < len(block.strong) else ""
        facts = _line(line, strong, block)
        if facts and not facts[-1].value and index + 1 < len(lines):  # the value is on the next line
            facts[-1] = Fact(facts[-1].role, facts[-1].label, lines[index + 1], block)
        found.extend(facts)
    return tuple(found)


def _line(line: str, strong: str, block: Block) -> list[Fact]:
    plain = without_symbols(line)
    body = _ORDINAL.sub("", plain)
    label = without_symbols(strong).rstrip(" :.–—-")
    if label and (role := role_of(label)) and body.startswith(label):
        value = body[len(label) :].lstrip(" :.?–—-")
        # The line holds one bold label: InlineCollector splits lines at bold labels.
        return [Fact(role, label, value, block)]
    found = []
    for sentence in _SENTENCE.split(body):
        if (match := _COLON.match(sentence)) and (role := role_of(match[1])):
            found.append(Fact(role, match[1], match[2].strip(), block))
    if not found and plain != line:
        role = next((EMOJI[mark] for mark in line[:4] if mark in EMOJI), "")
        if role:
            found.append(Fact(role, line[:1], plain, block))
    return found
