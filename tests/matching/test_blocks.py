"""Blocking of rows: a large file compares only rows that share rare keys."""

from __future__ import annotations

import pytest

from gleanery.matching.facts import facts
from gleanery.matching.tables import blocks

WORDS = [f"{a}{b}{c}{d}" for a in "bdfgk" for b in "aeou" for c in "lmnr" for d in ("ida", "ova", "uti")]


def test_a_large_file_ignores_rows_that_share_only_common_keys(monkeypatch: pytest.MonkeyPatch) -> None:
    kept = blocks.Blocks()
    for number, word in enumerate([*WORDS[:40], WORDS[0]]):
        fields = {"name": f"Harbour {word}", "locality": f"Town{number % 5}", "phone": f"+3592806{number // 10:04}"}
        one = facts("place", fields)
        kept.add(one, blocks.fingerprints(one))
    near = kept.neighbours().after(0)
    assert len(near) > 8  # the phone, and the word that all rows have
    monkeypatch.setattr(blocks, "MOST_PAIRS", 10)
    assert kept.neighbours().after(0) == [40]  # the name, which no other row has
