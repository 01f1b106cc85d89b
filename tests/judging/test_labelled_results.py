"""On results labelled by another author the judges are ahead of the earlier system, by more than chance."""

import pytest
from bench import judging_quality as bench

ODD = [row for row in bench.rows() if row.number % 2]


@pytest.mark.parametrize("measure", [bench.f1, bench.auc])
def test_on_the_half_that_was_not_used_for_choosing_the_judges_are_ahead(measure: "bench.Measure") -> None:
    figure = bench.compare(ODD, measure, draws=400)
    assert figure.ours > figure.earlier
    assert figure.ahead[0] > 0


def test_the_figures_do_not_fall_behind_what_was_reported() -> None:
    scored = [(bench.ours(row), row.wanted) for row in ODD]
    assert bench.f1(scored) > 0.78
    assert bench.auc(scored) > 0.83
