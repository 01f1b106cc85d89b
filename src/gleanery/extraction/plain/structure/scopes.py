"""Scopes: parts of a page that each describe one thing (similar boxes, sections of one level, or the whole page)."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from gleanery.extraction.plain.layout.blocks import Block, BlockPage
from gleanery.extraction.plain.structure.facts import without_symbols
from gleanery.extraction.values.names import is_organisation

IsWanted = Callable[[Sequence[Block]], bool]
FEWEST = 2
_TITLE_PARTS = re.compile(r"\s[|–—·•-]\s|\s?::\s?")
SHORTEST_NAME = 3
LONGEST_NAME = 150
_QUOTED_ONLY = re.compile(r"^.{3,60}:\s*[„“\"«](?P<name>[^„“”\"«»]{3,120})[“”\"»]$")
_ABOUT_APPLYING = re.compile(
    r"\s[–—-]\s(?:правила|условия|насоки|отворен\w*|прием|покана|guidelines|call for|now open|open for|"
    r"applications|apply|ausschreibung|"
    r"règlement|bases|regulament|кандидатстване)\b.*$",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class Scope:
    """A name and the blocks that describe it."""

    name: str
    blocks: tuple[Block, ...]
    heading: Block | None = None
    whole: bool = False

    @property
    def href(self) -> str:
        """Link of the name, or ""."""
        links = self.heading.links if self.heading else ()
        return next(
            (link.href for link in links if link.text and link.text in (self.heading.text if self.heading else "")), ""
        )

    @property
    def text(self) -> str:
        return "\n".join("\n".join(block.lines) for block in self.blocks)


_CALL = re.compile(
    r"^(?:open call|call for (?:applications|proposals|projects)|отворена покана|покана|new|ново|"
    r"конкурс за проекти|ausschreibung|news)\s?[:–—]\s+|"
    r"^(?:процедура|procedure|call|покана)\s[\w./-]*\d[\w./-]*\s+(?=[„“\"«])",
    re.IGNORECASE,
)
_WHOLLY_QUOTED = re.compile(r"^[„“\"«](?P<name>[^„“”\"«»]{3,120})[“”\"»]$")


def clean_name(text: str) -> str:
    name = without_symbols(text).strip(" :|–—-•·»«" if text.count("«") != text.count("»") else " :|–—-•·")
    if match := _QUOTED_ONLY.match(name):
        return match["name"]
    name = _CALL.sub("", name)
    if match := _WHOLLY_QUOTED.match(name):
        return match["name"]
    return _ABOUT_APPLYING.sub("", name)[:LONGEST_NAME]


def main_scope(page: BlockPage) -> Scope:
    """Return the whole content, named by the first heading of the highest level."""
    content = page.content
    headings = [block for block in content if block.kind == "heading"]
    top = [block for block in headings if block.level == 1]
    framed = [
        block for block in page.blocks if block.kind == "heading" and block.level == 1 and block.frame == "header"
    ]
    heading = next(iter(_own(page, top) or framed or sorted(headings, key=lambda block: block.level)), None)
    if heading is None:
        return Scope(clean_name(re.split(r"\s[|–—:-]{1,2}\s", page.title)[0]), content, None, whole=True)
    after = content[content.index(heading) + 1 :] if heading in content else content
    # An organisation may name itself in a heading above the actual title.
    if heading.level == 1 and after and after[0].kind == "heading" and is_organisation(heading.text):
        heading, after = after[0], after[1:]
    return Scope(clean_name(heading.lines[0]), after, heading, whole=True)


def _own(page: BlockPage, headings: Sequence[Block]) -> Sequence[Block]:
    """Drop headings that are the site name, which also ends the page title."""
    named = [part.strip() for part in _TITLE_PARTS.split(page.title)][1:]
    return [block for block in headings if block.text not in named] or headings


def find_parts(page: BlockPage, wanted: IsWanted) -> list[Scope]:
    """Return two or more similar parts that are all wanted, or none if the page describes one thing."""
    wanted = _cached(wanted)
    boxes, sections = _boxes(page.content, wanted), _sections(page.content, wanted)
    return boxes if len(boxes) >= len(sections) else sections


def _cached(wanted: IsWanted) -> IsWanted:
    """Cache `wanted`, since nested boxes and sections often hold the same blocks."""
    known: dict[tuple[int, ...], bool] = {}

    def ask(blocks: Sequence[Block]) -> bool:
        key = tuple(map(id, blocks))
        if key not in known:
            known[key] = wanted(blocks)
        return known[key]

    return ask


def single_box(page: BlockPage, wanted: IsWanted) -> Scope | None:
    """Return the only wanted box with a heading among similar ones, or None."""
    chosen = [scope for scope in _boxes(page.content, _cached(wanted), 1) if scope.heading is not None]
    return chosen[0] if len(chosen) == 1 else None


def _boxes(content: Sequence[Block], wanted: IsWanted, fewest: int = FEWEST) -> list[Scope]:
    groups: dict[int, dict[int, list[Block]]] = {}
    for block in content:
        for group, card in block.cards:
            groups.setdefault(group, {}).setdefault(card, []).append(block)
    best: list[Scope] = []
    for cards in groups.values():
        if len(cards) < FEWEST:
            continue
        chosen = [scope for blocks in cards.values() if wanted(blocks) and (scope := _boxed(blocks))]
        if len(chosen) >= fewest and len(chosen) > len(best):
            best = chosen
    return best


def _boxed(blocks: list[Block]) -> Scope | None:
    heading = next((block for block in blocks if block.kind == "heading"), None)
    if heading is not None:
        return Scope(clean_name(heading.lines[0]), tuple(block for block in blocks if block is not heading), heading)
    return Scope("", tuple(blocks))


def _sections(content: Sequence[Block], wanted: IsWanted) -> list[Scope]:
    best: list[Scope] = []
    for level in range(1, 7):
        found = [
            scope for scope in _of_level(content, level) if len(scope.name) >= SHORTEST_NAME and wanted(scope.blocks)
        ]
        if len(found) >= FEWEST and len(found) > len(best):
            best = found
    return best


def _of_level(content: Sequence[Block], level: int) -> list[Scope]:
    found: list[tuple[Block, list[Block]]] = []
    for block in content:
        if block.kind == "heading" and block.level <= level:
            found.append((block, []))
        elif found:
            found[-1][1].append(block)
    return [Scope(clean_name(head.lines[0]), tuple(blocks), head) for head, blocks in found if head.level == level]
