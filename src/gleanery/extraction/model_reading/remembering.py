"""What a model has said of a page whose content is still the same: it stands, and is not asked for a second time."""

from __future__ import annotations

from decimal import Decimal

from gleanery.discovery.models import Topic
from gleanery.domains.models import Domain
from gleanery.extraction.draft import Draft
from gleanery.extraction.model_reading.grounding import Page, drafts_of
from gleanery.extraction.models import Flag, ModelCall, Observation
from gleanery.extraction.relevance import Reason
from gleanery.extraction.storing.statements import Waiting


def opinion_on(page: Waiting, topic: Topic) -> tuple[bool, Reason] | None:
    """Whether it found the page relevant, and its sentence."""
    flag = Flag.objects.filter(snapshot=page.snapshot, topic=topic, by="model").first()
    told = next((each for each in flag.reasons if each["name"] == "model"), None) if flag else None
    return (flag.relevant, Reason("model", Decimal(0), told["sentence"])) if flag and told else None


def things_on(page: Waiting, domain: Domain, shown: Page) -> list[Draft] | None:
    """Read once more from the form that it filled in; None if it gave no answer about this content yet."""
    kept = Observation.objects.filter(
        page=page.page, snapshot=page.snapshot, extractor="model", superseded_at=None
    ).order_by("kind", "external_id")
    form: dict[str, list[dict[str, str]]] = {}
    for each in kept:
        form.setdefault(each.kind, []).append(dict(each.original or {}))
    if form:
        return drafts_of(form, shown)
    calls = ModelCall.objects.filter(domain=domain, snapshot=page.snapshot, purpose="extraction")  # index of the domain
    answered = calls.filter(ms__isnull=False, problem="")
    return [] if answered.exists() else None
