"""Tables of accounts: users, API keys, one-time login links, stored responses and the journal."""

from __future__ import annotations

from django.contrib.auth.models import AbstractUser
from django.contrib.postgres.fields import ArrayField
from django.core.validators import RegexValidator
from django.db import models
from django.db.models.functions import Now
from django.utils.functional import cached_property

from gleanery import words
from gleanery.accounts.lifecycle import KEY
from gleanery.ids import uuid7
from gleanery.roles import AT_TERMINAL, SCOPES_OF, SYSTEM, Role, Scope


class User(AbstractUser):
    """A person, the system user, or a login name used at a terminal.

    Users are deactivated and never deleted, since the journal names them.
    """

    id = models.UUIDField(primary_key=True, default=uuid7, editable=False)

    class Meta:
        db_table = "account"

    @staticmethod
    def people() -> models.QuerySet[User]:
        """Return the users who can log in, or could if they were active."""
        return User.objects.exclude(username=SYSTEM).exclude(username__startswith=AT_TERMINAL)

    @cached_property
    def role(self) -> Role | None:
        """The user's highest role, from their groups; without one they may do nothing."""
        names = {group.name for group in self.groups.all()}
        return next((role for role in reversed(Role) if role in names), None)


class ApiKey(models.Model):
    """A key for a program or an agent; only the digest of its secret is stored."""

    id = models.UUIDField(primary_key=True, default=uuid7, editable=False)
    name = models.CharField(max_length=100, help_text="What the key is for; the journal shows it.")
    prefix = models.CharField(max_length=8, unique=True, validators=[RegexValidator(r"^[a-z0-9]{8}$")])
    digest = models.CharField(max_length=64)
    scopes = ArrayField(models.CharField(max_length=20, choices=[(scope.value, scope.value) for scope in Scope]))
    owner = models.ForeignKey(User, on_delete=models.PROTECT, related_name="keys")
    status = models.CharField(max_length=10, choices=[(state, state) for state in KEY.states], default=KEY.first)
    created_at = models.DateTimeField(db_default=Now())
    expires_at = models.DateTimeField(null=True, blank=True)
    last_used_at = models.DateTimeField(null=True)

    class Meta:
        db_table = "api_key"
        verbose_name = "API key"

    def __str__(self) -> str:
        return f"{self.name} (glean_{self.prefix}…)"

    @property
    def effective_scopes(self) -> frozenset[Scope]:
        """The scopes of the key that its owner has too; the scope admin includes all of them."""
        owned = SCOPES_OF[self.owner.role] if self.owner.role else frozenset()
        wanted = frozenset(Scope) if Scope.ADMIN in self.scopes else frozenset(map(Scope, self.scopes))
        return owned & wanted


class LoginLink(models.Model):
    """A secret link that logs one person in, once, before it expires."""

    id = models.UUIDField(primary_key=True, default=uuid7, editable=False)
    user = models.ForeignKey(User, on_delete=models.PROTECT)
    digest = models.CharField(max_length=64, unique=True)
    expires_at = models.DateTimeField()
    used_at = models.DateTimeField(null=True)

    class Meta:
        db_table = "login_link"

    def __str__(self) -> str:
        return f"login link for {self.user}"


class KeptAnswer(models.Model):
    """The response to a request with an Idempotency-Key, returned again to the same request."""

    id = models.UUIDField(primary_key=True, default=uuid7, editable=False)
    # The id of the API key, or of the user without one, so that programs of one owner stay apart.
    asked_by = models.UUIDField(editable=False)
    route = models.CharField(max_length=200)
    key = models.CharField(max_length=255)
    request_hash = models.BinaryField(max_length=32)
    answer = models.JSONField(null=True)
    created_at = models.DateTimeField(db_default=Now())

    class Meta:
        db_table = "kept_answer"
        indexes = [models.Index(fields=["created_at"], name="kept_answer_age")]
        constraints = [models.UniqueConstraint(fields=["asked_by", "route", "key"], name="kept_answer_once")]

    def __str__(self) -> str:
        return f"{self.route} {self.key}"


class JournalEntry(models.Model):
    """One decision: who did what to which thing, its state before and after, and why; a trigger forbids changes."""

    id = models.UUIDField(primary_key=True, default=uuid7, editable=False)
    at = models.DateTimeField(db_default=Now())
    actor = models.ForeignKey(User, on_delete=models.PROTECT, related_name="+")
    key = models.ForeignKey(ApiKey, on_delete=models.PROTECT, null=True, related_name="+")
    action = models.CharField(max_length=40)
    subject_kind = models.CharField(max_length=40)
    subject_id = models.CharField(max_length=64)
    subject_name = models.TextField(blank=True)
    before = models.JSONField(null=True)
    after = models.JSONField(null=True)
    reason = models.TextField(blank=True)

    class Meta:
        db_table = "journal"
        verbose_name = "journal entry"
        verbose_name_plural = "journal"
        indexes = [
            models.Index(fields=["subject_kind", "subject_id", "id"], name="journal_subject"),
            models.Index(fields=["actor", "id"], name="journal_actor"),
        ]

    def __str__(self) -> str:
        done = f"{words.of(self.action)} {words.of(self.subject_kind)}"
        return f"{self.actor} {done} {self.subject_name or self.subject_id}"
