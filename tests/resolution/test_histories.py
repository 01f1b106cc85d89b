"""Whatever happened, in whatever order: each record is what its observations and edits make of it, nothing is lost."""

from __future__ import annotations

from typing import Any

import pytest
from django.db import transaction
from hypothesis import given, settings

from gleanery.accounts import services as accounts
from gleanery.accounts.actor import Actor, system
from gleanery.roles import Role
from tests.resolution import history

FEWEST = 200  # the deep profile asks for more


@pytest.mark.django_db
@settings(max_examples=max(FEWEST, settings().max_examples))
@given(played=history.histories)
def test_after_any_history_each_record_is_what_is_known_of_it(played: tuple[list[Any], list[Any]]) -> None:
    beginning, steps = played
    with transaction.atomic():
        player = history.Player(Actor(accounts.create_user(system(), "curator", Role.ADMIN)))
        player.begin(beginning)
        for step in steps:
            player.play(step)
            history.check_queue()
        history.check(player.told)
        transaction.set_rollback(True)
