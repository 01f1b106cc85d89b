"""The normalised payload of an observation and its hash, computed here and nowhere else. Pure."""

from __future__ import annotations

import hashlib
import json
from datetime import UTC, datetime
from typing import Any

from gleanery.errors import Invalid
from gleanery.text import Json, clean_json

LONGEST_ID = 500
DIGEST = 32  # letters of a hash that stand for the rest of an id which is too long
MOMENTS = frozenset({"start", "end", "deadline"})
PLACES = 6  # of coordinates: a tenth of a metre

_encode = json.JSONEncoder(sort_keys=True, ensure_ascii=False, separators=(",", ":")).encode


def normalised(fields: dict[str, Any]) -> dict[str, Json]:
    """Fields that say nothing are left out; coordinates are as exact as anybody needs."""
    cleaned = clean_json(fields)
    assert isinstance(cleaned, dict)  # noqa: S101 - a dict stays one
    kept: dict[str, Json] = {name: value for name, value in cleaned.items() if value not in (None, "", [], {})}
    for name in ("lat", "lon"):
        if isinstance(value := kept.get(name), float):
            kept[name] = round(value, PLACES)
    return kept


def payload_hash(kind: str, payload: dict[str, Any]) -> bytes:
    """The same for the same facts: neither the order of fields nor the offset of a moment makes a difference."""
    return hashlib.sha256(_encode([kind, _alike(payload)]).encode()).digest()


def check_id(text: str) -> None:
    """Whoever chose an id is told that it is too long: cut, it could be that of another thing."""
    if len(text) > LONGEST_ID:
        raise Invalid(f"Its id has {len(text):,} characters; at most {LONGEST_ID} can be kept. Give it a shorter one.")


def external_id(text: str) -> str:
    """An id that we made ourselves, within what an index takes; the end of a longer one is told by its hash."""
    if len(text) <= LONGEST_ID:
        return text
    digest = hashlib.sha256(text.encode("utf-8", "replace")).hexdigest()[:DIGEST]
    return f"{text[: LONGEST_ID - DIGEST - 1]}~{digest}"


def _alike(value: Any, name: str = "") -> Any:
    if isinstance(value, dict):
        # Most of it is plain text, which needs no look.
        return {
            key: each if type(each) is str and key not in MOMENTS else _alike(each, key) for key, each in value.items()
        }
    if isinstance(value, list):
        return [_alike(each, name) for each in value]
    if isinstance(value, str) and name in MOMENTS:
        return _moment(value)
    # 5 and 5.0 are one amount, also after the database has had it.
    return float(value) if isinstance(value, int) and not isinstance(value, bool) and abs(value) < 2**53 else value


def _moment(text: str) -> str:
    try:
        moment = datetime.fromisoformat(text)
    except ValueError:
        return text
    return moment.astimezone(UTC).isoformat() if moment.tzinfo else text
