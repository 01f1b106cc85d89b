"""The API itself: its gate, its errors, its routers."""

from __future__ import annotations

import re
from typing import Any

from django.http import HttpRequest
from ninja import NinjaAPI
from ninja.security import HttpBearer

from gleanery import __version__
from gleanery.accounts import api as accounts
from gleanery.accounts.actor import Actor
from gleanery.accounts.gate import actor_if_any, actor_of
from gleanery.crawling import api as crawling
from gleanery.discovery import api as discovery
from gleanery.domains import api as domains
from gleanery.domains import submission_api as submissions
from gleanery.extraction import api as extraction
from gleanery.interfaces import permissions
from gleanery.interfaces.api import problems
from gleanery.interfaces.permissions import Open
from gleanery.judging import api as judging
from gleanery.resolution import api as resolution
from gleanery.resolution import why_api as matches
from gleanery.review import api as review
from gleanery.review import domain_api as approval

ROOT = "api/v1"


class Gate(HttpBearer):
    """Every route passes here: who asks, and does the permission matrix let them?"""

    def __call__(self, request: HttpRequest) -> Actor | Open:
        need = permissions.API.get((request.method or "", _route(request)))
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


api = NinjaAPI(
    title="Gleanery",
    version=__version__,
    description="One clean, sourced record of every event, funding programme, service, place and organisation.",
    docs_url=None,
    auth=Gate(),
)
problems.register(api)
for router in (
    accounts.router,
    approval.router,  # before the domains: /bulk would pass for the id of one
    domains.router,
    submissions.router,
    discovery.router,
    judging.router,
    crawling.router,
    extraction.router,
    resolution.router,
    matches.router,
    review.router,
):
    api.add_router("", router)
