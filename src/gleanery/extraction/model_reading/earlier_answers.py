"""Earlier answers of the model about unchanged pages, reused instead of asking again."""

from __future__ import annotations

from decimal import Decimal

from gleanery.discovery.models import Topic
from gleanery.domains.models import Domain
from gleanery.extraction.draft import Draft
from gleanery.extraction.model_reading.grounding import GroundingPage, grounded_drafts
from gleanery.extraction.models import Flag, ModelCall, Observation
from gleanery.extraction.relevance import Reason
from gleanery.extraction.storing.statements import WaitingPage


def earlier_opinion(page: WaitingPage, topic: Topic) -> tuple[bool, Reason] | None:
    """Return the earlier opinion on the page and its reason, or None."""
    flag = Flag.objects.filter(snapshot=page.snapshot, topic=topic, by="model").first()
    reason = next((each for each in flag.reasons if each["name"] == "model"), None) if flag else None
    return (flag.relevant, Reason("model", Decimal(0), reason["sentence"])) if flag and reason else None


def earlier_drafts(page: WaitingPage, domain: Domain, grounding_page: GroundingPage) -> list[Draft] | None:
    """Return drafts from the earlier answer, or None if the model has not answered about this content."""
    kept = Observation.objects.filter(
        page=page.page, snapshot=page.snapshot, extractor="model", superseded_at=None
    ).order_by("kind", "external_id")
    form: dict[str, list[dict[str, str]]] = {}
    for each in kept:
        form.setdefault(each.kind, []).append(dict(each.original or {}))
    if form:
        return grounded_drafts(form, grounding_page)
    calls = ModelCall.objects.filter(
        domain=domain, snapshot=page.snapshot, purpose="extraction"
    )  # index: model_call_of_domain
    answered = calls.filter(ms__isnull=False, problem="")
    return [] if answered.exists() else None
