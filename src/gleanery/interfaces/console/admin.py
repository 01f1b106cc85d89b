"""Console pages for tables of third-party packages."""

from __future__ import annotations

from django.contrib import admin
from django.contrib.auth.models import Group
from procrastinate.contrib.django.models import ProcrastinateJob
from unfold.decorators import display

from gleanery import words
from gleanery.accounts.console import CodeFilter, RoleAdmin

admin.site.unregister(Group)  # roles replace groups; they are set on the page of a user
admin.site.unregister(ProcrastinateJob)

COLOURS = {"todo": "info", "doing": "warning", "succeeded": "success", "failed": "danger", "aborted": "danger"}


@admin.register(ProcrastinateJob)
class JobAdmin(RoleAdmin[ProcrastinateJob]):
    """Read-only list of background jobs, newest first."""

    list_display = ("id", "shown_task", "shown_status", "attempts", "scheduled_at", "args")
    list_filter = (("status", CodeFilter), ("task_name", CodeFilter), "queue_name")
    search_fields = ("task_name",)
    ordering = ("-id",)

    @display(description="task", ordering="task_name")
    def shown_task(self, job: ProcrastinateJob) -> str:
        return words.of(str(job.task_name))

    @display(description="status", label=words.by_words(COLOURS))
    def shown_status(self, job: ProcrastinateJob) -> str:
        return words.of(str(job.status))
