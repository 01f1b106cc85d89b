"""The main text of a page as simple Markdown: headings, list items, table rows, paragraphs."""

from __future__ import annotations

from typing import NamedTuple

from selectolax.lexbor import LexborHTMLParser, LexborNode

from gleanery.crawling.pages.noise import DROPPED, is_unwanted
from gleanery.text import clean_page, clean_text

# Elements around the content, unless they are within an article.
FRAME = frozenset({"header", "footer", "aside"})
OWN_FRAME = frozenset({"main", "article"})

BREAKS = ("", "\n", "\n\n")
# Block elements with the break around them, as an index of BREAKS. Other elements are inline.
LINES = str.split(
    "address br caption center dd details dialog dir div dt fieldset figcaption figure footer form frame frameset "
    "header hgroup iframe legend li main menu nav option search section summary tbody tfoot thead tr"
)
PARAGRAPHS = str.split("article aside blockquote dl h1 h2 h3 h4 h5 h6 hr ol p pre table ul")
GAPS = dict.fromkeys(LINES, 1) | dict.fromkeys(PARAGRAPHS, 2)
LEADS = {"li": "- ", **{f"h{level}": "#" * level + " " for level in range(1, 7)}}


class Edge(NamedTuple):
    """The start or end of an element: a gap and a lead (such as "- "), written once text follows."""

    gap: int = 0
    lead: str | None = None
    turn: str = ""


LEFT_OUT = Edge(1)
AFTER_LINK = Edge()
CUSTOM = Edge(1)  # custom elements (my-card) are mostly blocks


class Edges(dict[str, Edge | None]):
    def __missing__(self, tag: str) -> Edge | None:
        return CUSTOM if "-" in tag else None


INLINE = dict.fromkeys(str.split("abbr b big cite code em font i label mark q s small span strong sub sup time u a"))
BEGINNINGS = Edges(
    dict.fromkeys(DROPPED, LEFT_OUT)
    | INLINE
    | {tag: Edge(gap, LEADS.get(tag)) for tag, gap in GAPS.items() if tag not in DROPPED}
    | {"tr": Edge(1, turn="row"), "pre": Edge(2, turn="verbatim")}
    | dict.fromkeys(("td", "th"), Edge(turn="cell"))
)
ENDS = Edges(
    INLINE
    | {tag: Edge(gap, "" if tag in LEADS else None) for tag, gap in GAPS.items()}
    | {"pre": Edge(2, turn="flowing"), "a": AFTER_LINK}
    | dict.fromkeys(("td", "th"), Edge(lead=""))
)


def main_text(tree: LexborHTMLParser) -> str:
    """Return the clean text of the page's main elements, or of the body if they are missing or empty."""
    roots = _outermost(tree.css("main, [role=main]"))
    text = (
        "\n\n".join(filter(None, (_set(_events(root, framed=False)) for root in roots)))
        or _set(_events(tree.body, framed=True))
        or _set(_events(tree.body, framed=False))
    )
    # _set already folds white space except in <pre>, so the slower cleaning is only needed there.
    return clean_text(text, multiline=True) if tree.css_first("pre") else clean_page(text)


def _outermost(roots: list[LexborNode]) -> list[LexborNode]:
    """Return the roots that are not inside another; they come in document order."""
    chosen: dict[int, LexborNode] = {}
    for root in roots[:20]:
        inside = root.parent
        while inside is not None and inside.mem_id not in chosen:
            inside = inside.parent
        if inside is None:
            chosen[root.mem_id] = root
    return list(chosen.values())


def _events(root: LexborNode | None, *, framed: bool) -> list[str | Edge]:
    """Return texts and edges in document order, without recursion, so that no nesting is too deep."""
    events: list[str | Edge] = []
    above: list[tuple[LexborNode, str]] = []
    articles = 0 if framed else 1
    node = root.first_child if root is not None else None
    while node is not None:
        tag = node.tag or "-"
        if tag[0] == "-":  # text, or a comment
            events.append(node.text_content or "")
            following = node.next
        else:
            edge = BEGINNINGS[tag]
            if edge is LEFT_OUT or (tag in FRAME and not articles) or is_unwanted(node, tag, articles):
                events.append(LEFT_OUT if tag in GAPS else "")
                following = node.next
            else:
                if edge:
                    events.append(edge)
                    articles += tag in OWN_FRAME
                elif tag == "a" and events and events[-1] is AFTER_LINK:
                    events.append(" ")  # adjacent links are separate words
                above.append((node, tag))
                following = node.first_child
        while following is None and above:
            node, tag = above.pop()
            if edge := ENDS[tag]:
                events.append(edge)
                articles -= tag in OWN_FRAME
            following = node.next
        node = following
    return events


def _set(events: list[str | Edge]) -> str:
    """Join the events as text: gaps and leads go only before text, and white space is folded.

    One loop without calls, since it handles every word of every page.
    """
    pieces: list[str] = []
    gap, lead, row = 0, "", 0
    space = verbatim = False
    for event in events:
        if isinstance(event, str):
            core = event.strip()
            if not core:
                space = space or event != ""
                continue
            space = space or event[0] != core[0]
            after = event[-1] != core[-1]
            if ("\n" in core or "  " in core) and not verbatim:
                core = " ".join(core.split())
            if gap or lead:
                core = f"{BREAKS[gap]}{lead}{core}"
                gap, lead = 0, ""
            elif space:
                core = f" {core}"
            pieces.append(core)
            space = after
            continue
        width, begin, turn = event
        if turn == "cell":
            space = True
            gap, lead = (0, " | ") if len(pieces) > row else (gap, lead)
        elif turn:
            row = len(pieces) if turn == "row" else row
            verbatim = turn == "verbatim"
        if begin is not None:
            lead = begin
        elif lead:  # the first block in a list item or cell stays on the line of its lead
            continue
        gap = width if width > gap else gap
    return "".join(pieces).lstrip()
