"""After any history, in any order, each record follows from its observations and edits, and nothing is lost."""

from __future__ import annotations

from typing import Any

import pytest
from django.db import transaction
from hypothesis import given, settings

from tests.resolution import history

FEWEST = 200  # the deep profile asks for more, and takes its time
IS_DEEP = settings().max_examples > FEWEST


@pytest.mark.long
@pytest.mark.django_db
@pytest.mark.timeout(1_800 if IS_DEEP else 240)
@settings(max_examples=max(FEWEST, settings().max_examples))
@given(played=history.histories)
def test_after_any_history_each_record_is_what_is_known_of_it(played: tuple[list[Any], list[Any]]) -> None:
    beginning, steps = played
    player = history.Player(history.curator())
    with transaction.atomic():
        player.begin(beginning)
        for step in steps:
            player.play(step)
            history.check_queue()
        history.check(player.told)
        transaction.set_rollback(True)
