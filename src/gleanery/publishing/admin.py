"""Console page of publishing: how the public site presents itself."""

from __future__ import annotations

from typing import Any

from django.contrib import admin
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.urls import reverse

from gleanery.accounts.console import RoleAdmin, actor_at
from gleanery.publishing import services
from gleanery.publishing.models import PublicSite
from gleanery.publishing.site import presentation
from gleanery.roles import Role


@admin.register(PublicSite)
class PublicSiteAdmin(RoleAdmin[PublicSite]):
    """One row at most: the list leads to it, or to the form that makes it."""

    writer = Role.ADMIN
    fields = services.CHANGEABLE

    def has_add_permission(self, request: HttpRequest) -> bool:
        return super().has_add_permission(request) and not PublicSite.objects.exists()

    def changelist_view(self, request: HttpRequest, extra_context: dict[str, Any] | None = None) -> HttpResponse:
        site = PublicSite.objects.first()
        if site is None and not self.has_add_permission(request):
            return super().changelist_view(request, extra_context)
        page = reverse("admin:publishing_publicsite_change", args=[site.pk]) if site else "add/"
        return HttpResponseRedirect(page)

    def get_changeform_initial_data(self, request: HttpRequest) -> dict[str, Any]:
        site = presentation.current()
        return {name: getattr(site, name) for name in services.CHANGEABLE}

    def save_model(self, request: HttpRequest, obj: PublicSite, form: Any, change: bool) -> None:
        """The form has checked what was typed; the service journals what was there before."""
        obj.pk = services.present(actor_at(request), **form.cleaned_data).pk
