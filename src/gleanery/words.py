"""What people read in place of codes. Codes stay what programs, addresses and tables know. Pure."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

# Only those of which a code without its underscores would say too little, or be spelt wrongly.
WORDS = {
    # why something waits
    "potential_duplicate": "may be a duplicate",
    "place_possible_duplicate": "may be a duplicate of a place",
    "org_possible_duplicate": "may be a duplicate of an organization",
    "conflicting_matches": "is like two that are different",
    "missing_start": "no start",
    "missing_description": "no description",
    "missing_venue": "no venue",
    "reversed_dates": "ends before it begins",
    "zero_length": "ends as it begins",
    "too_far_in_future": "more than two years away",
    "negative_amount": "amount below zero",
    "reversed_amounts": "smallest amount above the largest",
    "low_confidence": "read by a language model only",
    "probation": "from a source on probation",
    "sibling_rejected": "another domain of its owner was rejected",
    "sibling_approved": "another domain of its owner is approved",
    "deep_crawl": "to be crawled very deep",
    "lookalike": "name may imitate another",
    "undone": "decision was taken back",
    # how things stand
    "pending_review": "waiting for review",
    "pending_crawl": "waiting for a crawl",
    "skipped_low_confidence": "skipped for low confidence",
    "processed_high_quality": "processed: high quality",
    "processed_low_quality": "processed: low quality",
    "partial_success": "succeeded in part",
    "before_retry": "rests after a failure",
    "todo": "to do",
    # who and what
    "public_user": "a visitor",
    "json-ld": "JSON-LD",
    "open-graph": "Open Graph",
    "rdfa": "RDFa",
    "icalendar": "iCalendar",
    "brave_search": "Brave Search",
    "searxng": "SearXNG",
    "serper": "Serper",
    "tavily": "Tavily",
    "perplexity": "Perplexity",
}


def of(code: str) -> str:
    """Of a task, which is called by where it lives, only its own name."""
    return WORDS.get(code) or code.rpartition(".")[2].replace("_", " ")


def told(codes: Iterable[str]) -> list[tuple[str, str]]:
    """Each code with its words, as forms and filters want them."""
    return [(code, of(code)) for code in codes]


def by_words(colours: Mapping[str, str]) -> dict[str, str]:
    """The colours of codes, for labels that show words."""
    return {of(code): colour for code, colour in colours.items()}
