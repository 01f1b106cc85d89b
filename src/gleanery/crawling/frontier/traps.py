"""Crawler traps: endless calendars, combinations of parameters, paths that repeat themselves."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable
from datetime import date
from functools import cached_property

from gleanery.crawling.frontier.endless_calendars import Dated, dated

MOST_PARTS = 12
MOST_PARAMETERS = 6
MOST_REPEATS = 2
MOST_VARIANTS = 30  # combinations of parameters on one path
MOST_PAGES = 100  # of one list
MOST_NUMBERED = 500  # items one script shows by number, as on many old sites
MOST_DATES = 60  # of one calendar

# These change how a page is shown, or trigger an action; the same content is reachable without them.
UNWANTED = frozenset(
    str.split(
        "sort sortby sort_by sortorder sort_order orderby order_by order sortdir ordering filter filters print "
        "printable printview share reply replyto replytocom like_comment login logout signin redirect "
        "redirect_to redirecturl return return_to returnto returnurl return_url backurl back_url destination "
        "add-to-cart add_to_cart addtocart cart basket wishlist add_to_wishlist compare quickview"
    )
)
# The same for values: action=login, view=print.
UNWANTED_VALUES = frozenset(
    str.split("login logout signin register print printable printview reply share cart addtocart add_to_cart edit")
)
LISTS = frozenset(str.split("page paged pg pagenum page_no pageno page_number seite pagina strana str стр страница"))
OFFSETS = frozenset(str.split("start offset from limitstart skip first begin"))

_NUMBERED = re.compile(r"(?:.*[-_\[])?(?:[a-z]{0,2}id|p|no|nr|num|n|article|news|event|item|post|doc)\]?|.*id")
_NUMBER = re.compile(r"\d{1,12}")
_FILTER = re.compile(r"(?:filter|sort|order|f)\[.*|filter_.*|sort_.*")
_SESSION = re.compile(
    r"/\([a-z]\([a-z0-9]{16,}\)\)|[/;](?:php|j|asp)?sess(?:ion)?_?(?:id)?=|[/;]sid[=-][0-9a-f]{8}", re.IGNORECASE
)
_SESSION_NAMES = frozenset(str.split("s sid sess sessid session sessionid session_id oscsid zenid"))
_SESSION_VALUE = re.compile(r"(?=.*[0-9])[0-9a-z]{20,}")


class Address:
    """The parts of a canonical URL."""

    def __init__(self, url: str) -> None:
        rest, _, self.query = url.partition("?")
        self.path = "/" + rest.partition("://")[2].partition("/")[2]

    @cached_property
    def parts(self) -> list[str]:
        return [part for part in self.path.lower().split("/") if part]

    @cached_property
    def parameters(self) -> list[tuple[str, str]]:
        query = self.query.lower().replace("%5b", "[").replace("%5d", "]")
        pairs = (pair.partition("=") for pair in query.split("&") if pair)
        return [(name, value) for name, _, value in pairs]


def too_many_parts(address: Address) -> str | None:
    return f"Its path has more than {MOST_PARTS} parts." if len(address.parts) > MOST_PARTS else None


def repeated_parts(address: Address) -> str | None:
    if len(address.parts) <= MOST_REPEATS:
        return None
    part, times = Counter(address.parts).most_common(1)[0]
    return f"Its path contains “{part[:40]}” {times} times." if times > MOST_REPEATS else None


def session_in_path(address: Address) -> str | None:
    return "Its path contains a session number." if _SESSION.search(address.path) else None


def too_many_parameters(address: Address) -> str | None:
    more = len(address.parameters) > MOST_PARAMETERS
    return f"It has more than {MOST_PARAMETERS} parameters." if more else None


def unwanted_parameter(address: Address) -> str | None:
    for name, value in address.parameters:
        if name in UNWANTED or value in UNWANTED_VALUES or _FILTER.fullmatch(name):
            return f"Its parameter “{name[:40]}” sorts, filters, prints, shares, answers or logs in."
        if name in _SESSION_NAMES and _SESSION_VALUE.fullmatch(value):
            return f"Its parameter “{name[:40]}” contains a session number."
    return None


Rule = Callable[[Address], str | None]
RULES: tuple[Rule, ...] = (
    too_many_parts,
    repeated_parts,
    session_in_path,
    too_many_parameters,
    unwanted_parameter,
)


class Traps:
    """Trap detection for one crawl: remembers the accepted addresses to bound their variants."""

    def __init__(self, today: date) -> None:
        self._today = today
        self._dates: Counter[str] = Counter()
        self._variants: dict[str, set[str]] = {}
        self._numbers: dict[str, set[str]] = {}

    def objection(self, url: str) -> str | None:
        """Return a sentence on why this address is not visited; None if it is."""
        address = Address(url)
        for rule in RULES:
            if reason := rule(address):
                return reason
        found = dated(address.parts, address.parameters)
        if found is not None and not (found.titled and found.is_near(self._today)):
            return self._of_calendar(found)
        return self._of_query(address) if address.query else None

    def _of_calendar(self, found: Dated) -> str | None:
        if not found.is_near(self._today):
            return f"It is a calendar page for {found.when}, which is too far in the past or future."
        if self._dates[found.shape] >= MOST_DATES:
            return f"More than {MOST_DATES} days or months of this calendar are already known."
        self._dates[found.shape] += 1
        return None

    def _of_query(self, address: Address) -> str | None:
        numbered = [(name, value) for name, value in address.parameters if _is_numbered(name, value)]
        others = "&".join(f"{name}={value}" for name, value in address.parameters if (name, value) not in numbered)
        variants = self._variants.setdefault(address.path, set())
        if others not in variants and len(variants) >= MOST_VARIANTS:
            return f"More than {MOST_VARIANTS} combinations of parameters are already known for its path."
        if reason := self._of_numbers(address.path, others, numbered):
            return reason
        variants.add(others)
        return None

    def _of_numbers(self, path: str, others: str, numbered: list[tuple[str, str]]) -> str | None:
        """Check the bounds for pages of a list and for items shown by number."""
        if not numbered:
            return None
        names = {name for name, _ in numbered}
        is_list = not names.isdisjoint(LISTS | OFFSETS)
        if any(name in LISTS and int(value) > MOST_PAGES for name, value in numbered):
            return f"It is beyond page {MOST_PAGES} of a list."
        most = MOST_PAGES if is_list else MOST_NUMBERED
        known = self._numbers.setdefault(f"{path}?{others}&{' '.join(sorted(names))}", set())
        shown = "&".join(f"{name}={value}" for name, value in numbered)
        if shown not in known and len(known) >= most:
            return f"More than {most} pages that differ only in a number are already known."
        known.add(shown)
        return None


def _is_numbered(name: str, value: str) -> bool:
    if _NUMBER.fullmatch(value) is None:
        return False
    return name in LISTS or name in OFFSETS or _NUMBERED.fullmatch(name) is not None
