"""Checks of API requests: only declared parameters are accepted, and only a JSON object as body."""

from __future__ import annotations

import json
from collections.abc import Iterator

from django.http import HttpRequest
from ninja.operation import Operation
from ninja.params.models import ParamModel

from gleanery.errors import Invalid
from gleanery.text import clean_text

LONGEST_ECHO = 100


def check(request: HttpRequest, operation: Operation) -> None:
    """Raise Invalid for unknown input: ignoring a misspelled filter would return everything."""
    _check_query(request, operation)
    _check_body(request, operation)


def _check_query(request: HttpRequest, operation: Operation) -> None:
    known = sorted(
        name for model in _models(operation, "query") for name in getattr(model, "__ninja_flatten_map__", ())
    )
    unknown = sorted(set(request.GET) - set(known))
    if unknown:
        named = clean_text(", ".join(unknown), limit=LONGEST_ECHO)
        raise Invalid(f"Unknown query parameters: {named}. This address accepts {', '.join(known) or 'none'}.")


def _check_body(request: HttpRequest, operation: Operation) -> None:
    """Refuse JSON that is not an object, which schemas would otherwise read as an object without fields."""
    body = request.body.strip()
    if not body or body.startswith(b"{") or (body == b"null" and not _needs_body(operation)):
        return
    if _is_json(body):
        raise Invalid("The body must be a JSON object, written as {...}. Nothing was changed.")


def _is_json(body: bytes) -> bool:
    """Return True for JSON; other bodies are refused by routes that read one, and routes without a body ignore them."""
    try:
        json.loads(body)
    except RecursionError:
        return True
    except ValueError:
        return False
    return True


def _needs_body(operation: Operation) -> bool:
    return any(field.is_required() for model in _models(operation, "body") for field in model.model_fields.values())


def _models(operation: Operation, source: str) -> Iterator[type[ParamModel]]:
    return (model for model in operation.models if model.__ninja_param_source__ == source)
