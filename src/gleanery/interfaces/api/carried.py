"""What a request may carry: only parameters that its route declares, and as body only a JSON object."""

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
    """Raise Invalid rather than ignore something: a filter that is ignored would answer with everything."""
    _check_query(request, operation)
    _check_body(request, operation)


def _check_query(request: HttpRequest, operation: Operation) -> None:
    known = sorted(
        name for model in _models(operation, "query") for name in getattr(model, "__ninja_flatten_map__", ())
    )
    unknown = sorted(set(request.GET) - set(known))
    if unknown:
        named = clean_text(", ".join(unknown), limit=LONGEST_ECHO)
        raise Invalid(f"Unknown in the query: {named}. This address knows {', '.join(known) or 'no parameters'}.")


def _check_body(request: HttpRequest, operation: Operation) -> None:
    """Other JSON would pass for an object without fields, since schemas read the attributes of anything."""
    body = request.body.strip()
    if not body or body.startswith(b"{") or (body == b"null" and not _needs_body(operation)):
        return
    if _is_json(body):
        raise Invalid("The body must be a JSON object, written as {...}; nothing was changed.")


def _is_json(body: bytes) -> bool:
    """What is no JSON at all is refused where a route reads its body; an empty form is sent to those that read none."""
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
