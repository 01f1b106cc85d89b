"""Positions of lines that somebody wrote."""

from gleanery.discovery.from_file import Places
from gleanery.discovery.sifting import Sifted


def line(position: int, query: str = "q") -> Sifted:
    return Sifted(query, "https://example.org/", "title", "text", position)


def test_a_position_that_is_taken_gives_way_to_the_first_free_one() -> None:
    places = Places()
    given = [2_147_483_647, 2_147_483_647, 1, 2_147_483_647, 2]
    assert [places.free(line(each)).position for each in given] == [2_147_483_647, 1, 2, 3, 4]


def test_positions_are_counted_for_each_query() -> None:
    places = Places()
    assert places.free(line(1, "a")).position == places.free(line(1, "b")).position == 1
