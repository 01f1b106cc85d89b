"""Pages by which a visitor follows a search: the ways to do it, the form for e-mails, its confirmation, leaving it."""

from __future__ import annotations

from http import HTTPStatus
from uuid import UUID

from django import forms
from django.http import HttpRequest, HttpResponse, QueryDict
from django.shortcuts import render
from django.utils import translation
from django.utils.translation import gettext_lazy as _
from django.views.decorators.cache import never_cache
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.http import require_http_methods

from gleanery.accounts.caller import address_of
from gleanery.errors import ComeAgain, Invalid, NotFound
from gleanery.interfaces.public.language import in_their_language
from gleanery.publishing.digests import links, services
from gleanery.publishing.digests.models import LONGEST_QUERY
from gleanery.publishing.search.filters import Filters, read
from gleanery.publishing.syndication.title import title_of

HOW_OFTEN = (("weekly", _("Every Thursday")), ("daily", _("Every morning")))


class FollowForm(forms.Form):
    """Nothing is required here: the service says whether the mailbox can be one."""

    email = forms.CharField(
        label=_("Your e-mail address"),
        required=False,
        widget=forms.TextInput(attrs={"type": "email", "autocomplete": "email", "maxlength": 254}),
    )
    rhythm = forms.ChoiceField(label=_("How often"), choices=HOW_OFTEN, initial="weekly", widget=forms.RadioSelect)
    reminds = forms.BooleanField(label=_("Also remind me before deadlines"), required=False, initial=True)
    website = forms.CharField(
        label=_("Leave this empty"),
        required=False,
        widget=forms.TextInput(attrs={"tabindex": "-1", "autocomplete": "off"}),
    )


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
@in_their_language
def follow(request: HttpRequest) -> HttpResponse:
    if request.method != "POST":
        return _page(request, FollowForm(), read(request.GET))
    filters, form = read(QueryDict(request.POST.get("search", "")[:LONGEST_QUERY])), FollowForm(request.POST)
    if not services.is_on():
        return _page(request, form, filters, HTTPStatus.NOT_FOUND)
    if not form.is_valid():
        return _page(request, form, filters, HTTPStatus.UNPROCESSABLE_ENTITY)
    try:
        _ask(request, form, filters)
    except Invalid as problem:
        form.add_error("email", str(problem))
        return _page(request, form, filters, HTTPStatus.UNPROCESSABLE_ENTITY)
    except ComeAgain as problem:
        form.add_error(None, str(problem))
        page = _page(request, form, filters, HTTPStatus.TOO_MANY_REQUESTS)
        page["Retry-After"] = str(problem.retry_after)
        return page
    return render(request, "public/followed.html", {"state": "asked", "filters": filters})


@csrf_exempt  # the token is enough
@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
@in_their_language
def confirm(request: HttpRequest, token: str) -> HttpResponse:
    """Ask for a click on a button: programs that guard mailboxes open links before their owners do."""
    try:
        subscription = services.find(links.read_confirm(token))
        if request.method == "POST":
            subscription = services.confirm(subscription.pk)
    except NotFound as problem:
        return _lost(request, problem)
    state = "confirmed" if subscription.confirmed_at else "to_confirm"
    return _secret(_answer(request, state, subscription.pk, services.filters_of(subscription)))


@csrf_exempt
@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
@in_their_language
def leave(request: HttpRequest, token: str) -> HttpResponse:
    """End a subscription. Mail programs post here by themselves (RFC 8058), without a cookie: the token is enough."""
    try:
        wanted = links.read_leave(token)
    except NotFound as problem:
        return _lost(request, problem)
    if request.method == "POST":
        (services.leave_all if request.POST.get("all") else services.leave)(wanted)
    try:
        subscription = services.find(wanted)
    except NotFound:
        return _secret(render(request, "public/followed.html", {"state": "left", "filters": Filters()}))
    return _secret(_answer(request, "to_leave", wanted, services.filters_of(subscription)))


def _ask(request: HttpRequest, form: FollowForm, filters: Filters) -> None:
    """Store nothing for programs that fill in what people do not see; they get the usual answer."""
    typed = form.cleaned_data
    language = translation.get_language() or "en"
    wish = services.Wish(typed["email"], filters, typed["rhythm"], typed["reminds"], language)
    if typed["website"]:
        services.mailbox(wish.email)
    else:
        services.ask(wish, address_of(request))


def _page(request: HttpRequest, form: FollowForm, filters: Filters, status: int = HTTPStatus.OK) -> HttpResponse:
    shown = {"form": form, "filters": filters, "title": title_of(filters), "by_mail": services.is_on()}
    return render(request, "public/follow_search.html", shown, status=status)


def _answer(request: HttpRequest, state: str, subscription: UUID, filters: Filters) -> HttpResponse:
    shown = {
        "state": state,
        "filters": filters,
        "title": title_of(filters),
        "leave": links.links_of(subscription).leave,
    }
    return render(request, "public/followed.html", shown)


def _lost(request: HttpRequest, problem: NotFound) -> HttpResponse:
    return _secret(render(request, "public/lost.html", {"message": str(problem)}, status=HTTPStatus.NOT_FOUND))


def _secret(page: HttpResponse) -> HttpResponse:
    """Its address is all that protects it: it is not passed on, and no search engine may show it."""
    page["Referrer-Policy"] = "no-referrer"
    page["X-Robots-Tag"] = "noindex, nofollow"
    return page
