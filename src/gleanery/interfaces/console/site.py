"""The console: who gets in, what the side bar lists, what the first page shows."""

from __future__ import annotations

from typing import Any

from django.http import HttpRequest
from django.template.response import TemplateResponse
from django.urls import reverse_lazy
from unfold.sites import UnfoldAdminSite

from gleanery.accounts.console import role_of
from gleanery.accounts.models import JournalEntry


class Console(UnfoldAdminSite):  # type: ignore[misc]  # unfold carries no types
    index_template = "console/dashboard.html"

    def has_permission(self, request: HttpRequest) -> bool:
        return role_of(request) is not None

    def index(self, request: HttpRequest, extra_context: dict[str, Any] | None = None) -> TemplateResponse:
        latest = JournalEntry.objects.select_related("actor", "key").order_by("-id")[:10]
        answer: TemplateResponse = super().index(request, {"title": "Dashboard", "latest": latest})
        return answer


def navigation(request: HttpRequest) -> list[dict[str, Any]]:
    """The side bar, in the order of the work."""
    return [
        {"items": [_item("Dashboard", "dashboard", "admin:index")]},
        {
            "title": "Administration",
            "separator": True,
            "items": [
                _item("Users", "group", "admin:accounts_user_changelist"),
                _item("API keys", "key", "admin:accounts_apikey_changelist"),
                _item("Journal", "history_edu", "admin:accounts_journalentry_changelist"),
                _item("Jobs", "manufacturing", "admin:procrastinate_procrastinatejob_changelist"),
            ],
        },
    ]


def _item(title: str, icon: str, view: str) -> dict[str, Any]:
    return {"title": title, "icon": icon, "link": reverse_lazy(view)}
