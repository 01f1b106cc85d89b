"""Quality of the judges on results labelled by another author, compared with the earlier system."""

import pytest
from bench import judging_quality as bench

ODD = [row for row in bench.rows() if row.number % 2]


@pytest.mark.parametrize("measure", [bench.f1, bench.auc])
def test_the_judges_are_better_on_the_held_out_half(measure: "bench.Measure") -> None:
    figure = bench.compare(ODD, measure, draws=400)
    assert figure.ours > figure.earlier
    assert figure.ahead[0] > 0


def test_the_figures_are_at_least_those_reported() -> None:
    scored = [(bench.ours(row), row.wanted) for row in ODD]
    assert bench.f1(scored) > 0.78
    assert bench.auc(scored) > 0.83
