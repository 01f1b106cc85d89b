"""The same rows given to Splink on DuckDB, as its documentation does it: levels by Jaro-Winkler, trained on the rows.

It gets our normal forms, since it has none of its own; what is compared is blocked by equal phones, postal codes,
streets with numbers, sites, or beginnings of names.
"""

from __future__ import annotations

import csv
import logging
import tempfile
from pathlib import Path
from typing import Any

import splink.comparison_library as compared
from matching_sets import Row
from splink import Linker, SettingsCreator, block_on
from splink.backends.duckdb import DuckDBAPI

LEAST = 0.6
COLUMNS = ("name", "street", "house", "locality", "postal_code", "phone", "site")
Numbers = tuple[int, int]


def splink_pairs(rows: list[Row]) -> set[Numbers]:
    """Pairs at probability 0.60 and above."""
    logging.getLogger("splink").setLevel(logging.ERROR)
    used = [name for name in COLUMNS if sum(bool(getattr(row.traits, name)) for row in rows) > len(rows) / 20]
    with tempfile.TemporaryDirectory() as scratch:
        api = DuckDBAPI()
        table = api.register(api.duckdb_con.read_csv(str(_written(rows, used, Path(scratch))), all_varchar=True))
        linker = Linker(table, _settings(used), log_level=logging.ERROR)
        linker.training.estimate_probability_two_random_records_match([block_on("name", "house")], recall=0.5)
        linker.training.estimate_u_using_random_sampling(max_pairs=1e6, seed=1)
        for rule in (block_on("name"), block_on("street", "house")):
            linker.training.estimate_parameters_using_expectation_maximisation(rule, record_sample_proportion=1.0)
        found = linker.inference.predict(threshold_match_probability=LEAST).as_record_list()
    return {_in_order(int(each["unique_id_l"]), int(each["unique_id_r"])) for each in found}


def _settings(used: list[str]) -> SettingsCreator:
    levels: dict[str, Any] = {
        "name": compared.JaroWinklerAtThresholds("name", [0.92, 0.85, 0.7]).configure(term_frequency_adjustments=True),
        "street": compared.JaroWinklerAtThresholds("street", [0.9]),
        "locality": compared.JaroWinklerAtThresholds("locality", [0.9]),
    }
    return SettingsCreator(
        link_type="dedupe_only",
        comparisons=[levels.get(name, compared.ExactMatch(name)) for name in used],
        blocking_rules_to_generate_predictions=[
            *(block_on(name) for name in ("phone", "postal_code", "site") if name in used),
            block_on("street", "house"),
            block_on("substr(name, 1, 5)"),
        ],
    )


def _written(rows: list[Row], used: list[str], folder: Path) -> Path:
    file = folder / "rows.csv"
    with file.open("w", encoding="utf-8", newline="") as out:
        told = csv.writer(out)
        told.writerow(["unique_id", *used])
        for number, row in enumerate(rows):
            told.writerow([number, *(getattr(row.traits, name) for name in used)])
    return file


def _in_order(one: int, other: int) -> Numbers:
    return (one, other) if one < other else (other, one)
