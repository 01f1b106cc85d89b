"""State machine as a table of moves, from which checks, buttons, final states and diagrams are derived."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from gleanery.errors import Conflict, Invalid, NotAllowed
from gleanery.roles import DECIDER, Role, Who, may_act


@dataclass(frozen=True, slots=True)
class Move:
    """One row of the table: state before, action, state after, and who may do it."""

    before: str
    action: str
    after: str
    who: Who
    needs_reason: bool = False

    def open_to(self, who: Who | None) -> bool:
        """Return True if `who` may make the move; None is an unknown caller."""
        return may_act(who, self.who)


class Machine:
    """State machine of one kind of thing, stored in one column; new rows have the state `first`."""

    def __init__(self, name: str, first: str, *moves: Move, column: str = "status") -> None:
        self.name = name
        self.first = first
        self.column = column
        self.moves = moves
        self._by_cell = {(move.before, move.action): move for move in moves}
        if len(self._by_cell) != len(moves):
            raise ValueError(f"{name}: two moves share a state and an action")

    @property
    def states(self) -> tuple[str, ...]:
        """Return all states in the order of the table."""
        return tuple(
            dict.fromkeys([self.first, *(state for move in self.moves for state in (move.before, move.after))])
        )

    @property
    def actions(self) -> tuple[str, ...]:
        return tuple(dict.fromkeys(move.action for move in self.moves))

    def step(self, before: str, action: str) -> Move:
        """Return the move for this state and action."""
        return self._by_cell[before, action]

    def final(self, state: str) -> bool:
        return not any(move.before == state for move in self.moves)

    def allowed(self, state: str, who: Who | None) -> tuple[str, ...]:
        """Return the actions to offer, in the order of the table."""
        return tuple(move.action for move in self.moves if move.before == state and move.open_to(who))

    def move(self, state: str, action: str, who: Who | None, reason: str = "") -> Move:
        """Return the move for this state and action, or raise an error that says why it is not possible."""
        move = self._by_cell.get((state, action))
        if move is None:
            raise Conflict(f"This {self.name} is {state}, so it is not possible to {action} it. Nothing was changed.")
        if not move.open_to(who):
            role = Role.REVIEWER if move.who == DECIDER else move.who
            raise NotAllowed(f"You need the role {role} to {action} a {self.name}.")
        if move.needs_reason and not reason.strip():
            raise Invalid(f"To {action} a {self.name} needs a reason. Say why in a few words.")
        return move

    def drawing(self) -> Iterator[str]:
        """Yield the lines of a Mermaid state diagram."""
        yield "stateDiagram-v2"
        yield f"    [*] --> {self.first}"
        for move in self.moves:
            yield f"    {move.before} --> {move.after}: {move.action}"
        for state in self.states:
            if self.final(state):
                yield f"    {state} --> [*]"
