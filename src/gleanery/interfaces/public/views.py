"""The pages of submissions: the form, its answer, and the secret link that tells what became of it."""

from __future__ import annotations

from http import HTTPStatus

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils.functional import Promise
from django.utils.translation import get_language
from django.utils.translation import gettext_lazy as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_safe

from gleanery.accounts.actor import Actor
from gleanery.accounts.caller import address_of
from gleanery.accounts.models import User
from gleanery.domains.submissions import answers, submitting
from gleanery.domains.submissions.answers import Outcome
from gleanery.domains.urls import LONGEST
from gleanery.errors import NotFound
from gleanery.interfaces.public.forms import SubmitForm
from gleanery.interfaces.public.language import in_their_language

HEADINGS: dict[str, str | Promise] = {
    "submitted": _("Submitted for review"),
    "approved_at_once": _("Approved at once"),
    "queued": _("On its way"),
    "unknown_domain": _("One question first"),
    "pending": _("Already submitted"),
    "approved": _("Already known"),
    "rejected": _("Not taken"),
    "suspended": _("Paused"),
    "blacklisted": _("Not taken"),
}
STANDINGS: dict[str, str | Promise] = {
    "none": _("Not considered"),
    "pending_review": _("Waiting for review"),
    "approved": _("Approved"),
    "rejected": _("Not taken"),
    "suspended": _("Paused"),
    "blacklisted": _("Not taken"),
}


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
@in_their_language
def submit(request: HttpRequest) -> HttpResponse:
    if request.method != "POST":
        return _form(request, SubmitForm(initial={"given": request.GET.get("given", "")[:LONGEST]}))
    form = SubmitForm(request.POST)
    if not form.is_valid():
        return _form(request, form, HTTPStatus.UNPROCESSABLE_ENTITY)
    outcome = _outcome(request, form)
    if outcome.code in {"refused", "limit"}:
        form.add_error(outcome.field or None, _problem(outcome))
        return _form(request, form, outcome.status, outcome.retry_after)
    return _answer(request, form, outcome)


def _problem(outcome: Outcome) -> str:
    """Return the detailed reason, which exists in English only."""
    if outcome.field != "given" or get_language() == "en":
        return outcome.message
    return str(
        _("This cannot be the address of a source. Check it, or give only the name of the site, such as foodbank.org.")
    )


@never_cache
@require_safe
@in_their_language
def follow(request: HttpRequest, token: str) -> HttpResponse:
    try:
        found = submitting.follow(token)
    except NotFound as problem:
        message = str(problem) if get_language() == "en" else _("This link leads to no submission.")
        page = render(request, "public/lost.html", {"message": message}, status=HTTPStatus.NOT_FOUND)
    else:
        state = submitting.standing_of(found.domain)
        told = {"heading": STANDINGS[state], "message": answers.STANDING[state], "state": state}
        page = render(request, "public/follow.html", {"submission": found, **told})
    return _secret(page)


def _outcome(request: HttpRequest, form: SubmitForm) -> Outcome:
    typed = form.cleaned_data
    if typed["website"]:
        return submitting.pretend(typed["given"])
    return submitting.submit(
        typed["given"],
        context=typed["context"],
        depth=typed["depth"],
        by=_known(request),
        address=address_of(request),
        yes=typed["yes"],
    )


def _known(request: HttpRequest) -> Actor | None:
    return Actor(request.user) if isinstance(request.user, User) and request.user.is_active else None


def _form(request: HttpRequest, form: SubmitForm, status: int = HTTPStatus.OK, retry_after: int = 0) -> HttpResponse:
    form.mark_errors()
    page = render(request, "public/submit.html", {"form": form}, status=status)
    if retry_after:
        page["Retry-After"] = str(retry_after)
    return page


def _answer(request: HttpRequest, form: SubmitForm, outcome: Outcome) -> HttpResponse:
    link = outcome.token and request.build_absolute_uri(reverse("submission", args=[outcome.token]))
    told = {"outcome": outcome, "heading": HEADINGS[outcome.code], "typed": form.cleaned_data, "link": link}
    return render(request, "public/answer.html", told)


def _secret(page: HttpResponse) -> HttpResponse:
    """Its address is all that protects it: it is not passed on to other sites, and no search engine may show it."""
    page["Referrer-Policy"] = "no-referrer"
    page["X-Robots-Tag"] = "noindex, nofollow"
    return page
