"""Blocks of a page in reading order: headings, paragraphs, list items, label-value pairs, table rows."""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass
from functools import lru_cache
from typing import NamedTuple

from selectolax.lexbor import LexborHTMLParser, LexborNode

from gleanery.extraction.plain.layout.frames import DROPPED, frame_of, is_hidden
from gleanery.extraction.plain.layout.inline_text import STRIKE_TAGS, InlineCollector, InlineText, Link
from gleanery.extraction.plain.layout.tables import is_layout, read_table
from gleanery.text import clean_text

MOST = 3_000  # blocks
MOST_CARDS = 12  # nested boxes
FEWEST_SIBLINGS = 2

BLOCKS = frozenset(
    str.split(
        "address article aside blockquote body caption center dd details dialog div dl dt fieldset figcaption figure "
        "footer form h1 h2 h3 h4 h5 h6 header hgroup hr legend li main menu ol p pre section summary table tbody td "
        "tfoot th thead tr ul"
    )
)
HEADINGS = {f"h{level}": level for level in range(1, 7)} | {"summary": 3}
KINDS = {"li": "item", "dt": "term", "dd": "value", "pre": "pre", **dict.fromkeys(HEADINGS, "heading")}
# Class names of elements used as headings.
TITLING = frozenset(str.split("title titulo titre titel heading headline titlu"))
BOXES = frozenset(str.split("div article section li p dd details"))
TITLE_CLASS = "titled"  # label of such a heading while it is read
LONGEST_TITLE = 150
LONGEST_HEADING = 300
_COLUMNS = re.compile(r"\s{2,}|\t+")


class Block(NamedTuple):  # five times as fast to create as a dataclass
    """One block. `strong` are the bold beginnings of its lines; `cards` are enclosing boxes with similar siblings."""

    kind: str  # heading, text, item, pair, row
    lines: tuple[str, ...] = ()
    level: int = 0
    frame: str = ""  # header, footer, aside; "" in the content
    label: str = ""
    links: tuple[Link, ...] = ()
    strong: tuple[str, ...] = ()
    cards: tuple[tuple[int, int], ...] = ()
    headers: tuple[str, ...] = ()
    cells: tuple[str, ...] = ()
    table: int = 0
    struck: str = ""  # text that is struck through

    @property
    def text(self) -> str:
        return " ".join(self.lines)


@dataclass(frozen=True, slots=True)
class BlockPage:
    title: str
    language: str
    blocks: tuple[Block, ...]
    images: tuple[tuple[int, str], ...] = ()  # number of blocks before it, address

    @property
    def content(self) -> tuple[Block, ...]:
        return tuple(block for block in self.blocks if not block.frame)


def read_page(tree: LexborHTMLParser) -> BlockPage:
    body = tree.body
    if body is None:
        return BlockPage("", "", ())
    title = tree.css_first("title")
    language = (tree.root.attributes.get("lang") or "") if tree.root is not None else ""
    reader = _BlockReader(len(body.text()))
    reader.read(body)
    page_title = clean_text(title.text()[:2_000], limit=300) if title is not None else ""
    return BlockPage(page_title, language[:2].lower(), tuple(reader.blocks[:MOST]), tuple(reader.images))


