"""Cross-category: a result that sells gambling, essays, pills, loans ... where people look for help.

Naming a trade is honest; selling it is not. So each trade gathers points: what it is about counts little, how it is
sold counts much, and who helps, warns or tells history gets points off.
"""

from __future__ import annotations

from gleanery.discovery.spam.phrases import Found
from gleanery.discovery.spam.reading import Reading
from gleanery.discovery.spam.tables import TRADES, Trade
from gleanery.discovery.spam.verdict import Spam, quoted

ENOUGH = 5
GOODS, MOST_GOODS = 1, 3
HINT, MOST_HINTS = 1, 5
OFFER = 3
SALE, MOST_SALES = 1, 2
BESIDE = 2  # a verb of buying next to the goods
NEAR = 2  # words between the two at most
HOST = 1
EXCUSE, MOST_EXCUSES = 2, 3


def cross_category(reading: Reading) -> Spam | None:
    """Whether a trade that has no place here is being sold."""
    trade = max(TRADES, key=lambda each: points(reading, each))
    if points(reading, trade) < ENOUGH:
        return None
    signs = [*reading.distinct(f"{trade.name}.offers"), *reading.distinct(f"{trade.name}.goods")]
    signs += reading.distinct(f"{trade.name}.hints")
    return Spam("cross_category", f"{quoted(signs)} {'sells' if len(signs) == 1 else 'sell'} {trade.sells} here.")


def points(reading: Reading, trade: Trade) -> int:
    """How much speaks for the trade being sold; nothing does when neither its goods nor its offers are named."""
    goods, hints, offers = (reading.found.get(f"{trade.name}.{kind}", []) for kind in ("goods", "hints", "offers"))
    if not offers and not (goods and (hints or _sales(reading))):
        return 0
    return (
        min(_count(goods), MOST_GOODS) * GOODS
        + min(_count(hints), MOST_HINTS) * HINT
        + _count(offers) * OFFER
        + _sales(reading) * SALE
        + (BESIDE if _sold_beside(reading, goods) else 0)
        + (HOST if reading.ending in trade.endings else 0)
        - _excuses(reading, trade) * EXCUSE
    )


def _count(found: list[Found]) -> int:
    return len({each.shown for each in found})


def _sales(reading: Reading) -> int:
    signs = (*reading.distinct("selling.calls"), *reading.distinct("selling.promises"))
    return min(len(signs), MOST_SALES)


def _sold_beside(reading: Reading, goods: list[Found]) -> bool:
    verbs = reading.found.get("selling.buying", [])
    return any(
        verb.end <= each.start <= verb.end + NEAR or each.end <= verb.start <= each.end + NEAR
        for verb in verbs
        for each in goods
    )


def _excuses(reading: Reading, trade: Trade) -> int:
    signs = {*reading.distinct(f"{trade.name}.excuses"), *reading.distinct("selling.excuses")}
    return min(len(signs), MOST_EXCUSES)
