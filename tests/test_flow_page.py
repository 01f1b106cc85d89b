"""Code named in docs/flow.md, and its ten steps."""

import re
from functools import reduce
from importlib import import_module
from pathlib import Path

import pytest

PAGE = (Path(__file__).parents[1] / "docs" / "flow.md").read_text(encoding="utf-8")
NAMED = sorted(set(re.findall(r"`(gleanery[\w.]*):([\w.]+)`", PAGE)))


@pytest.mark.parametrize(("module", "name"), NAMED, ids=[":".join(each) for each in NAMED])
def test_whatever_the_page_names_exists(module: str, name: str) -> None:
    reduce(getattr, name.split("."), import_module(module))


def test_every_mention_of_our_code_has_the_checked_form() -> None:
    mentions = re.findall(r"`(gleanery\.[^`]*)`", PAGE)
    assert set(mentions) == {":".join(each) for each in NAMED}


def test_the_road_has_ten_numbered_sentences_each_with_its_code() -> None:
    road = PAGE.partition("\n## ")[0]
    steps = re.split(r"^\d+\. ", road, flags=re.MULTILINE)[1:]
    assert re.findall(r"^(\d+)\. ", road, re.MULTILINE) == [str(number) for number in range(1, 11)]
    assert all(":" in step and "`gleanery." in step for step in steps)
