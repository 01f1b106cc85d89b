"""OpenAPI document: the declarations of each route, with the error responses that apply to it."""

from __future__ import annotations

from collections.abc import Callable
from http import HTTPStatus
from typing import Any, NamedTuple

from ninja.openapi.schema import REF_TEMPLATE, OpenAPISchema
from ninja.operation import Operation

from gleanery.errors import (
    Conflict,
    DatabaseProblem,
    GleaneryError,
    Gone,
    Invalid,
    NotAllowed,
    NotFound,
    Unauthenticated,
    Unfetched,
)
from gleanery.interfaces import permissions
from gleanery.interfaces.api.problems import MEDIA_TYPE, ProblemOut
from gleanery.interfaces.permissions import Need, Open
from gleanery.roles import Scope


class Refusal(NamedTuple):
    """Error response: status, description, and a test for the routes that may return it."""

    status: int
    sentence: str
    happens: Callable[[Operation], bool]


def _always(operation: Operation) -> bool:
    return True


def _takes_body(operation: Operation) -> bool:
    return any(model.__ninja_param_source__ == "body" for model in operation.models)


def _may_be_closed(operation: Operation) -> bool:
    """Return True if known callers may be refused, or a session without a CSRF token."""
    return _need(operation) not in {Open.ANYBODY, Open.KNOWN} or operation.methods != ["GET"]


def _names_something(operation: Operation) -> bool:
    return "{" in operation.path or _takes_body(operation)


def _may_be_gone(operation: Operation) -> bool:
    return operation.path in LEAVING


def _decides(operation: Operation) -> bool:
    return operation.methods != ["GET"] and _need(operation) is not Scope.READ


def _fetches(operation: Operation) -> bool:
    """Return True if the route fetches an address while the caller waits."""
    return operation.methods == ["POST"] and operation.path in FETCHING


def _need(operation: Operation) -> Need | None:
    return permissions.API.get((operation.methods[0], operation.path))


def _of(error: type[GleaneryError], happens: Callable[[Operation], bool]) -> Refusal:
    return Refusal(error.status, (error.__doc__ or "").strip(), happens)


FETCHING = ("/admin/feeds", "/admin/feeds/check", "/admin/feeds/{feed_id}/check")
LEAVING = ("/records/{record_id}", "/records/{record_id}.jsonld", "/changes", "/changes/snapshot")
REFUSALS = (
    Refusal(400, "The body is not JSON, or there are too many parameters. Nothing was changed.", _always),
    _of(Unauthenticated, _always),
    _of(NotAllowed, _may_be_closed),
    _of(NotFound, _names_something),
    _of(Conflict, _decides),
    _of(Gone, _may_be_gone),
    Refusal(413, "The body is too large. Nothing was changed; send it in parts.", _always),
    _of(Invalid, _always),
    _of(Unfetched, _fetches),
    _of(DatabaseProblem, _always),
)


class Document(OpenAPISchema):
    """OpenAPI document of django-ninja, extended by the error responses of every route."""

    def responses(self, operation: Operation) -> dict[int, dict[str, Any]]:
        found = super().responses(operation)
        for status, response in found.items():
            if status >= HTTPStatus.BAD_REQUEST:
                (own,) = response["content"].values()
                response["content"] = {MEDIA_TYPE: own}
        for refusal in REFUSALS:
            if refusal.happens(operation):
                found[refusal.status] = _combined(found.get(refusal.status), refusal)
        return dict(sorted(found.items()))

    def get_components(self) -> dict[str, Any]:
        schema = ProblemOut.model_json_schema(ref_template=REF_TEMPLATE, mode="serialization")
        self.add_schema_definitions(schema.pop("$defs") | {ProblemOut.__name__: schema})
        return super().get_components()


def _combined(own: dict[str, Any] | None, refusal: Refusal) -> dict[str, Any]:
    """Combine a route's own error response with the general one for the same status."""
    schema: dict[str, Any] = {"$ref": REF_TEMPLATE.format(model=ProblemOut.__name__)}
    if own:
        schema = {"anyOf": [own["content"][MEDIA_TYPE]["schema"], schema]}
    return {"description": refusal.sentence, "content": {MEDIA_TYPE: {"schema": schema}}}
