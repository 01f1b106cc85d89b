"""The page on which a visitor reports a problem of an entry."""

from __future__ import annotations

from http import HTTPStatus
from uuid import UUID

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from gleanery.accounts.caller import address_of
from gleanery.errors import ComeAgain, GleaneryError, Invalid
from gleanery.interfaces.public.language import in_their_language
from gleanery.interfaces.public.report_form import ReportForm
from gleanery.publishing.showing import reading
from gleanery.publishing.showing.addresses import path_of
from gleanery.resolution.models import Record
from gleanery.review.reports import services as reports


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
@in_their_language
def report(request: HttpRequest, record_id: UUID) -> HttpResponse:
    record = reading.find(record_id)
    if record is None or record.status != reading.PUBLISHED:
        raise Http404
    if request.method != "POST":
        return _page(request, record, ReportForm())
    form = ReportForm(request.POST)
    if not form.is_valid():
        form.errors.clear()  # a reason that is none of ours: the service asks for one, too
        form.add_error("reason", _("Choose what is wrong."))
        return _page(request, record, form, HTTPStatus.UNPROCESSABLE_ENTITY)
    try:
        if not form.cleaned_data["website"]:  # people do not see that field; programs fill it in
            reports.report(record.pk, **form.given(), address=address_of(request))
    except GleaneryError as problem:
        return _refused(request, record, form, problem)
    return _page(request, record, None)


def _refused(request: HttpRequest, record: Record, form: ReportForm, problem: GleaneryError) -> HttpResponse:
    form.add_error(None, str(problem))
    status = problem.status if isinstance(problem, Invalid | ComeAgain) else HTTPStatus.NOT_FOUND
    page = _page(request, record, form, status)
    if isinstance(problem, ComeAgain):
        page["Retry-After"] = str(problem.retry_after)
    return page


def _page(request: HttpRequest, record: Record, form: ReportForm | None, status: int = HTTPStatus.OK) -> HttpResponse:
    """Without a form it says thank you."""
    context = {"form": form, "name": record.name, "path": path_of(record.pk, record.name)}
    return render(request, "public/report.html", context, status=status)
