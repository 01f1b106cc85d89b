"""The cross-category rule: results that sell gambling, essays, pills, loans and the like.

Mentioning a trade is honest, selling it is not. So goods give few points, sales phrases many, and words of help,
warning or history take points off.
"""

from __future__ import annotations

from collections.abc import Sequence

from gleanery.discovery.spam.listing import is_mixed_list
from gleanery.discovery.spam.phrases import Found
from gleanery.discovery.spam.result_text import ResultText
from gleanery.discovery.spam.tables import TRADES, Trade
from gleanery.discovery.spam.verdict import Spam, quoted

ENOUGH = 4
ONLY_HINTED = 1  # point off if nothing is explicitly offered
GOODS, MOST_GOODS = 1, 3
HINT, MOST_HINTS, FEWEST_HINTS = 1, 5, 2
OFFER = 3
MOST_SIGNS = 6
BESIDE = 3  # a verb of buying near the goods
NEAR = 2  # most words between the two
MOST_HOST = 3
EXCUSE, MOST_EXCUSES = 2, 3
DOUBTFUL, EXCUSE_OF_DOUBTFUL = 2, 1  # spam on doubtful names mentions help and charity too
CLEARED = 5


def cross_category(result: ResultText) -> Spam | None:
    """Hit if the result sells an unrelated trade."""
    return _sold(result, TRADES)


def own_trade(result: ResultText) -> Spam | None:
    """Hit if a site sells the trade it is named after, whatever it says about schools and charity."""
    named = [each for each in TRADES if each.name in result.site.trades and not each.everyday]
    return _sold(result, named) if named else None


def _sold(result: ResultText, trades: Sequence[Trade]) -> Spam | None:
    if is_mixed_list(result):
        return None
    best, trade = max(((points(result, each), each) for each in trades), key=lambda scored: scored[0])
    if best < ENOUGH:
        return None
    signs = [phrase for table in (trade.offers, trade.goods, trade.hints) for phrase in result.distinct(table)]
    return Spam("cross_category", f"{quoted(signs)} {'sells' if len(signs) == 1 else 'sell'} {trade.sells} here.")


def points(result: ResultText, trade: Trade) -> int:
    """Return the points for the trade being sold; naming its goods is not enough."""
    found = result.found
    goods, hints, offers = found.get(trade.goods, []), found.get(trade.hints, []), found.get(trade.offers, [])
    if not (goods or hints or offers):
        return 0
    beside = not trade.everyday and _sold_beside(result, goods)
    signs = [weight for kind, weight in trade.weights.items() if kind in found] if goods else []
    host = _host_points(result, trade)
    if not (offers or beside):
        host -= result.site.trust + ONLY_HINTED
        if not _is_hinted(_count(goods), _count(hints) + len(signs), host + ONLY_HINTED, trade):
            return 0
    return (
        min(_count(goods), 1 if trade.everyday else MOST_GOODS) * GOODS
        + min(_count(hints), MOST_HINTS) * HINT
        + _count(offers) * OFFER
        + min(sum(signs), MOST_SIGNS)
        + beside * BESIDE
        + host
        - _excuses(result, trade, most=1 if beside else MOST_EXCUSES)
        - _count(found.get(f"{trade.name}.clears", [])) * CLEARED
    )


def _host_points(result: ResultText, trade: Trade) -> int:
    """Return points for a host name that mentions the trade or is doubtful."""
    named = trade.name in result.site.trades and not trade.everyday
    return min(named + result.site.doubt, MOST_HOST)


def _is_hinted(goods: int, hints: int, host: int, trade: Trade) -> bool:
    """Return True if hints suggest selling although nothing is explicitly offered."""
    if trade.everyday:
        return goods > 0 and hints >= FEWEST_HINTS + (host < MOST_HOST - 1)
    return hints >= FEWEST_HINTS or (goods > 0 and hints > 0 and host > 0)


def _count(found: list[Found]) -> int:
    return len({each.shown for each in found})


def _sold_beside(result: ResultText, goods: list[Found]) -> bool:
    verbs = result.found.get("selling.buying", [])
    return any(
        verb.end <= each.start <= verb.end + NEAR or each.end <= verb.start <= each.end + NEAR
        for verb in verbs
        for each in goods
    )


def _excuses(result: ResultText, trade: Trade, *, most: int) -> int:
    signs = {*result.distinct(f"{trade.name}.excuses"), *result.distinct("selling.excuses")}
    return min(len(signs), most) * (EXCUSE if result.site.doubt < DOUBTFUL else EXCUSE_OF_DOUBTFUL)
