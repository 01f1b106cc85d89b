"""Pages of test sites, equal for the same site, number and version."""

from __future__ import annotations

import json
import random
from dataclasses import dataclass
from functools import lru_cache

SIZE = 20_000
LINKS = 60
VOCABULARY = (
    "school fund grant deadline programme culture community volunteer region project youth library concert music "
    "museum workshop training support application partner village teacher reading garden health sport festival "
    "фондация училище конкурс проект срок община програма култура младежи читалище събитие доброволци"
)
WORDS = VOCABULARY.split()


@dataclass(frozen=True)
class Plan:
    """The structure of a site. Page 0 is the homepage; page n links to its `fan_out` children, as in a heap."""

    pages: int = 50
    fan_out: int = 8
    latency: float = 0.0
    crawl_delay: float | None = None
    validators: bool = False
    sitemap: bool = False
    # Pages that only the sitemap tells of, after the others.
    orphans: int = 0
    # Every so-many-th page is another one in the next version; all others stay as they were.
    changes_every: int = 1
    clock: bool = True
    # Every page links to all others instead, round and round.
    mesh: bool = False

    def version_of(self, number: int, version: int) -> int:
        return version if number % self.changes_every == 0 else 1

    def links(self, number: int) -> list[str]:
        """Return links to children first, then back to this and earlier pages, so that no path gets shorter."""
        if self.mesh:
            return [path((number + step) % self.pages) for step in range(1, LINKS + 1)]
        first = number * self.fan_out + 1
        children = range(first, min(first + self.fan_out, self.pages))
        back = [(number * 7 + step * 13) % (number + 1) for step in range(LINKS - len(children))]
        return [path(child) for child in children] + [f"{path(n)}#part-{step}" for step, n in enumerate(back)]


def path(number: int) -> str:
    return f"/page/{number}" if number else "/"


def number_of(asked: str) -> int | None:
    """Return the number of the page with this path, if any."""
    if asked == "/":
        return 0
    tail = asked.removeprefix("/page/")
    return int(tail) if tail != asked and tail.isascii() and tail.isdigit() and tail[0] != "0" else None


@lru_cache(maxsize=5000)
def page(host: str, number: int, plan: Plan, version: int = 1) -> str:
    """Return a page of about 20 kB with 60 links and an event in JSON-LD; each request fills in `{clock}`."""
    chance = random.Random(f"{host} {number} {version}")
    title = f"Event {number} of {host}, version {version}"
    links = "".join(f'<li><a href="{link}">Part {i} of {host}</a></li>\n' for i, link in enumerate(plan.links(number)))
    private = '<a href="/private/1">Members</a>' if number == 0 else ""
    head = (
        f'<!doctype html>\n<html lang="en"><head><meta charset="utf-8"><title>{title}</title>\n'
        f'<meta name="description" content="What happens at {host}">\n'
        f'<script type="application/ld+json">{json.dumps(event(host, number, version))}</script></head>\n'
        f"<body><nav>{private}<ul>\n{links}</ul></nav>\n<main><h1>{title}</h1>\n"
    )
    foot = "</main>\n<footer>Now it is {clock} here.</footer></body></html>\n"
    return head + prose(chance, SIZE - len((head + foot).encode())) + foot


def prose(chance: random.Random, size: int) -> str:
    paragraphs: list[str] = []
    while size > 0:
        paragraphs.append("<p>" + " ".join(chance.choices(WORDS, k=60)).capitalize() + ".</p>\n")
        size -= len(paragraphs[-1].encode())
    return "".join(paragraphs)


def event(host: str, number: int, version: int) -> dict[str, object]:
    return {
        "@context": "https://schema.org",
        "@type": "Event",
        "@id": f"http://{host}{path(number)}#event",
        "name": f"Concert {number} for the school library",
        "startDate": f"2027-{number % 12 + 1:02}-{number % 28 + 1:02}T19:00:00+02:00",
        "eventStatus": f"https://schema.org/Event{'Scheduled' if version % 2 else 'Cancelled'}",
        "location": {"@type": "Place", "name": f"Hall {number}", "address": {"addressLocality": "Sofia"}},
        "organizer": {"@type": "Organization", "name": f"Friends of {host}", "url": f"http://{host}/"},
    }


def robots(host: str, plan: Plan) -> str:
    lines = ["User-agent: *", "Disallow: /private/"]
    if plan.crawl_delay is not None:
        lines.append(f"Crawl-delay: {plan.crawl_delay:g}")
    if plan.sitemap:
        lines.append(f"Sitemap: http://{host}/sitemap.xml")
    return "\n".join(lines) + "\n"


def sitemap(host: str, plan: Plan) -> str:
    rows = "".join(f"<url><loc>http://{host}{path(n)}</loc></url>\n" for n in range(plan.pages + plan.orphans))
    return (
        '<?xml version="1.0" encoding="UTF-8"?>\n'
        f'<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">\n{rows}</urlset>\n'
    )
