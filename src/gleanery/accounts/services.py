"""Use cases of accounts; each is a transaction that writes the journal."""

from __future__ import annotations

import hmac
import secrets
from collections.abc import Iterable
from datetime import datetime, timedelta

from django.contrib.auth.models import Group
from django.contrib.auth.password_validation import validate_password
from django.core.exceptions import ValidationError
from django.db import transaction
from django.db.models import EmailField, Q
from django.db.models.functions import Now
from django.utils import timezone

from gleanery.accounts import journal
from gleanery.accounts.actor import Actor
from gleanery.accounts.lifecycle import KEY
from gleanery.accounts.models import ApiKey, LoginLink, User
from gleanery.accounts.secrets import digest, new_key, read_key
from gleanery.errors import Conflict, Invalid, NotFound
from gleanery.roles import SYSTEM, Role, Scope
from gleanery.text import clean_text

LINK_LIFETIME = timedelta(hours=24)
LONGEST_KEY_NAME = 100


def find_user(username: str) -> User:
    user = User.people().filter(username=username).first()
    if user is None:
        raise NotFound(f"There is no user called {username!r}; `gleanery user list` shows all users.")
    return user


@transaction.atomic
def create_user(actor: Actor, username: str, role: Role, *, email: str = "", password: str | None = None) -> User:
    """Create a user; without a password they log in by a one-time link and can set one in the console."""
    actor.must_be(Role.ADMIN, "add a user")
    user = User(username=username, email=email, is_staff=True)
    try:
        if password is not None:
            validate_password(password, user)
        user.set_password(password)
        user.full_clean(exclude=["password"])
    except ValidationError as problem:
        raise Invalid(" ".join(problem.messages)) from None
    user.save()
    user.groups.set([Group.objects.get(name=role)])
    journal.write(actor, "create", user, after={"role": role})
    return user


@transaction.atomic
def set_role(actor: Actor, user: User, role: Role) -> User:
    actor.must_be(Role.ADMIN, "change a role")
    _keep_one_admin(user, leaves=role is not Role.ADMIN)
    before = user.role
    user.groups.set([Group.objects.get(name=role)])
    del user.role
    journal.write(actor, "set_role", user, before={"role": before}, after={"role": role})
    return user


@transaction.atomic
def set_active(actor: Actor, user: User, active: bool) -> User:
    """Activate or deactivate a user; a deactivated user cannot log in, and their keys stop working."""
    actor.must_be(Role.ADMIN, "deactivate or reactivate a user")
    _keep_one_admin(user, leaves=not active)
    LoginLink.objects.filter(user=user, used_at=None).delete()
    if not User.objects.filter(pk=user.pk, is_active=not active).update(is_active=active):
        raise Conflict(f"{user} is already {'active' if active else 'deactivated'}.")
    journal.write(actor, "reactivate" if active else "deactivate", user)
    user.refresh_from_db()
    return user


def _keep_one_admin(user: User, *, leaves: bool) -> None:
    """Refuse to remove the last admin; the lock is taken first, so that the count sees concurrent changes."""
    User.objects.select_for_update().get(username=SYSTEM)
    admins = User.people().filter(groups__name=Role.ADMIN, is_active=True)
    if leaves and list(admins.values_list("id", flat=True)) == [user.id]:
        raise Conflict(f"{user} is the only active admin. Make somebody else admin first.")


@transaction.atomic
def set_email(actor: Actor, user: User, email: str) -> User:
    """Change an e-mail address; the journal does not record the address, so that it can be deleted."""
    actor.must_be(Role.ADMIN, "change an e-mail address")
    try:
        EmailField(blank=True).clean(email, None)
    except ValidationError as problem:
        raise Invalid(" ".join(problem.messages)) from None
    User.objects.filter(pk=user.pk).update(email=email)
    journal.write(actor, "set_email", user)
    user.refresh_from_db()
    return user


@transaction.atomic
def set_password(actor: Actor, user: User, password: str) -> User:
    """Set a password, as an admin or as the user themselves."""
    if actor.user != user:
        actor.must_be(Role.ADMIN, "set somebody's password")
    try:
        validate_password(password, user)
    except ValidationError as problem:
        raise Invalid(" ".join(problem.messages)) from None
    user.set_password(password)
    user.save(update_fields=["password"])
    journal.write(actor, "set_password", user)
    return user


