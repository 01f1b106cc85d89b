"""Cells: what could be a formula is marked, and the mark comes off again."""

from hypothesis import example, given
from hypothesis import strategies as some

from gleanery.resolution.importing.spreadsheets import guarded, unguarded


@given(some.text(alphabet="'=+-@15x. ", max_size=6))
@example("'=")
@example("''=1")
@example("-5")
@example("'-5")
def test_a_guarded_cell_comes_back_as_it_was(cell: str) -> None:
    assert unguarded(guarded(cell)) == cell
    assert not guarded(cell).startswith(("=", "@"))
