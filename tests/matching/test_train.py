"""Weights from verdicts: at least 300, shown before and after, and never put into use by themselves."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from gleanery.accounts.actor import system
from gleanery.errors import BadSetting, Invalid
from gleanery.interfaces.cli import match
from gleanery.resolution import services
from gleanery.resolution.matches.training import FEWEST
from gleanery.resolution.matches.weights import read, weights
from gleanery.resolution.models import Record, Verdict
from gleanery.resolution.train import judged_pairs, train
from tests.interfaces.conftest import Run, run
from tests.resolution.shop import record_of, tell

__all__ = ["run"]


def judge(many: int) -> None:
    """In this world the postal code tells all, and a phone nothing: whole towns share one."""
    chance = random.Random(9)
    rows, verdicts = [], []
    for number in range(many):
        same = chance.random() < 0.5
        told = same if chance.random() < 0.95 else not same
        phones = ["+359888123456", "+359888123456" if chance.random() < 0.5 else "+359888999999"]
        codes = ["1000", "1000" if told else "9300"]
        pair = [
            Record(
                kind="place",
                status="in_review",
                name=f"House {number}",
                fields={"name": "House of Books", "locality": "Sofia", "phone": phone, "postal_code": code},
            )
            for phone, code in zip(phones, codes, strict=True)
        ]
        rows += pair
        low, high = sorted(pair, key=lambda each: each.pk)
        verdicts.append(Verdict(low=low, high=high, verdict="same" if same else "different", by=system().user))
    Record.objects.bulk_create(rows)
    Verdict.objects.bulk_create(verdicts)


def test_with_too_few_verdicts_it_says_how_many_are_missing(db: None) -> None:
    judge(20)
    with pytest.raises(Invalid, match=f"{FEWEST - 20} are missing"):
        train("place")
    with pytest.raises(Invalid, match="no kind"):
        train("dragon")


def test_one_answer_alone_teaches_nothing(db: None) -> None:
    judge(FEWEST)
    Verdict.objects.update(verdict="same")
    with pytest.raises(Invalid, match="judged different only 0 pairs"):
        train("place")


def test_what_people_said_is_what_the_weights_say_then(
    db: None, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    judge(400)
    before = weights("place")
    trained = train("place")
    moved = {(each.field, each.level): each for each in trained.changes}
    gap = {
        when: getattr(moved["postal_code", "same"], when) - getattr(moved["postal_code", "other"], when)
        for when in ("before", "after")
    }
    assert gap["after"] > gap["before"] + 1
    phones = {
        when: getattr(moved["phone", "same"], when) - getattr(moved["phone", "other"], when)
        for when in ("before", "after")
    }
    assert abs(phones["after"]) < abs(phones["before"]) / 2
    assert moved["official_id", "same"].before == moved["official_id", "same"].after
    assert moved["official_id", "same"].pairs == 0
    assert trained.after.log_loss < trained.before.log_loss
    assert trained.after.f1 > 0.9
    assert trained.same + trained.different == 400
    assert weights("place") == before, "nothing is switched"
    again = read("place", trained.text)
    assert again.points == pytest.approx(trained.weights.points)
    assert again.version != before.version
    match._print({**trained.as_dict(), "written": "new.toml", "used_from": str(tmp_path)})
    shown = capsys.readouterr().out
    assert "Nothing uses them yet" in shown
    assert "log loss" in shown


def test_only_what_is_said_now_counts_and_merged_pairs_are_what_they_were(db: None) -> None:
    one = record_of(tell("a", "place", "1", name="Rex", locality="Sofia", phone="+359888123456"))
    other = record_of(tell("b", "place", "2", name="Rex Bar", locality="Plovdiv", phone="+359888999999"))
    services.give_verdict(system(), one, other, "different")
    services.merge(system(), one, other)
    (pair,) = judged_pairs("place")
    assert pair.same
    assert (pair.levels["phone"], pair.levels["town"]) == ("other", "away")
    services.unmerge(system(), one)
    (pair,) = judged_pairs("place")
    assert not pair.same
    services.give_verdict(system(), one, other, "unsure")
    assert list(judged_pairs("place")) == []


def test_a_file_in_the_data_directory_goes_first_and_a_broken_one_is_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("GLEANERY_DATA_DIR", str(tmp_path / "none"))
    used = weights.__wrapped__
    ours = used("place")
    assert ours.prior != -5
    path = tmp_path / "none" / "weights" / "place.toml"
    path.parent.mkdir(parents=True)
    path.write_text("prior = 5\n")
    with pytest.raises(BadSetting, match=r"place\.toml is no file of weights"):
        used("place")
    path.write_text('prior = { points = -5.0, because = "x" }\n[points.name]\nsame = { points = 4, because = "y" }\n')
    assert used("place").prior == -5
    assert used("place").points == {**ours.points, ("name", "same"): 4}, "a level that it does not have is as ours"
    assert used("place").version != ours.version


def test_the_command_says_what_is_missing_and_never_writes_where_it_would_be_used(run: Run, tmp_path: Path) -> None:
    short = run("match", "train", "--kind", "place", "--write", str(tmp_path / "new.toml"))
    assert short.returncode == 1
    assert "300 are missing" in short.stderr
    assert not (tmp_path / "new.toml").exists()
    used = tmp_path / "data" / "weights" / "place.toml"
    refused = run("match", "train", "--kind", "place", "--write", str(used), GLEANERY_DATA_DIR=str(tmp_path / "data"))
    assert refused.returncode == 1
    assert "would be used at once" in refused.stderr