@transaction.atomic
def create_key(
    actor: Actor, name: str, scopes: Iterable[Scope], *, owner: User | None = None, expires_at: datetime | None = None
) -> tuple[ApiKey, str]:
    """Create a key; return it with its text, which is shown once and not stored."""
    actor.must_be(Role.ADMIN, "create a key")
    wanted = sorted(set(scopes))
    if not wanted:
        raise Invalid(f"A key needs at least one scope: {', '.join(Scope)}.")
    name = clean_text(name)
    if not 0 < len(name) <= LONGEST_KEY_NAME:
        raise Invalid(f"A key needs a name that says what it is for, of at most {LONGEST_KEY_NAME} characters.")
    holder = owner or actor.user
    if owner is not None and (owner.username == SYSTEM or not owner.is_active):
        raise Invalid(f"{owner} cannot own a key. Choose an active user.")
    if expires_at is not None and expires_at <= timezone.now():
        raise Invalid("The expiry date is in the past. Choose a later day.")
    text = new_key()
    key = ApiKey.objects.create(
        name=name,
        prefix=text.prefix,
        digest=text.digest,
        scopes=wanted,
        owner=holder,
        expires_at=expires_at,
    )
    journal.write(actor, "create", key, after={"scopes": wanted, "owner": str(key.owner)})
    return key, str(text)


def find_key(prefix: str) -> ApiKey:
    key = ApiKey.objects.filter(prefix=prefix.removeprefix("glean_")).first()
    if key is None:
        raise NotFound(f"There is no key {prefix!r}; `gleanery key list` shows all keys.")
    return key


def revoke_key(actor: Actor, key: ApiKey, reason: str = "") -> ApiKey:
    return journal.move(key, KEY, "revoke", actor, reason=reason)


def actor_of_key(text: str) -> Actor | None:
    """Return the actor of a key text; None if it is unknown, revoked, expired, or its owner is inactive."""
    given = read_key(text)
    if given is None:
        return None
    live = Q(status="active", owner__is_active=True) & (Q(expires_at=None) | Q(expires_at__gt=Now()))
    key = ApiKey.objects.select_related("owner").filter(live, prefix=given.prefix).first()
    if key is None or not hmac.compare_digest(key.digest, given.digest):
        return None
    _note_use(key)
    return Actor(key.owner, key)


def _note_use(key: ApiKey) -> None:
    """Record the use to the minute, so that a busy key does not turn every read into a write."""
    stale = Q(last_used_at=None) | Q(last_used_at__lt=Now() - timedelta(minutes=1))
    ApiKey.objects.filter(stale, pk=key.pk).update(last_used_at=Now())


@transaction.atomic
def issue_login_link(
    actor: Actor, user: User, lifetime: timedelta = LINK_LIFETIME, *, keeps_older: bool = False
) -> str:
    """Return the path of a link that logs this user in once; older links are deleted unless kept."""
    actor.must_be(Role.ADMIN, "create a login link")
    token = secrets.token_urlsafe(32)
    void = Q() if keeps_older else Q(user=user, used_at=None)
    LoginLink.objects.filter(Q(expires_at__lt=Now()) | void).delete()
    LoginLink.objects.create(user=user, digest=digest(token), expires_at=Now() + lifetime)
    journal.write(actor, "issue_login_link", user)
    return f"/login/{token}"


@transaction.atomic
def redeem_login_link(token: str) -> User | None:
    """Use up a login link and return its user; a single UPDATE ensures that only one of two clicks logs in."""
    links = LoginLink.objects.filter(digest=digest(token))
    if not links.filter(used_at=None, expires_at__gt=Now()).update(used_at=Now()):
        return None
    user = links.select_related("user").get().user
    if not user.is_active:
        return None
    journal.write(Actor(user), "log_in_by_link", user)
    return user


def has_admin_with_password() -> bool:
    """Return True if somebody can log in as admin without a link."""
    admins = User.people().filter(groups__name=Role.ADMIN, is_active=True)
    return any(admin.has_usable_password() for admin in admins)


@transaction.atomic
def first_admin() -> User:
    """Return an active admin, creating one in a new installation; safe if several processes start at once."""
    admin = User.people().filter(groups__name=Role.ADMIN, is_active=True).order_by("id").first()
    if admin is not None:
        return admin
    maker = Actor(User.objects.select_for_update().get(username=SYSTEM))
    return User.objects.filter(username="admin").first() or create_user(maker, "admin", Role.ADMIN)
