"""State machines derived from their tables."""

import pytest

from gleanery.errors import Conflict, Invalid, NotAllowed
from gleanery.roles import Role
from gleanery.states import Machine, Move

DOOR = Machine(
    "door",
    "open",
    Move("open", "close", "closed", Role.VIEWER),
    Move("closed", "open", "open", Role.VIEWER),
    Move("closed", "lock", "locked", Role.REVIEWER, needs_reason=True),
    Move("closed", "brick_up", "wall", Role.ADMIN),
)


def test_states_are_listed_in_the_order_of_the_table() -> None:
    assert DOOR.states == ("open", "closed", "locked", "wall")


@pytest.mark.parametrize("state", DOOR.states)
@pytest.mark.parametrize("action", DOOR.actions)
@pytest.mark.parametrize("role", [None, *Role])
def test_every_move_agrees_with_the_offered_actions(state: str, action: str, role: Role | None) -> None:
    offered = action in DOOR.allowed(state, role)
    try:
        DOOR.move(state, action, role, reason="because")
    except (Conflict, NotAllowed):
        assert not offered
    else:
        assert offered


def test_a_move_that_is_not_in_the_table_is_a_conflict() -> None:
    with pytest.raises(Conflict, match="is open"):
        DOOR.move("open", "lock", Role.ADMIN, "night")


def test_unknown_callers_may_not_make_a_move() -> None:
    with pytest.raises(NotAllowed, match="viewer"):
        DOOR.move("open", "close", None)


def test_a_refusal_names_the_required_role() -> None:
    with pytest.raises(NotAllowed, match="reviewer"):
        DOOR.move("closed", "lock", Role.VIEWER, "night")


@pytest.mark.parametrize("reason", ["", "  "])
def test_a_move_that_needs_a_reason_is_refused_without_one(reason: str) -> None:
    with pytest.raises(Invalid, match="reason"):
        DOOR.move("closed", "lock", Role.REVIEWER, reason)


def test_a_state_without_moves_is_final() -> None:
    assert [state for state in DOOR.states if DOOR.final(state)] == ["locked", "wall"]


def test_duplicate_moves_are_refused() -> None:
    with pytest.raises(ValueError, match="share"):
        Machine("x", "a", Move("a", "go", "b", Role.VIEWER), Move("a", "go", "c", Role.VIEWER))


def test_the_diagram_has_every_move_and_final_state() -> None:
    drawing = list(DOOR.drawing())
    assert drawing[:3] == ["stateDiagram-v2", "    [*] --> open", "    open --> closed: close"]
    assert drawing[-2:] == ["    locked --> [*]", "    wall --> [*]"]
