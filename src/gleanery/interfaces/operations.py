"""Health, readiness and metrics for monitoring."""

from __future__ import annotations

from collections.abc import Iterator

from django.db import Error, connection
from django.db.migrations.executor import MigrationExecutor
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.views.decorators.http import require_safe
from prometheus_client import CONTENT_TYPE_LATEST, CollectorRegistry, generate_latest
from prometheus_client.metrics_core import GaugeMetricFamily, InfoMetricFamily, Metric

from gleanery import __version__
from gleanery.accounts.caller import is_on_this_machine
from gleanery.accounts.gate import actor_of
from gleanery.accounts.models import JournalEntry, User
from gleanery.errors import GleaneryError
from gleanery.interfaces.api.problems import of_error
from gleanery.interfaces.permissions import check
from gleanery.jobs import counts
from gleanery.roles import Scope


@require_safe
def healthz(request: HttpRequest) -> HttpResponse:
    """Return 200 if the process is running."""
    return JsonResponse({"status": "ok"})


@require_safe
def readyz(request: HttpRequest) -> HttpResponse:
    """Return 200 if the database is available and fully migrated."""
    try:
        executor = MigrationExecutor(connection)
        missing = len(executor.migration_plan(executor.loader.graph.leaf_nodes()))
    except Error:
        return JsonResponse({"status": "unavailable", "reason": "The database is not available."}, status=503)
    if missing:
        reason = f"{missing} migrations are missing. Run `gleanery up`."
        return JsonResponse({"status": "unavailable", "reason": reason}, status=503)
    return JsonResponse({"status": "ok"})


@require_safe
def metrics(request: HttpRequest) -> HttpResponse:
    """Return Prometheus metrics to local programs without a proxy, or to keys that may read."""
    try:
        if not is_on_this_machine(request):
            check(Scope.READ, actor_of(request))
    except GleaneryError as refusal:
        return of_error(refusal)
    registry = CollectorRegistry()
    registry.register(Figures())
    return HttpResponse(generate_latest(registry), content_type=CONTENT_TYPE_LATEST)


class Figures:
    """Collector that derives all figures from rows on each request, so that they cannot drift."""

    def collect(self) -> Iterator[Metric]:
        yield InfoMetricFamily("gleanery", "The running version.", {"version": __version__})
        jobs = GaugeMetricFamily("gleanery_jobs", "Jobs by status.", labels=["status"])
        for status, count in counts().items():
            jobs.add_metric([status], count)
        yield jobs
        yield GaugeMetricFamily("gleanery_users", "Active users.", User.objects.filter(is_active=True).count())
        yield GaugeMetricFamily("gleanery_journal_entries", "Decisions in the journal.", JournalEntry.objects.count())
