"""Console pages over tables that packages brought along."""

from __future__ import annotations

from django.contrib import admin
from django.contrib.auth.models import Group
from procrastinate.contrib.django.models import ProcrastinateJob
from unfold.decorators import display

from gleanery.accounts.console import RoleAdmin

admin.site.unregister(Group)  # roles are the groups, and they are given on the page of a user
admin.site.unregister(ProcrastinateJob)

COLOURS = {"todo": "info", "doing": "warning", "succeeded": "success", "failed": "danger", "aborted": "danger"}


@admin.register(ProcrastinateJob)
class JobAdmin(RoleAdmin[ProcrastinateJob]):
    """Background jobs, the newest first; they are started and ended by the stages, not here."""

    list_display = ("id", "task_name", "shown_status", "attempts", "scheduled_at", "args")
    list_filter = ("status", "task_name", "queue_name")
    search_fields = ("task_name",)
    ordering = ("-id",)

    @display(description="status", label=COLOURS)
    def shown_status(self, job: ProcrastinateJob) -> str:
        return str(job.status)
