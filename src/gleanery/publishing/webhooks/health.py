"""Health of webhooks, as `gleanery doctor` shows it."""

from __future__ import annotations

from gleanery.errors import GleaneryError
from gleanery.publishing.webhooks.models import Webhook
from gleanery.text import counted


def report() -> str:
    """Return a sentence if all is well; raise GleaneryError with the remedy if one was given up."""
    webhooks = Webhook.objects.exclude(status="removed").order_by("created_at")
    for each in webhooks:
        if each.status == "failed":
            raise GleaneryError(
                f"{each.url} gets nothing any more. {each.status_reason} Mend its receiver, then run "
                f"`gleanery webhook enable {each.pk}`."
            )
        if not each.secret:
            raise GleaneryError(f"{each.url} has no secret since a backup was restored: remove it and add it again.")
    failing = [each for each in webhooks if each.failing_since is not None]
    if failing:
        return f"{counted(len(webhooks), 'webhook')}; {failing[0].url} does not answer and is tried again"
    return f"{counted(len(webhooks), 'webhook')}, all well" if webhooks else "none"
