"""Handmade PDFs, and the site of a board that publishes its agendas and minutes as PDFs.

As a process: `python -m tests.crawling.pdf_site LOG HOST`.
"""

from __future__ import annotations

import asyncio
import sys
import zlib
from collections.abc import Iterable
from pathlib import Path

from tests.crawling.serving import Asked, Server, ServerProcess, Writer, answer

HOST = "board.example.org"
LEFT, TOP, HEIGHT, WIDTH = 72, 760, 14, 6  # points; a letter of Courier at 10 points is six wide
MINUTES = 60

AGENDA = """Harrow Vale Board of Ethics

Regular Meeting Agenda

Wednesday, March 3, 2027 at 6:00 PM
Room 203, Town Hall

1. Call to order
2. Minutes of the meeting of February 3, 2027"""

HOME = """<html><head><title>Harrow Vale Board of Ethics</title></head><body><main><h1>Harrow Vale Board of Ethics</h1>
<p>The board looks after the rules of conduct. <a href="/about">About the board</a></p>
<ul><li><a href="/agenda-march.pdf">Agenda</a></li>{minutes}</ul></main></body></html>"""


def pdf_of(*pages: str) -> bytes:
    """Return a PDF that places each line as in the text, so that columns and paragraphs stay apart."""
    return pdf_with([_drawn(page).encode("latin-1") for page in pages])


def _drawn(page: str) -> str:
    said = [_line(number, line) for number, line in enumerate(page.splitlines()) if line.strip()]
    return "BT /F1 10 Tf\n" + "\n".join(said) + "\nET"


def _line(number: int, line: str) -> str:
    indent = len(line) - len(line.lstrip())
    return f"1 0 0 1 {LEFT + WIDTH * indent} {TOP - HEIGHT * number} Tm ({_escaped(line.strip())}) Tj"


def _escaped(text: str) -> str:
    return text.replace("\\", r"\\").replace("(", r"\(").replace(")", r"\)")


def pdf_with(streams: Iterable[bytes], *, inflated: bool = False) -> bytes:
    """Return a PDF with these content streams; `inflated` means they are already compressed."""
    drawn = [each if inflated else zlib.compress(each) for each in streams]
    kids = " ".join(f"{4 + 2 * number} 0 R" for number in range(len(drawn)))
    objects = [
        b"<< /Type /Catalog /Pages 2 0 R >>",
        f"<< /Type /Pages /Kids [{kids}] /Count {len(drawn)} >>".encode(),
        b"<< /Type /Font /Subtype /Type1 /BaseFont /Courier /Encoding /WinAnsiEncoding >>",
    ]
    for number, each in enumerate(drawn):
        objects.append(
            f"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Contents {5 + 2 * number} 0 R "
            "/Resources << /Font << /F1 3 0 R >> >> >>".encode()
        )
        objects.append(f"<< /Length {len(each)} /Filter /FlateDecode >>\nstream\n".encode() + each + b"\nendstream")
    body, places = b"%PDF-1.4\n", []
    for number, each in enumerate(objects, 1):
        places.append(len(body))
        body += f"{number} 0 obj\n".encode() + each + b"\nendobj\n"
    table = "".join(f"{place:010} 00000 n \n" for place in places)
    end = f"trailer << /Size {len(objects) + 1} /Root 1 0 R >>\nstartxref\n{len(body)}\n%%EOF"
    return body + f"xref\n0 {len(objects) + 1}\n0000000000 65535 f \n{table}{end}".encode()


class Board(ServerProcess):
    def __init__(self) -> None:
        super().__init__(__name__, [HOST], HOST)


async def serve(asked: Asked, writer: Writer) -> None:
    said = answer(404, b"<h1>There is no such page</h1>")
    if asked.path == "/":
        minutes = "".join(f'<li><a href="/minutes-{number}.pdf">Minutes</a></li>' for number in range(MINUTES))
        said = answer(200, HOME.format(minutes=minutes).encode())
    elif asked.path == "/about":
        said = answer(200, b"<title>About</title><p>Seven citizens are members of the board.")
    elif asked.path == "/agenda-march.pdf":
        said = answer(200, pdf_of(AGENDA), kind="application/pdf")
    elif asked.path.endswith(".pdf"):
        said = answer(200, pdf_of(f"Minutes {asked.path}\n\nThe board met."), kind="application/pdf")
    asked.status = int(said[9:12])
    writer.write(said)


def main(log: str, _host: str) -> None:
    with Path(log).open("a") as file:
        asyncio.run(Server(serve, file).run())


if __name__ == "__main__":
    main(*sys.argv[1:])
