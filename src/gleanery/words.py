"""Words shown to people in place of codes; codes stay in programs, addresses and tables. Pure."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

# Only codes that would be unclear or misspelled without their underscores.
WORDS = {
    # reasons to review
    "potential_duplicate": "may be a duplicate",
    "place_possible_duplicate": "may be a duplicate of a place",
    "org_possible_duplicate": "may be a duplicate of an organisation",
    "conflicting_matches": "resembles two different records",
    "missing_start": "no start",
    "missing_description": "no description",
    "missing_venue": "no venue",
    "reversed_dates": "end before start",
    "zero_length": "begins and ends at the same time",
    "too_far_in_future": "more than two years away",
    "negative_amount": "negative amount",
    "reversed_amounts": "minimum amount above the maximum",
    "low_confidence": "found only by a language model",
    "probation": "from a source on probation",
    "sibling_rejected": "another domain of the same owner was rejected",
    "sibling_approved": "another domain of the same owner is approved",
    "deep_crawl": "very deep crawl",
    "lookalike": "name may imitate another domain",
    "undone": "decision was undone",
    "reported": "a visitor reported a problem",
    # states
    "pending_review": "waiting for review",
    "pending_crawl": "waiting for a crawl",
    "skipped_low_confidence": "skipped: low confidence",
    "processed_high_quality": "processed: high quality",
    "processed_low_quality": "processed: low quality",
    "partial_success": "partly successful",
    "before_retry": "waiting to retry after a failure",
    "todo": "to do",
    # people, formats and providers
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
    """Return the words for a code; for a task path, its last part."""
    return WORDS.get(code) or code.rpartition(".")[2].replace("_", " ")


def labelled(codes: Iterable[str]) -> list[tuple[str, str]]:
    """Return each code with its words, as choices for forms and filters."""
    return [(code, of(code)) for code in codes]


def by_words(colours: Mapping[str, str]) -> dict[str, str]:
    """Return colours keyed by words instead of codes, for labels."""
    return {of(code): colour for code, colour in colours.items()}
