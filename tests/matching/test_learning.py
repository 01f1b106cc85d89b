"""Points are learned from what was counted, within bounds."""

from __future__ import annotations

from tools.learning import PRIOR, Bounds, counted, fit

PAIRS = [({"name": "same"}, True)] * 90 + [({"name": "same"}, False)] * 10
PAIRS += [({"name": "other"}, True)] * 5 + [({"name": "other"}, False)] * 95
SAME, OTHER = ("name", "same"), ("name", "other")


def test_what_is_mostly_one_gets_points_and_what_is_mostly_two_loses_them() -> None:
    points = fit(counted(PAIRS), {}, [])
    assert points[PRIOR] + points[SAME] > 2.5
    assert points[PRIOR] + points[OTHER] < -3


def test_points_stay_within_their_bounds_and_the_others_make_up_for_it() -> None:
    points = fit(counted(PAIRS), {SAME: Bounds(most=1.0)}, [])
    assert points[SAME] == 1.0
    assert points[PRIOR] + points[SAME] > 2.5


def test_a_better_level_never_gets_fewer_points_than_a_worse_one() -> None:
    points = fit(counted(PAIRS), {}, [[OTHER, SAME]])
    assert points[SAME] == points[OTHER]