class _BlockReader:
    """Walks the tree without recursion and collects inline text until a block begins or ends."""

    def __init__(self, size: int) -> None:
        self.blocks: list[Block] = []
        self.images: list[tuple[int, str]] = []
        self._size = size
        self._gatherer = InlineCollector()
        self._styles = [Block(kind="text")]
        self._groups: dict[int, int] = {}  # sibling boxes by mem_id, with the number of their group
        self._term = ""
        self._count = 0

    def read(self, body: LexborNode) -> None:
        above: list[tuple[LexborNode, str]] = []
        self._find_siblings(body)
        node = body.first_child
        while node is not None and len(self.blocks) < MOST:
            tag = node.tag or "-"
            following = node.next
            if tag == "-text":
                self._gatherer.text(node.text_content or "", verbatim=self._styles[-1].kind == "pre")
            elif tag[0] not in "-!" and self._enter(node, tag):
                above.append((node, tag))
                following = node.first_child
            while following is None and above:
                inside, tag = above.pop()
                self._leave(tag)
                following = inside.next
            node = following
        self._flush()

    def _enter(self, node: LexborNode, tag: str) -> bool:
        """Return True if the children of the node are to be read."""
        if tag == "img" and (source := node.attributes.get("src")):
            self.images.append((len(self.blocks), source[:2_000]))
        struck = tag in STRIKE_TAGS and self._styles[-1].kind == "heading"  # the name of something cancelled
        if tag in STRIKE_TAGS and not struck:
            self._gatherer.strike(node)
        if (tag in DROPPED and not struck) or is_hidden(node):
            return False
        if tag not in BLOCKS and not _is_large(node, tag):
            self._gatherer.enter(node, tag)
            return True
        self._flush()
        frame = self._styles[-1].frame or frame_of(node, tag, self._size)
        if frame == "noise":
            return False
        if tag == "table" and not is_layout(node):
            self._take_table(node, frame)
            return False
        self._find_siblings(node)
        style, cards = _style(node, tag, self._styles[-1]), self._cards(node)
        same = frame == style.frame and cards is style.cards
        self._styles.append(style if same else style._replace(frame=frame, cards=cards))
        return True

    def _leave(self, tag: str) -> None:
        if tag not in BLOCKS and tag != "font":
            self._gatherer.leave(tag)
            return
        if tag == "font" and not self._styles[-1].label:
            return
        self._flush()
        if tag == "dl":
            self._term = ""
        self._styles.pop()

    def _flush(self) -> None:
        style = self._styles[-1]
        gathered = self._gatherer.done(verbatim=style.kind == "pre")
        if not gathered.lines:
            return
        block = style._replace(
            label="", lines=gathered.lines, strong=gathered.strong, links=gathered.links, struck=gathered.struck
        )
        if style.kind == "term":
            self._term = block.text
        elif style.kind == "value":
            self.blocks.append(block._replace(kind="pair", label=self._term))
        elif style.kind == "pre":
            self.blocks.extend(_columns(block))
        elif style.kind == "heading" and len(block.text) > (LONGEST_HEADING if not style.label else LONGEST_TITLE):
            self.blocks.append(block._replace(kind="text", level=0))
        else:
            self.blocks.append(block)

    def _take_table(self, node: LexborNode, frame: str) -> None:
        self._count += 1
        style = self._styles[-1]._replace(frame=frame, table=self._count)
        table = read_table(node)
        for row in table.rows:
            cells = tuple("\n".join(cell.lines) for cell in row.cells)
            filled = [cell for cell in row.cells if cell.lines]
            if not filled:
                continue
            if not table.headers and len(row.cells) == 2 and len(filled) == 2:  # noqa: PLR2004 - a label and its value
                self.blocks.append(_pair(style, filled))
                continue
            self.blocks.append(
                style._replace(
                    kind="row" if len(row.cells) > 1 and len(filled) > 1 else "text",
                    level=0,
                    lines=tuple(line for cell in filled for line in cell.lines),
                    strong=tuple(line for cell in filled for line in cell.strong),
                    links=tuple(link for cell in filled for link in cell.links),
                    headers=table.headers,
                    cells=cells,
                    struck=" ".join(cell.struck for cell in filled if cell.struck),
                )
            )

    def _find_siblings(self, node: LexborNode) -> None:
        """Group sibling boxes with the same tag and class, which may each describe one thing."""
        looks: list[tuple[int, str]] = []
        child = node.first_child
        while child is not None:
            tag = child.tag or "-"
            if tag in BOXES:
                named = child.attributes.get("class") or ("." if tag in ("article", "section", "li", "details") else "")
                if named:
                    looks.append((child.mem_id, f"{tag} {named.split()[0]}"))
            child = child.next
        if len(looks) < FEWEST_SIBLINGS:
            return
        counts = Counter(look for _, look in looks)
        groups: dict[str, int] = {}
        for place, look in looks:
            if counts[look] > 1:
                if look not in groups:
                    self._count += 1
                    groups[look] = self._count
                self._groups[place] = groups[look]

    def _cards(self, node: LexborNode) -> tuple[tuple[int, int], ...]:
        cards = self._styles[-1].cards
        group = self._groups.get(node.mem_id)
        if group is None or len(cards) >= MOST_CARDS:
            return cards
        self._count += 1
        return (*cards, (group, self._count))


def _style(node: LexborNode, tag: str, around: Block) -> Block:
    """Return the block style of an element. Headings, terms and items keep theirs for all children."""
    if tag in HEADINGS:
        return around._replace(kind="heading", level=HEADINGS[tag], label="")
    if tag in KINDS:
        return around._replace(kind=KINDS[tag], level=0, label="")
    if around.kind in ("term", "value", "item", "pre"):
        return around
    if _is_large(node, tag):
        return around._replace(kind="heading", level=1, label=TITLE_CLASS)
    if tag in ("div", "p") and _is_titling((node.attributes.get("class") or "")[:200]):
        return around._replace(kind="heading", level=2, label=TITLE_CLASS)
    is_text = around.kind == "text" and not (around.level or around.label)
    return around if is_text else around._replace(kind="text", level=0, label="")


@lru_cache(maxsize=1024)  # few classes, hundreds of elements
def _is_titling(classes: str) -> bool:
    return not TITLING.isdisjoint(re.findall(r"[a-z]+", classes.lower())[:3])


def _is_large(node: LexborNode, tag: str) -> bool:
    return tag == "font" and (node.attributes.get("size") or "").lstrip("+") in ("4", "5", "6", "7")


def _pair(style: Block, filled: list[InlineText]) -> Block:
    return style._replace(
        kind="pair",
        level=0,
        label=" ".join(filled[0].lines),
        lines=filled[1].lines,
        strong=filled[1].strong,
        links=(*filled[0].links, *filled[1].links),
    )


def _columns(block: Block) -> list[Block]:
    """Split preformatted lines with two columns into label and value."""
    found = []
    for line in block.lines:
        parts = _COLUMNS.split(line.strip(), maxsplit=1)
        label, value = (clean_text(parts[0]), clean_text(parts[1])) if len(parts) > 1 else ("", clean_text(line))
        found.append(block._replace(kind="pair" if label else "text", label=label, lines=(value,), strong=("",)))
    return found
