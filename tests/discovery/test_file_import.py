"""Positions of lines in imported files."""

from gleanery.discovery.file_import import FreePositions
from gleanery.discovery.screening import ScreenedHit


def line(position: int, query: str = "q") -> ScreenedHit:
    return ScreenedHit(query, "https://example.org/", "title", "text", position)


def test_a_line_with_a_taken_position_gets_the_first_free_one() -> None:
    places = FreePositions()
    given = [2_147_483_647, 2_147_483_647, 1, 2_147_483_647, 2]
    assert [places.free(line(each)).position for each in given] == [2_147_483_647, 1, 2, 3, 4]


def test_positions_are_counted_for_each_query() -> None:
    places = FreePositions()
    assert places.free(line(1, "a")).position == places.free(line(1, "b")).position == 1
