"""Login by a one-time link."""

from __future__ import annotations

from django.contrib import messages
from django.contrib.auth import login
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.urls import reverse
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_GET

from gleanery.accounts import services


@never_cache
@require_GET
def by_link(request: HttpRequest, token: str) -> HttpResponse:
    """Log in and use up the link; HEAD requests, as sent by chat previews, do not."""
    user = services.redeem_login_link(token)
    if user is None:
        messages.error(request, "This link was used before or has expired. Create another with `gleanery user link`.")
        return HttpResponseRedirect(reverse("admin:login"))
    login(request, user, backend="django.contrib.auth.backends.ModelBackend")
    return HttpResponseRedirect(reverse("admin:index"))
