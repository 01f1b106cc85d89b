"""Cross-category: a result that sells gambling, essays, pills, loans ... where people look for help.

Naming a trade is honest; selling it is not. So each trade gathers points: what it is about counts little, how it is
sold counts much, and who helps, warns or tells history gets points off.
"""

from __future__ import annotations

from collections.abc import Sequence

from gleanery.discovery.spam.listing import is_mixed_list
from gleanery.discovery.spam.phrases import Found
from gleanery.discovery.spam.reading import Reading
from gleanery.discovery.spam.tables import TRADES, Trade
from gleanery.discovery.spam.verdict import Spam, quoted

ENOUGH = 4
ONLY_HINTED = 1  # point off when nothing is offered in so many words
GOODS, MOST_GOODS = 1, 3
HINT, MOST_HINTS, FEWEST_HINTS = 1, 5, 2
OFFER = 3
MOST_SIGNS = 6
BESIDE = 3  # a verb of buying next to the goods
NEAR = 2  # words between the two at most
MOST_HOST = 3
EXCUSE, MOST_EXCUSES = 2, 3
DOUBTFUL, EXCUSE_OF_DOUBTFUL = 2, 1  # bait speaks of help and charity too, on names that nobody would keep
CLEARED = 5


def cross_category(reading: Reading) -> Spam | None:
    """Whether a trade that has no place here is being sold."""
    return _sold(reading, TRADES)


def own_trade(reading: Reading) -> Spam | None:
    """Whether a site sells what it is named after: then no talk of schools and charity makes it honest."""
    named = [each for each in TRADES if each.name in reading.site.trades and not each.everyday]
    return _sold(reading, named) if named else None


def _sold(reading: Reading, trades: Sequence[Trade]) -> Spam | None:
    if is_mixed_list(reading):
        return None
    best, trade = max(((points(reading, each), each) for each in trades), key=lambda scored: scored[0])
    if best < ENOUGH:
        return None
    signs = [phrase for table in (trade.offers, trade.goods, trade.hints) for phrase in reading.distinct(table)]
    return Spam("cross_category", f"{quoted(signs)} {'sells' if len(signs) == 1 else 'sell'} {trade.sells} here.")


def points(reading: Reading, trade: Trade) -> int:
    """How much speaks for the trade being sold; to name its goods, however many of them, says nothing by itself."""
    found = reading.found
    goods, hints, offers = found.get(trade.goods, []), found.get(trade.hints, []), found.get(trade.offers, [])
    if not (goods or hints or offers):
        return 0
    beside = not trade.everyday and _sold_beside(reading, goods)
    signs = [weight for kind, weight in trade.weights.items() if kind in found] if goods else []
    host = _host_points(reading, trade)
    if not (offers or beside):
        host -= reading.site.trust + ONLY_HINTED
        if not _is_hinted(_count(goods), _count(hints) + len(signs), host + ONLY_HINTED, trade):
            return 0
    return (
        min(_count(goods), 1 if trade.everyday else MOST_GOODS) * GOODS
        + min(_count(hints), MOST_HINTS) * HINT
        + _count(offers) * OFFER
        + min(sum(signs), MOST_SIGNS)
        + beside * BESIDE
        + host
        - _excuses(reading, trade, most=1 if beside else MOST_EXCUSES)
        - _count(found.get(f"{trade.name}.clears", [])) * CLEARED
    )


def _host_points(reading: Reading, trade: Trade) -> int:
    """A name that speaks of the trade, or that only sellers take."""
    named = trade.name in reading.site.trades and not trade.everyday
    return min(named + reading.site.doubt, MOST_HOST)


def _is_hinted(goods: int, hints: int, host: int, trade: Trade) -> bool:
    """Whether there is enough to suspect selling where nothing is offered in so many words."""
    if trade.everyday:
        return goods > 0 and hints >= FEWEST_HINTS + (host < MOST_HOST - 1)
    return hints >= FEWEST_HINTS or (goods > 0 and hints > 0 and host > 0)


def _count(found: list[Found]) -> int:
    return len({each.shown for each in found})


def _sold_beside(reading: Reading, goods: list[Found]) -> bool:
    verbs = reading.found.get("selling.buying", [])
    return any(
        verb.end <= each.start <= verb.end + NEAR or each.end <= verb.start <= each.end + NEAR
        for verb in verbs
        for each in goods
    )


def _excuses(reading: Reading, trade: Trade, *, most: int) -> int:
    signs = {*reading.distinct(f"{trade.name}.excuses"), *reading.distinct("selling.excuses")}
    return min(len(signs), most) * (EXCUSE if reading.site.doubt < DOUBTFUL else EXCUSE_OF_DOUBTFUL)
