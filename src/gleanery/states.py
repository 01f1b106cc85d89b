"""Machine: a table of moves that answers "may I", "which buttons", "what is final" and "draw it"."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from gleanery.errors import Conflict, Invalid, NotAllowed
from gleanery.roles import DECIDER, Role, Who, may_act


@dataclass(frozen=True, slots=True)
class Move:
    """One row of the table: who may do what, from which state, and where it leads."""

    before: str
    action: str
    after: str
    who: Who
    needs_reason: bool = False

    def open_to(self, who: Who | None) -> bool:
        """Whether this one may make the move; None is nobody in particular."""
        return may_act(who, self.who)


class Machine:
    """The life of one kind of thing, kept in one column of its table; it begins in the state `first`."""

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
        """Every state, in the order in which the table first names it."""
        return tuple(
            dict.fromkeys([self.first, *(state for move in self.moves for state in (move.before, move.after))])
        )

    @property
    def actions(self) -> tuple[str, ...]:
        return tuple(dict.fromkeys(move.action for move in self.moves))

    def step(self, before: str, action: str) -> Move:
        """One row of the table, for code that means exactly this one."""
        return self._by_cell[before, action]

    def final(self, state: str) -> bool:
        return not any(move.before == state for move in self.moves)

    def allowed(self, state: str, who: Who | None) -> tuple[str, ...]:
        """The actions to offer to this one, in the order of the table."""
        return tuple(move.action for move in self.moves if move.before == state and move.open_to(who))

    def move(self, state: str, action: str, who: Who | None, reason: str = "") -> Move:
        """The move that this action makes from this state, or the error that says why there is none."""
        move = self._by_cell.get((state, action))
        if move is None:
            raise Conflict(f"This {self.name} is {state}, so it is not possible to {action} it; nothing was changed.")
        if not move.open_to(who):
            role = Role.REVIEWER if move.who == DECIDER else move.who
            raise NotAllowed(f"To {action} a {self.name} takes the role {role}.")
        if move.needs_reason and not reason.strip():
            raise Invalid(f"To {action} a {self.name} needs a reason: say why in a few words.")
        return move

    def drawing(self) -> Iterator[str]:
        """The lines of a Mermaid state diagram."""
        yield "stateDiagram-v2"
        yield f"    [*] --> {self.first}"
        for move in self.moves:
            yield f"    {move.before} --> {move.after}: {move.action}"
        for state in self.states:
            if self.final(state):
                yield f"    {state} --> [*]"
