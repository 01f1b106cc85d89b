"""Console site: access, sidebar, dashboard."""

from __future__ import annotations

from typing import Any

from django.http import HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import redirect
from django.template.response import TemplateResponse
from django.urls import path, reverse
from django.views.generic import RedirectView
from unfold.sites import UnfoldAdminSite

from gleanery.accounts.console import role_of
from gleanery.accounts.models import JournalEntry
from gleanery.discovery.status import provider_status
from gleanery.interfaces.console import charts, pending_work
from gleanery.interfaces.console.login_form import LoginForm
from gleanery.interfaces.console.password import PasswordView
from gleanery.resolution.near.flagging import DUPLICATE

SPAM = "?outcome__exact=spam"


class Console(UnfoldAdminSite):  # type: ignore[misc]  # unfold carries no types
    index_template = "console/dashboard.html"
    login_form = LoginForm

    def has_permission(self, request: HttpRequest) -> bool:
        return role_of(request) is not None

    def password_change(self, request: HttpRequest, extra_context: dict[str, Any] | None = None) -> HttpResponseBase:
        context = {**self.each_context(request), "title": "Your password", **(extra_context or {})}
        return PasswordView.as_view(success_url=reverse("admin:index"), extra_context=context)(request)

    def get_urls(self) -> list[Any]:
        """Add short addresses that do not depend on the names of pages."""
        to_queue = self.admin_view(_to_the_queue)
        doubles = RedirectView.as_view(url=f"/admin/review-queue?warning={DUPLICATE}")
        known = [path("review-queue", to_queue), path("review-queue/", to_queue), path("duplicates", doubles)]
        return [*known, *super().get_urls()]

    def index(self, request: HttpRequest, extra_context: dict[str, Any] | None = None) -> TemplateResponse:
        latest = JournalEntry.objects.select_related("actor", "key").order_by("-id")[:10]
        context = {"title": "Dashboard", "latest": latest, "providers": provider_status()}
        context |= {**pending_work.counts(), **charts.of_quality()}
        answer: TemplateResponse = super().index(request, context)
        return answer


def _to_the_queue(request: HttpRequest) -> HttpResponse:
    asked = request.META.get("QUERY_STRING", "")
    return redirect(reverse("admin:review_item_changelist") + (f"?{asked}" if asked else ""))


def navigation(request: HttpRequest) -> list[dict[str, Any]]:
    """Return the entries of the sidebar, in the order of the work."""
    return [
        {"items": [_item("Dashboard", "dashboard", "admin:index")]},
        {
            "title": "Review",
            "separator": True,
            "items": [_item("Review queue", "fact_check", "admin:review_item_changelist")],
        },
        {
            "title": "Catalogue",
            "separator": True,
            "items": [_item("Records", "inventory_2", "admin:resolution_record_changelist")],
        },
        {
            "title": "Finding sources",
            "separator": True,
            "items": [
                _item("Topics", "topic", "admin:discovery_topic_changelist"),
                _item("Sessions", "travel_explore", "admin:discovery_session_changelist"),
                _item("Candidates", "verified", "admin:judging_candidate_changelist"),
                _item("Judging", "gavel", "admin:judging_run_changelist"),
                _item("Domains", "language", "admin:domains_domain_changelist"),
                _item("Results", "list", "admin:discovery_result_changelist") | {"active": _is_result_list},
                _item("Spam bin", "delete_sweep", "admin:discovery_result_changelist", SPAM) | {"active": _is_spam_bin},
            ],
        },
        {
            "title": "Crawling",
            "separator": True,
            "items": [
                _item("Crawls", "sync", "admin:crawling_crawl_changelist"),
                _item("Pages", "article", "admin:crawling_page_changelist"),
                _item("Feeds", "rss_feed", "admin:feeds_feed_changelist"),
            ],
        },
        {
            "title": "Extracted data",
            "separator": True,
            "items": [
                _item("Observations", "visibility", "admin:extraction_observation_changelist"),
                _item("Sources", "campaign", "admin:extraction_source_changelist"),
                _item("Contacts", "contacts", "admin:extraction_pagecontact_changelist"),
                _item("Language model calls", "smart_toy", "admin:extraction_modelcall_changelist"),
            ],
        },
        {
            "title": "Administration",
            "separator": True,
            "items": [
                _item("Public site", "public", "admin:publishing_publicsite_changelist"),
                _item("Webhooks", "webhook", "admin:publishing_webhook_changelist"),
                _item("Users", "group", "admin:accounts_user_changelist"),
                _item("API keys", "key", "admin:accounts_apikey_changelist"),
                _item("Journal", "history_edu", "admin:accounts_journalentry_changelist"),
                _item("Jobs", "manufacturing", "admin:procrastinate_procrastinatejob_changelist"),
            ],
        },
    ]


def _is_spam_bin(request: HttpRequest) -> bool:
    return request.path.startswith("/admin/discovery/result/") and request.GET.get("outcome__exact") == "spam"


def _is_result_list(request: HttpRequest) -> bool:
    return request.path.startswith("/admin/discovery/result/") and not _is_spam_bin(request)


def _item(title: str, icon: str, view: str, query: str = "") -> dict[str, Any]:
    return {"title": title, "icon": icon, "link": f"{reverse(view)}{query}"}
