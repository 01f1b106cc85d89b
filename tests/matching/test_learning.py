"""Learning of weights: points follow the counts, within bounds."""

from __future__ import annotations

from tools.learning import PRIOR, Bounds, counted, fit

PAIRS = [({"name": "same"}, True)] * 90 + [({"name": "same"}, False)] * 10
PAIRS += [({"name": "other"}, True)] * 5 + [({"name": "other"}, False)] * 95
SAME, OTHER = ("name", "same"), ("name", "other")


def test_levels_of_matching_pairs_gain_points_and_others_lose_them() -> None:
    points = fit(counted(PAIRS), {}, [])
    assert points[PRIOR] + points[SAME] > 2.5
    assert points[PRIOR] + points[OTHER] < -3


def test_points_stay_within_bounds_and_others_compensate() -> None:
    points = fit(counted(PAIRS), {SAME: Bounds(most=1.0)}, [])
    assert points[SAME] == 1.0
    assert points[PRIOR] + points[SAME] > 2.5


def test_a_better_level_never_gets_fewer_points_than_a_worse_one() -> None:
    points = fit(counted(PAIRS), {}, [[OTHER, SAME]])
    assert points[SAME] == points[OTHER]
