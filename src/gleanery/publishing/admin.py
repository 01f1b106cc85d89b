"""Console page of publishing: how the public site presents itself."""

from __future__ import annotations

from typing import Any

from django import forms
from django.contrib import admin
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.urls import reverse
from django.utils.html import format_html
from unfold.decorators import display

from gleanery.accounts.console import RoleAdmin, actor_at
from gleanery.publishing import services
from gleanery.publishing.models import PublicSite
from gleanery.publishing.site import logo, presentation
from gleanery.publishing.webhooks import admin as webhooks  # noqa: F401  # where Django looks for pages
from gleanery.roles import Role


class PublicSiteForm(forms.ModelForm[PublicSite]):
    picture = forms.FileField(
        label="Logo", required=False, help_text=f"PNG, WebP or JPEG, at most {logo.LARGEST // 1000} kB."
    )
    without_logo = forms.BooleanField(label="Take the logo away", required=False)

    class Meta:
        model = PublicSite
        fields = services.CHANGEABLE

    def clean_picture(self) -> bytes | None:
        """Read no more of a file than shows that it is too large."""
        given = self.cleaned_data["picture"]
        if given is None:
            return None
        content: bytes = given.read(logo.LARGEST + 1)
        logo.checked(content)
        return content


@admin.register(PublicSite)
class PublicSiteAdmin(RoleAdmin[PublicSite]):
    """One row at most: the list leads to it, or to the form that makes it."""

    writer = Role.ADMIN
    form = PublicSiteForm
    fields = (*services.CHANGEABLE, "shown_logo", "picture", "without_logo")
    readonly_fields = ("shown_logo",)

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
        given = {name: form.cleaned_data[name] for name in services.CHANGEABLE}
        picture = b"" if form.cleaned_data["without_logo"] else form.cleaned_data["picture"]
        obj.pk = services.present(actor_at(request), picture=picture, **given).pk

    @display(description="logo now")
    def shown_logo(self, site: PublicSite) -> str:
        if not site.logo_digest:
            return "none"
        return format_html('<img src="{}" alt="The logo" style="max-height: 3rem">', site.logo_address)
