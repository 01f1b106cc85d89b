"""OpenAPI document: unique schema names, and all error responses declared."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import Any

import pytest
from ninja import Schema
from ninja.openapi.schema import OpenAPISchema

from gleanery.interfaces.api.root import api
from gleanery.interfaces.permissions import API, Open

DOCUMENT = api.get_openapi_schema(path_prefix="")
ROUTES = [(method.upper(), path) for path, item in DOCUMENT["paths"].items() for method in item]


def responses_of(method: str, path: str) -> dict[int, dict[str, Any]]:
    found: dict[int, dict[str, Any]] = DOCUMENT["paths"][path][method.lower()]["responses"]
    return found


def schemas(of: type[Schema] = Schema) -> Iterator[type[Schema]]:
    for each in of.__subclasses__():
        yield each
        yield from schemas(each)


def test_no_two_schemas_share_a_name() -> None:
    names = Counter(each.__name__ for each in set(schemas()) if each.__module__.startswith("gleanery."))
    assert [name for name, count in names.items() if count > 1] == []


def test_each_component_has_a_single_description() -> None:
    class Collected(OpenAPISchema):
        def add_schema_definitions(self, definitions: dict[str, Any]) -> None:
            for name, described in definitions.items():
                assert self.schemas.setdefault(name, described) == described, name

    assert Collected(api, "")["components"]["schemas"]


@pytest.mark.parametrize(("method", "path"), ROUTES)
def test_error_responses_are_declared_as_problems(method: str, path: str) -> None:
    refusals = {status: response for status, response in responses_of(method, path).items() if status >= 400}
    assert {400, 401, 422, 503} <= set(refusals)
    assert (409 in refusals) == (method == "POST" and path != "/admin/judge")
    assert (403 in refusals) == (method == "POST" or API[method, path] not in {Open.ANYBODY, Open.KNOWN})
    assert 404 in refusals or "{" not in path
    for response in refusals.values():
        assert list(response["content"]) == ["application/problem+json"]
        assert response["description"]


def test_a_route_with_its_own_error_response_also_declares_the_general_one() -> None:
    schema = responses_of("POST", "/submissions")[422]["content"]["application/problem+json"]["schema"]
    assert [each["$ref"].rsplit("/", 1)[1] for each in schema["anyOf"]] == ["SubmissionProblem", "ProblemOut"]


def test_every_referenced_component_exists() -> None:
    def spoken_of(part: Any) -> Iterator[str]:
        if isinstance(part, dict):
            yield from (part["$ref"],) if isinstance(part.get("$ref"), str) else ()
            part = list(part.values())
        for each in part if isinstance(part, list) else ():
            yield from spoken_of(each)

    named = {reference.rsplit("/", 1)[1] for reference in spoken_of(DOCUMENT)}
    assert named <= set(DOCUMENT["components"]["schemas"])
