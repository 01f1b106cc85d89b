"""The child process that parses pages for Parser."""

from __future__ import annotations

from operator import attrgetter
from typing import Any

from gleanery.crawling.pages.page_reader import Document, ParsedPage, read
from gleanery.crawling.processes.child_process import packed, serve
from gleanery.domains.names import DomainName, domain_of

FIELDS = tuple(ParsedPage.__dataclass_fields__)

_values = attrgetter(*FIELDS)


def request(document: Document, *, flat: bool) -> bytes:
    name = document.domain
    return packed(
        (document.body, document.url, document.media_type, document.charset, name.name, name.registrable, flat)
    )


def work(given: tuple[Any, ...]) -> tuple[Any, ...]:
    body, url, media_type, charset, name, registrable, flat = given
    domain = DomainName(name, registrable)
    document = Document(body=body, url=url, media_type=media_type, charset=charset, domain=domain)
    values: tuple[Any, ...] = _values(read(document, flat=flat))
    return values


if __name__ == "__main__":
    domain_of("example.org")  # loads the list of public suffixes
    serve(work)
