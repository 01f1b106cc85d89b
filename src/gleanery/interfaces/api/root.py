"""Root of the API: authorisation, error handlers, routers."""

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
from gleanery.interfaces.api import problems, request_checks
from gleanery.interfaces.api.openapi import Document
from gleanery.interfaces.permissions import Need, Open
from gleanery.judging import api as judging
from gleanery.publishing.api import records_api as records
from gleanery.publishing.changes import api as changes
from gleanery.publishing.webhooks import api as webhooks
from gleanery.resolution import api as resolution
from gleanery.resolution import why_api as matches
from gleanery.review import api as review
from gleanery.review import domain_api as approval
from gleanery.review.together import api as together

ROOT = "api/v1"


class Gate(HttpBearer):
    """Authorises every request by the permission matrix and checks its parameters and body."""

    def __call__(self, request: HttpRequest) -> Actor | Open:
        route = request.method or "", _route(request)
        actor = self._authorised(request, permissions.API.get(route))
        request_checks.check(request, OPERATIONS[route])
        return actor

    def _authorised(self, request: HttpRequest, need: Need | None) -> Actor | Open:
        if need is Open.ANYBODY:
            return actor_if_any(request) or need
        actor = actor_of(request)
        permissions.check(need, actor)
        return actor

    def authenticate(self, request: HttpRequest, token: str) -> Any:
        """Do nothing: __call__ reads the header itself; the base class adds the bearer scheme to OpenAPI."""


def _route(request: HttpRequest) -> str:
    """Return the template of the route, such as `/admin/domains/{domain_id}`."""
    assert request.resolver_match is not None  # noqa: S101  # Django sets it before a view runs
    return template_of(request.resolver_match.route.removeprefix(ROOT))


def template_of(route: str) -> str:
    """Convert Django's `<uuid:domain_id>` to `{domain_id}` as in OpenAPI and the permission matrix."""
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
    approval.router,  # before domains: /bulk would be taken for a domain id
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
    records.router,
    changes.router,
    webhooks.router,
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
