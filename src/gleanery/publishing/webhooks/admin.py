"""Console pages of webhooks: which there are, what was delivered, and sending it again."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from django import forms
from django.contrib import admin, messages
from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.urls import reverse
from django.utils.html import format_html
from django.utils.safestring import SafeString
from unfold.decorators import display
from unfold.widgets import UnfoldAdminCheckboxSelectMultipleWidget

from gleanery import words
from gleanery.accounts.console import RoleAdmin, actor_at, attempt
from gleanery.errors import GleaneryError
from gleanery.kinds import KINDS
from gleanery.publishing.webhooks import services
from gleanery.publishing.webhooks.models import Delivery, Webhook
from gleanery.roles import Role

COLOURS = {"active": "success", "disabled": "warning", "failed": "danger", "removed": "danger"}
OUTCOMES = {"delivered": "success", "pending": "info", "failed": "danger"}
MOST_SENT = 5  # somebody waits for the answers


class WebhookForm(forms.ModelForm[Webhook]):
    kinds = forms.MultipleChoiceField(
        choices=words.labelled(KINDS),
        required=False,
        widget=UnfoldAdminCheckboxSelectMultipleWidget,
        help_text="None chosen: records of all kinds.",
    )

    class Meta:
        model = Webhook
        fields = ("url", "kinds", "query")


@admin.register(Webhook)
class WebhookAdmin(RoleAdmin[Webhook]):
    """The secret of a webhook is shown once, when it is added."""

    writer = Role.ADMIN
    form = WebhookForm
    list_display = ("url", "shown_kinds", "query", "shown_status", "failing_since", "shown_deliveries")
    list_filter = ("status",)
    search_fields = ("url",)
    ordering = ("-id",)
    actions = ("test", "disable", "enable", "remove")

    def get_queryset(self, request: HttpRequest) -> QuerySet[Webhook]:
        return super().get_queryset(request).defer("secret")

    def has_change_permission(self, request: HttpRequest, obj: Webhook | None = None) -> bool:
        """Through the actions alone: what is sent where stays what was journalled."""
        return obj is None and super().has_change_permission(request)

    def get_fields(self, request: HttpRequest, obj: Webhook | None = None) -> Any:
        facts = ("shown_kinds", "query", "shown_status", "status_reason", "failing_since", "created_at")
        return ("url", *facts, "shown_deliveries") if obj else ("url", "kinds", "query")

    def save_model(self, request: HttpRequest, obj: Webhook, form: Any, change: bool) -> None:
        made, secret = services.add(actor_at(request), obj.url, form.cleaned_data["kinds"], obj.query)
        obj.__dict__.update(made.__dict__)
        messages.warning(request, f"Copy the secret now, it is shown only this once: {secret}")

    def changeform_view(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        """A refusal of the services is shown as a sentence above the form."""
        try:
            return super().changeform_view(request, *args, **kwargs)
        except GleaneryError as problem:
            messages.error(request, str(problem))
            return HttpResponseRedirect(request.get_full_path())

    @admin.action(description="Send a test message", permissions=["change"])
    def test(self, request: HttpRequest, rows: QuerySet[Webhook]) -> None:
        attempt(request, rows[:MOST_SENT], lambda each: f"{each}: {services.test(actor_at(request), each).answer}")

    @admin.action(description="Disable", permissions=["change"])
    def disable(self, request: HttpRequest, rows: QuerySet[Webhook]) -> None:
        self._each(request, rows, services.disable, "receives nothing until it is enabled")

    @admin.action(description="Enable", permissions=["change"])
    def enable(self, request: HttpRequest, rows: QuerySet[Webhook]) -> None:
        self._each(request, rows, services.enable, "receives changes again, from where it stopped")

    @admin.action(description="Remove", permissions=["change"])
    def remove(self, request: HttpRequest, rows: QuerySet[Webhook]) -> None:
        self._each(request, rows, services.remove, "is removed")

    def _each(self, request: HttpRequest, rows: QuerySet[Webhook], act: Callable[..., Any], said: str) -> None:
        def done(webhook: Webhook) -> str:
            act(actor_at(request), webhook)
            return f"{webhook} {said}."

        attempt(request, rows, done)

    @display(description="kinds")
    def shown_kinds(self, webhook: Webhook) -> str:
        return ", ".join(map(words.of, webhook.kinds)) or "all"

    @display(description="status", label=words.by_words(COLOURS), ordering="status")
    def shown_status(self, webhook: Webhook) -> str:
        return words.of(webhook.status)

    @display(description="deliveries")
    def shown_deliveries(self, webhook: Webhook) -> SafeString:
        page = reverse("admin:publishing_delivery_changelist")
        return format_html('<a href="{}?webhook__id__exact={}">what was sent</a>', page, webhook.pk)


@admin.register(Delivery)
class DeliveryAdmin(RoleAdmin[Delivery]):
    """Deliveries of the last 30 days."""

    writer = Role.ADMIN
    list_display = ("shown_id", "webhook", "type", "changes", "shown_outcome", "attempts", "answer", "tried_at")
    list_filter = ("outcome", "type", "webhook")
    list_select_related = ("webhook",)
    ordering = ("-id",)
    actions = ("resend",)
    fields = ("shown_id", "webhook", "type", "changes", "shown_outcome", "attempts", "answer", "created_at", "body")

    def has_add_permission(self, request: HttpRequest) -> bool:
        return False

    def has_change_permission(self, request: HttpRequest, obj: Delivery | None = None) -> bool:
        return obj is None and super().has_change_permission(request)

    @admin.action(description="Send again", permissions=["change"])
    def resend(self, request: HttpRequest, rows: QuerySet[Delivery]) -> None:
        attempt(request, rows[:MOST_SENT], lambda each: f"{each}: {services.resend(actor_at(request), each).answer}")

    @display(description="message")
    def shown_id(self, delivery: Delivery) -> str:
        return delivery.message_id

    @display(description="outcome", label=words.by_words(OUTCOMES), ordering="outcome")
    def shown_outcome(self, delivery: Delivery) -> str:
        return words.of(delivery.outcome)
