"""Normalised payload of an observation and its hash. Pure."""

from __future__ import annotations

import hashlib
import json
from datetime import UTC, datetime
from typing import Any

from gleanery.errors import Invalid
from gleanery.text import Json, clean_json

LONGEST_ID = 500
DIGEST = 32  # characters of the hash that replaces the end of an overlong id
MOMENTS = frozenset({"start", "end", "deadline"})
PLACES = 6  # decimals of coordinates: about a tenth of a metre

_encode = json.JSONEncoder(sort_keys=True, ensure_ascii=False, separators=(",", ":")).encode


def normalised(fields: dict[str, Any]) -> dict[str, Json]:
    """Return the fields cleaned, without empty values and with rounded coordinates."""
    cleaned = clean_json(fields)
    assert isinstance(cleaned, dict)  # noqa: S101 - a dict stays one
    kept: dict[str, Json] = {name: value for name, value in cleaned.items() if value not in (None, "", [], {})}
    for name in ("lat", "lon"):
        if isinstance(value := kept.get(name), float):
            kept[name] = round(value, PLACES)
    return kept


def payload_hash(kind: str, payload: dict[str, Any]) -> bytes:
    """Return a hash that does not depend on the order of fields or on the UTC offset of times."""
    return hashlib.sha256(_encode([kind, _comparable(payload)]).encode()).digest()


def check_id(text: str) -> None:
    """Raise Invalid if an id from outside is too long; a shortened one could collide with another."""
    if len(text) > LONGEST_ID:
        raise Invalid(f"The id has {len(text):,} characters; at most {LONGEST_ID} are allowed. Use a shorter id.")


def external_id(text: str) -> str:
    """Return a generated id, with its end replaced by a hash if it is too long for the index."""
    if len(text) <= LONGEST_ID:
        return text
    digest = hashlib.sha256(text.encode("utf-8", "replace")).hexdigest()[:DIGEST]
    return f"{text[: LONGEST_ID - DIGEST - 1]}~{digest}"


def _comparable(value: Any, name: str = "") -> Any:
    if isinstance(value, dict):
        # Most values are plain text and need no conversion.
        return {
            key: each if type(each) is str and key not in MOMENTS else _comparable(each, key)
            for key, each in value.items()
        }
    if isinstance(value, list):
        return [_comparable(each, name) for each in value]
    if isinstance(value, str) and name in MOMENTS:
        return _moment(value)
    # 5 and 5.0 are the same amount, also after a round trip through the database.
    return float(value) if isinstance(value, int) and not isinstance(value, bool) and abs(value) < 2**53 else value


def _moment(text: str) -> str:
    try:
        moment = datetime.fromisoformat(text)
    except ValueError:
        return text
    return moment.astimezone(UTC).isoformat() if moment.tzinfo else text
