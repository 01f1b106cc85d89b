"""Permission matrix: one line per API route and page; a route without a line is closed."""

from __future__ import annotations

from enum import Enum

from gleanery.accounts.actor import Actor
from gleanery.errors import NotAllowed
from gleanery.roles import Role, Scope


class Open(Enum):
    """Access to routes that do not require a scope."""

    ANYBODY = "anybody"
    KNOWN = "anybody who is logged in or has a valid key"
    CURATOR = "a reviewer or an admin, or a key with the scope admin; never an agent"
    THIS_MACHINE = "a program on this machine, or a key with the scope read"


READING = frozenset({Scope.READ, Scope.PROPOSE, Scope.DECIDE})  # scopes that may read review items and their subjects

Need = Scope | Open | frozenset[Scope]

API: dict[tuple[str, str], Need] = {
    ("GET", "/me"): Open.KNOWN,
    ("GET", "/records"): Open.ANYBODY,
    ("GET", "/records/{record_id}"): Open.ANYBODY,
    ("GET", "/records/{record_id}.jsonld"): Open.ANYBODY,
    ("GET", "/changes"): Open.ANYBODY,
    ("GET", "/changes/snapshot"): Open.ANYBODY,
    ("POST", "/submissions"): Open.ANYBODY,
    ("GET", "/submissions/{token}"): Open.ANYBODY,
    ("GET", "/admin/journal"): Scope.READ,
    ("GET", "/admin/domains"): Scope.READ,
    ("POST", "/admin/domains/bulk"): Open.CURATOR,
    ("GET", "/admin/domains/{domain_id}"): READING,
    ("GET", "/admin/domains/{domain_id}/blacklist"): READING,
    ("POST", "/admin/domains/{domain_id}/blacklist"): Open.CURATOR,
    ("POST", "/admin/domains/{domain_id}/lift"): Scope.ADMIN,
    ("POST", "/admin/domains/{domain_id}/no-funds"): Open.CURATOR,
    ("POST", "/admin/domains/{domain_id}/approve"): Scope.DECIDE,
    ("POST", "/admin/domains/{domain_id}/reject"): Scope.DECIDE,
    ("POST", "/admin/domains/{domain_id}/suspend"): Scope.DECIDE,
    ("POST", "/admin/domains/{domain_id}/resume"): Scope.DECIDE,
    ("POST", "/admin/domains/{domain_id}/undo"): Scope.DECIDE,
    ("POST", "/admin/domains/{domain_id}/trust"): Scope.ADMIN,
    ("POST", "/admin/domains/{domain_id}/untrust"): Scope.ADMIN,
    ("POST", "/admin/domains/{domain_id}/crawl"): Scope.DECIDE,
    ("POST", "/admin/domains/{domain_id}/configure"): Scope.DECIDE,
    ("GET", "/admin/review-queue"): READING,
    ("GET", "/admin/review-queue/{item_id}"): READING,
    ("POST", "/admin/review-queue/{item_id}/approve"): Scope.DECIDE,
    ("POST", "/admin/review-queue/{item_id}/reject"): Scope.DECIDE,
    ("POST", "/admin/review-queue/{item_id}/merge"): Scope.DECIDE,
    ("POST", "/admin/review-queue/{item_id}/undo"): Scope.DECIDE,
    ("POST", "/admin/review-queue/{item_id}/claim"): Scope.DECIDE,
    ("POST", "/admin/review-queue/{item_id}/release"): Scope.DECIDE,
    ("GET", "/admin/sessions"): Scope.READ,
    ("POST", "/admin/sessions"): Scope.INGEST,
    ("GET", "/admin/sessions/{session_id}"): Scope.READ,
    ("GET", "/admin/results"): Scope.READ,
    ("POST", "/admin/results/{result_id}/rescue"): Open.CURATOR,
    ("GET", "/admin/spam-rules"): Scope.READ,
    ("GET", "/admin/providers"): Scope.READ,
    ("POST", "/admin/judge"): Scope.READ,
    ("GET", "/admin/candidates"): Scope.READ,
    ("GET", "/admin/candidates/{candidate_id}"): READING,
    ("GET", "/admin/judging-runs"): Scope.READ,
    ("GET", "/admin/stats"): Scope.READ,
    ("GET", "/admin/crawls"): Scope.READ,
    ("GET", "/admin/crawls/{crawl_id}"): Scope.READ,
    ("GET", "/admin/crawls/{crawl_id}/visits"): Scope.READ,
    ("POST", "/admin/crawls/{crawl_id}/cancel"): Scope.DECIDE,
    ("GET", "/admin/domains/{domain_id}/pages"): Scope.READ,
    ("GET", "/admin/domains/{domain_id}/contacts"): Scope.READ,
    ("GET", "/admin/feeds"): Scope.READ,
    ("POST", "/admin/feeds"): Scope.DECIDE,
    ("POST", "/admin/feeds/check"): Scope.DECIDE,
    ("GET", "/admin/feeds/{feed_id}"): Scope.READ,
    ("POST", "/admin/feeds/{feed_id}/check"): Scope.DECIDE,
    ("POST", "/admin/feeds/{feed_id}/approve"): Scope.DECIDE,
    ("POST", "/admin/feeds/{feed_id}/leave-out"): Scope.DECIDE,
    ("POST", "/admin/feeds/{feed_id}/remove"): Scope.DECIDE,
    ("GET", "/admin/observations"): Scope.READ,
    ("GET", "/admin/observations/{observation_id}"): READING,
    ("GET", "/admin/pages/{page_id}/observations"): Scope.READ,
    ("POST", "/admin/observations"): Scope.INGEST,
    ("GET", "/admin/sources"): Scope.READ,
    ("POST", "/admin/sources/{source_id}/trust"): Scope.ADMIN,
    ("POST", "/admin/sources/{source_id}/asks"): Scope.ADMIN,
    ("GET", "/admin/notes"): Scope.READ,
    ("GET", "/admin/review-causes"): Scope.READ,
    ("GET", "/admin/review-causes/{cause_id}"): Scope.READ,
    ("POST", "/admin/review-causes/{cause_id}/decide"): Scope.DECIDE,
    ("GET", "/admin/records"): Scope.READ,
    ("GET", "/admin/records/{record_id}"): READING,
    ("GET", "/admin/records/{record_id}/why/{other_id}"): READING,
    ("POST", "/admin/records/{record_id}/edit"): Scope.DECIDE,
    ("POST", "/admin/records/{record_id}/unedit"): Scope.DECIDE,
    ("POST", "/admin/records/{record_id}/merge"): Scope.DECIDE,
    ("POST", "/admin/records/{record_id}/unmerge"): Scope.DECIDE,
    ("POST", "/admin/records/{record_id}/delete"): Scope.DECIDE,
    ("POST", "/admin/records/{record_id}/restore"): Scope.DECIDE,
    ("POST", "/admin/places/merge"): Scope.DECIDE,
    ("POST", "/admin/organizations/merge"): Scope.DECIDE,
    ("GET", "/admin/webhooks"): Scope.ADMIN,
    ("POST", "/admin/webhooks"): Scope.ADMIN,
    ("POST", "/admin/webhooks/{webhook_id}/test"): Scope.ADMIN,
    ("POST", "/admin/webhooks/{webhook_id}/disable"): Scope.ADMIN,
    ("POST", "/admin/webhooks/{webhook_id}/enable"): Scope.ADMIN,
    ("POST", "/admin/webhooks/{webhook_id}/remove"): Scope.ADMIN,
    ("GET", "/admin/webhooks/{webhook_id}/deliveries"): Scope.ADMIN,
    ("POST", "/admin/webhooks/{webhook_id}/deliveries/{delivery_id}/resend"): Scope.ADMIN,
}
# Pages of the console follow the person's role, by one rule in accounts/console.py.
PAGES: dict[str, Need] = {
    "": Open.ANYBODY,
    "search": Open.ANYBODY,
    "calendar": Open.ANYBODY,
    "map": Open.ANYBODY,
    "robots.txt": Open.ANYBODY,
    "sitemap.xml": Open.ANYBODY,
    "sitemap-<int:number>.xml": Open.ANYBODY,
    "favicon.ico": Open.ANYBODY,
    "records/<uuid:record_id>/": Open.ANYBODY,
    "records/<uuid:record_id>/calendar.ics": Open.ANYBODY,
    "records/<uuid:record_id>/<slug:slug>/": Open.ANYBODY,
    "data/<str:name>": Open.ANYBODY,
    "hsds/v3/": Open.ANYBODY,
    "hsds/v3/services": Open.ANYBODY,
    "hsds/v3/services/<uuid:record_id>": Open.ANYBODY,
    "hsds/v3/organizations": Open.ANYBODY,
    "hsds/v3/organizations/<uuid:record_id>": Open.ANYBODY,
    "hsds/v3/service_at_locations": Open.ANYBODY,
    "hsds/v3/service_at_locations/<uuid:record_id>": Open.ANYBODY,
    "hsds/v3/taxonomies": Open.ANYBODY,
    "hsds/v3/taxonomy_terms": Open.ANYBODY,
    "common-grants/opportunities": Open.ANYBODY,
    "common-grants/opportunities/search": Open.ANYBODY,
    "common-grants/opportunities/<uuid:record_id>": Open.ANYBODY,
    "report/<uuid:record_id>/": Open.ANYBODY,
    "about/": Open.ANYBODY,
    "data/": Open.ANYBODY,
    "logo/<slug:digest>": Open.ANYBODY,
    "feeds/rpde/<slug:kind>": Open.ANYBODY,
    "feeds/calendar.ics": Open.ANYBODY,
    "feeds/atom.xml": Open.ANYBODY,
    "follow/": Open.ANYBODY,
    "follow/confirm/<str:token>/": Open.ANYBODY,
    "follow/leave/<str:token>/": Open.ANYBODY,
    "language/<slug:language>/": Open.ANYBODY,
    "submit/": Open.ANYBODY,
    "submit/<str:token>/": Open.ANYBODY,
    "admin/": Scope.READ,
    "api/v1/openapi.json": Open.ANYBODY,
    "login/<str:token>": Open.ANYBODY,
    "healthz": Open.ANYBODY,
    "readyz": Open.ANYBODY,
    "metrics": Open.THIS_MACHINE,
}


def check(need: Need | None, actor: Actor) -> None:
    """Raise NotAllowed unless the actor has the access that a route requires."""
    if need is None:
        raise NotAllowed("This route has no entry in the permission matrix, so nobody may use it.")
    if isinstance(need, Scope) and need not in actor.scopes:
        raise NotAllowed(f"You need the scope {need} for this.")
    if isinstance(need, frozenset) and not need & actor.scopes:
        raise NotAllowed(f"For this you need one of the scopes {', '.join(sorted(need))}.")
    if need is Open.CURATOR:
        actor.must_be(Role.REVIEWER, "do this")
