"""`gleanery user` and `gleanery key`: manages people, roles and API keys."""

from __future__ import annotations

from datetime import timedelta
from typing import Annotated, Any

import typer

from gleanery.environment import Environment
from gleanery.interfaces.cli.runtime import application, base_of
from gleanery.interfaces.cli.terminal.output import Json, ask_password, err, say, show, table
from gleanery.net import ports
from gleanery.roles import Role, Scope

users = typer.Typer(no_args_is_help=True, help="People who use the console, and their roles.")
keys = typer.Typer(no_args_is_help=True, help="API keys for programs and agents.")

Name = Annotated[str, typer.Argument(help="The name to log in with.")]


@users.command("list")
def list_users(json: Json = False) -> None:
    """Show all people."""
    with application():
        from gleanery.accounts.models import User

        rows = [_user_facts(user) for user in User.people().order_by("username")]
    columns = ("username", "role", "email", "active", "last_login")
    cells = [[row[column] for column in columns] for row in rows]
    show(
        rows,
        json,
        lambda: table(cells, *columns, empty="There are no users yet. To add one, run `gleanery user add NAME`."),
    )


@users.command("add")
def add_user(
    name: Name,
    role: Annotated[Role, typer.Option(help="What they may do.")] = Role.REVIEWER,
    email: str = "",
    password: Annotated[bool, typer.Option("--password", help="Ask for a password now.")] = False,
    json: Json = False,
) -> None:
    """Add a person, and print a login link that works once."""
    secret = ask_password() if password else None
    with application() as settings:
        from gleanery.accounts import services
        from gleanery.accounts.actor import at_terminal

        user = services.create_user(at_terminal(), name, role, email=email, password=secret)
        link = base_of(settings) + services.issue_login_link(at_terminal(), user)
        facts = {**_user_facts(user), "login_link": link}
    show(facts, json, lambda: _print_link(settings, link, f"{name} was added as {role}. "))


@users.command("link")
def link_user(name: Name, json: Json = False) -> None:
    """Print a login link that works once, within 24 hours."""
    with application() as settings:
        from gleanery.accounts import services
        from gleanery.accounts.actor import at_terminal

        link = base_of(settings) + services.issue_login_link(at_terminal(), services.find_user(name))
    show({"login_link": link}, json, lambda: _print_link(settings, link))


@users.command("password")
def set_password(name: Name, json: Json = False) -> None:
    """Set a new password for a person; it is typed without being shown."""
    secret = ask_password()
    with application():
        from gleanery.accounts import services
        from gleanery.accounts.actor import at_terminal

        facts = _user_facts(services.set_password(at_terminal(), services.find_user(name), secret))
    show(facts, json, lambda: say(f"{name} can now log in with the new password."))


@users.command("role")
def change_role(name: Name, role: Role, json: Json = False) -> None:
    """Give a person another role."""
    with application():
        from gleanery.accounts import services
        from gleanery.accounts.actor import at_terminal

        facts = _user_facts(services.set_role(at_terminal(), services.find_user(name), role))
    show(facts, json, lambda: say(f"{name} now has the role {role}."))


@users.command("deactivate")
def deactivate_user(name: Name, json: Json = False) -> None:
    """Deactivate a person and their keys; what they did is kept."""
    _set_active(name, False, json)


@users.command("reactivate")
def reactivate_user(name: Name, json: Json = False) -> None:
    """Reactivate a person."""
    _set_active(name, True, json)


def _set_active(name: str, active: bool, json: bool) -> None:
    with application():
        from gleanery.accounts import services
        from gleanery.accounts.actor import at_terminal

        facts = _user_facts(services.set_active(at_terminal(), services.find_user(name), active))
    show(facts, json, lambda: say(f"{name} is now {'active' if active else 'deactivated'}."))


@keys.command("list")
def list_keys(json: Json = False) -> None:
    """Show all keys, without their secrets, which are not stored."""
    with application():
        from gleanery.accounts.models import ApiKey

        rows = [_key_facts(key) for key in ApiKey.objects.select_related("owner").order_by("id")]
    columns = ("prefix", "name", "scopes", "owner", "status", "expires_at", "last_used_at")
    cells = [[", ".join(row[each]) if each == "scopes" else row[each] for each in columns] for row in rows]
    empty, spare = (
        "There are no keys yet. To add one, run `gleanery key add NAME --scope read`.",
        ("last_used_at", "owner"),
    )
    show(rows, json, lambda: table(cells, *columns, empty=empty, spare=spare))


@keys.command("add")
def add_key(
    name: Annotated[str, typer.Argument(help="What the key is for.")],
    scope: Annotated[list[Scope], typer.Option(help="What it may do; may be repeated.")],
    owner: Annotated[str, typer.Option(help="The person whose role limits the key.")] = "admin",
    days: Annotated[int | None, typer.Option(min=1, max=3650, help="Days until it expires; by default never.")] = None,
    json: Json = False,
) -> None:
    """Make a key and print it; it is shown only once."""
    with application():
        from django.utils import timezone

        from gleanery.accounts import services
        from gleanery.accounts.actor import at_terminal

        expires_at = timezone.now() + timedelta(days=days) if days else None
        person = services.find_user(owner)
        key, text = services.create_key(at_terminal(), name, scope, owner=person, expires_at=expires_at)
        facts = {**_key_facts(key), "key": text}
    show(facts, json, lambda: say(f"Copy the key now. It is shown only once:\n  {text}"))


@keys.command("revoke")
def revoke_key(
    prefix: Annotated[str, typer.Argument(help="As `gleanery key list` shows it.")],
    reason: str = "",
    json: Json = False,
) -> None:
    """Revoke a key."""
    with application():
        from gleanery.accounts import services
        from gleanery.accounts.actor import at_terminal

        facts = _key_facts(services.revoke_key(at_terminal(), services.find_key(prefix), reason))
    show(facts, json, lambda: say(f"{facts['name']} ({prefix}) was revoked."))


def _print_link(settings: Environment, link: str, before: str = "") -> None:
    """Print the link, and on standard error what is missing for it to work."""
    say(f"{before}This login link works once, within 24 hours:\n  {link}" if before else link)
    if not settings.public_url and not ports.answers(settings.port):
        say("The web server is not running yet. To start it:  gleanery up", to=err)


def _user_facts(user: Any) -> dict[str, Any]:
    return {
        "id": user.pk,
        "username": user.username,
        "role": user.role,
        "email": user.email,
        "active": user.is_active,
        "last_login": user.last_login,
    }


def _key_facts(key: Any) -> dict[str, Any]:
    shown = ("id", "prefix", "name", "scopes", "status", "created_at", "expires_at", "last_used_at")
    return {**{name: getattr(key, name) for name in shown}, "owner": key.owner.username}
