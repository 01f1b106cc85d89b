"""The API itself: its gate, its errors, its routers."""

from __future__ import annotations

import re
from typing import Any

from django.http import HttpRequest
from ninja import NinjaAPI
from ninja.openapi.schema import OpenAPISchema
from ninja.security import HttpBearer

from gleanery import __version__
from gleanery.accounts import api as accounts
from gleanery.accounts.actor import Actor
from gleanery.accounts.gate import actor_if_any, actor_of
from gleanery.crawling import api as crawling
from gleanery.discovery import api as discovery
from gleanery.domains import api as domains
from gleanery.domains.submissions import api as submissions
from gleanery.extraction import api as extraction
from gleanery.feeds import api as feeds
from gleanery.interfaces import permissions
from gleanery.interfaces.api import carried, problems
from gleanery.interfaces.api.declared import Document
from gleanery.interfaces.permissions import Need, Open
from gleanery.judging import api as judging
from gleanery.resolution import api as resolution
from gleanery.resolution import why_api as matches
from gleanery.review import api as review
from gleanery.review import domain_api as approval
from gleanery.review.together import api as together

ROOT = "api/v1"


class Gate(HttpBearer):
    """Every route passes here: who asks, does the permission matrix let them, and does the route take all they sent?"""

    def __call__(self, request: HttpRequest) -> Actor | Open:
        route = request.method or "", _route(request)
        actor = self._let_in(request, permissions.API.get(route))
        carried.check(request, OPERATIONS[route])
        return actor

    def _let_in(self, request: HttpRequest, need: Need | None) -> Actor | Open:
        if need is Open.ANYBODY:
            return actor_if_any(request) or need
        actor = actor_of(request)
        permissions.check(need, actor)
        return actor

    def authenticate(self, request: HttpRequest, token: str) -> Any:
        """Never called: __call__ reads the header itself. The base class makes OpenAPI name the bearer scheme."""


def _route(request: HttpRequest) -> str:
    """The template of the route, `/admin/domains/{domain_id}`, not the address that was asked for."""
    assert request.resolver_match is not None  # noqa: S101  # Django set it before any view runs
    return template_of(request.resolver_match.route.removeprefix(ROOT))


def template_of(route: str) -> str:
    """Django writes `<uuid:domain_id>` where OpenAPI and our matrix write `{domain_id}`."""
    return re.sub(r"<(?:\w+:)?(\w+)>", r"{\1}", route)


class Api(NinjaAPI):
    def get_openapi_schema(self, *, path_prefix: str | None = None, path_params: Any = None) -> OpenAPISchema:
        return Document(self, self.get_root_path(path_params or {}) if path_prefix is None else path_prefix)


api = Api(
    title="Gleanery",
    version=__version__,
    description="One clean, sourced record of every event, funding programme, service, place and organisation.",
    docs_url=None,
    auth=Gate(),
)
problems.register(api)
ROUTERS = (
    accounts.router,
    approval.router,  # before the domains: /bulk would pass for the id of one
    domains.router,
    submissions.router,
    discovery.router,
    judging.router,
    crawling.router,
    extraction.router,
    feeds.router,
    resolution.router,
    matches.router,
    review.router,
    together.router,
)
for router in ROUTERS:
    api.add_router("", router)
OPERATIONS = {
    (method, path): operation
    for router in ROUTERS
    for path, view in router.path_operations.items()
    for operation in view.operations
    for method in operation.methods
}
