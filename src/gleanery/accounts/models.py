"""Tables: users, API keys, one-time login links, kept answers and the journal."""

from __future__ import annotations

from django.contrib.auth.models import AbstractUser
from django.contrib.postgres.fields import ArrayField
from django.core.validators import RegexValidator
from django.db import models
from django.db.models.functions import Now
from django.utils.functional import cached_property

from gleanery import words
from gleanery.accounts.life import KEY
from gleanery.ids import uuid7
from gleanery.roles import AT_TERMINAL, SCOPES_OF, SYSTEM, Role, Scope


class User(AbstractUser):
    """A person, the system itself, or a login on a machine by which somebody types commands.

    Nobody is deleted, since the journal names them: they are deactivated.
    """

    id = models.UUIDField(primary_key=True, default=uuid7, editable=False)

    class Meta:
        db_table = "account"

    @staticmethod
    def people() -> models.QuerySet[User]:
        """All who can log in, or could if they were active."""
        return User.objects.exclude(username=SYSTEM).exclude(username__startswith=AT_TERMINAL)

    @cached_property
    def role(self) -> Role | None:
        """The role is the one group whose name is a role; who has none may do nothing."""
        names = {group.name for group in self.groups.all()}
        return next((role for role in reversed(Role) if role in names), None)


class ApiKey(models.Model):
    """A key for a program or an agent. Only the digest of its secret is kept."""

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
        """A key never exceeds its owner: what the owner may no longer do, the key may not either. admin is all."""
        owned = SCOPES_OF[self.owner.role] if self.owner.role else frozenset()
        wanted = frozenset(Scope) if Scope.ADMIN in self.scopes else frozenset(map(Scope, self.scopes))
        return owned & wanted


class LoginLink(models.Model):
    """A secret address that logs one person in, once, before it expires."""

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
    """What a request with an Idempotency-Key was told, so that the same request once more is told the same."""

    id = models.UUIDField(primary_key=True, default=uuid7, editable=False)
    # The id of the key, or of the user where a person asks: two programs of one owner do not share their keys.
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
    """One decision: who did what to which thing, what it was before and after, and why. A trigger forbids changes."""

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
