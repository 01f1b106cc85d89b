"""E-mails about saved searches: asked for, confirmed, sent once, left with one click; and where addresses never go."""

from __future__ import annotations

import re
import subprocess
import sys
from collections.abc import Callable, Iterator
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from email.message import EmailMessage
from itertools import pairwise
from typing import Any
from urllib.parse import urlsplit

import psycopg
import pytest
from django.conf import LazySettings
from django.db import connection
from django.test import Client
from django.utils import timezone
from procrastinate.contrib.django import app

from gleanery.accounts.actor import Actor
from gleanery.accounts.models import JournalEntry, User
from gleanery.database.backup import contents
from gleanery.errors import MailProblem, NotAllowed
from gleanery.publishing.digests import limits, queue, rhythm, sending, services, status
from gleanery.publishing.digests.links import links_of
from gleanery.publishing.digests.models import Letter, Subscription
from gleanery.publishing.search.filters import Filters
from gleanery.publishing.tasks import forget_subscribers, send_letters
from gleanery.roles import Role
from tests.mail_server import Postbox, mail_server
from tests.resolution.shop import tell

pytestmark = pytest.mark.django_db
ANNA = "anna@home.example"
TALK = {"venue_name": "The Rex", "locality": "Sofia", "country": "BG"}


def day(ahead: int) -> str:
    return f"{timezone.now().date() + timedelta(days=ahead)}"


@pytest.fixture
def post(settings: LazySettings) -> Iterator[Postbox]:
    with mail_server() as (box, url):
        settings.ENVIRONMENT = replace(
            settings.ENVIRONMENT, smtp_url=url, smtp_from="Town <news@town.example>", public_url="https://town.example"
        )
        yield box


def ask(client: Client, email: str = ANNA, search: str = "kind=event", **typed: str) -> Any:
    given = {"email": email, "search": search, "rhythm": "weekly", "reminds": "on", **typed}
    return client.post("/follow/", given)


def text_of(message: EmailMessage) -> str:
    body = message.get_body(("plain",))
    assert body is not None
    return str(body.get_content())


def link_in(message: EmailMessage, part: str) -> str:
    (link,) = set(re.findall(rf"https://town\.example(/follow/{part}/\S+)", text_of(message)))
    return link


def subscribed(search: str = "kind=event", since: timedelta = timedelta(days=7), **given: Any) -> Subscription:
    """Somebody confirmed a week ago, and is due."""
    now = timezone.now()
    facts = {"email": ANNA, "rhythm": "weekly", "reminds": True, "language": "en", "query": search, **given}
    return Subscription.objects.create(confirmed_at=now - since, since=now - since, due_at=now, **facts)


def published(at: timedelta, *, kind: str = "event", name: str = "Talk", **told: Any) -> None:
    """One more record, published so long ago."""
    answer = tell("a", kind, name, name=name, **(TALK | {"start": day(3)} if kind == "event" else {}) | told)
    with connection.cursor() as cursor:
        cursor.execute("UPDATE record SET published_at = now() - %s WHERE id = %s", [at, answer.record])


def test_nothing_comes_before_the_owner_of_the_mailbox_confirmed(client: Client, post: Postbox) -> None:
    page = ask(client)
    assert "Please look into your mailbox" in page.content.decode()
    assert ANNA not in page.content.decode()
    send_letters(0)
    ((to, message),) = post.taken
    assert to == ANNA
    link = link_in(message, "confirm")
    Subscription.objects.update(due_at=None)
    assert "Yes, send me" in client.get(link).content.decode()
    assert Subscription.objects.get().confirmed_at is None, "a program that opens links confirms nothing"
    assert "You will get e-mails" in client.post(link).content.decode()
    row = Subscription.objects.get()
    assert row.confirmed_at is not None
    assert row.due_at is not None
    send_letters(0)
    assert len(post.taken) == 1


def test_the_question_has_nothing_in_it_that_a_stranger_typed(client: Client, post: Postbox) -> None:
    ask(client, search="q=Buy+pills+at+evil.example&place=evil.example")
    send_letters(0)
    ((_, message),) = post.taken
    assert "evil" not in message.as_string()
    assert "pills" not in text_of(message)


def test_a_link_that_confirms_expires_and_a_wrong_one_leads_nowhere(
    client: Client, post: Postbox, monkeypatch: pytest.MonkeyPatch
) -> None:
    ask(client)
    send_letters(0)
    link = link_in(post.taken[0][1], "confirm")
    token = link.removesuffix("/")
    assert client.post(f"{token[:-1]}{'A' if token[-1] != 'A' else 'B'}/").status_code == 404
    monkeypatch.setattr("gleanery.publishing.digests.links.CONFIRMABLE_FOR", timedelta(seconds=-1))
    assert client.post(link).status_code == 404
    Subscription.objects.update(created_at=timezone.now() - timedelta(days=3))
    forget_subscribers(0)
    assert not Subscription.objects.exists()


def test_a_digest_has_what_is_new_and_what_closes_each_once(post: Postbox) -> None:
    subscribed("")
    published(timedelta(days=2), name="New talk", cost="5 lv")
    published(timedelta(days=9), name="Old talk", venue_name="Other")
    published(timedelta(days=20), kind="funding", name="Closing fund", funder_name="F", deadline=day(6))
    published(timedelta(days=20), kind="funding", name="Far fund", funder_name="G", deadline=day(60))
    send_letters(0)
    ((to, message),) = post.taken
    text = text_of(message)
    assert to == ANNA
    assert re.search(r"NEW.*New talk.*https://town\.example/records/.*CLOSING SOON.*Closing fund", text, re.DOTALL)
    assert "Old talk" not in text
    assert "Far fund" not in text
    assert "https://town.example/search" in text
    html = message.get_body(("html",))
    assert html is not None
    assert 'href="https://town.example/records/' in str(html.get_content())
    Subscription.objects.update(due_at=timezone.now())
    send_letters(0)
    assert len(post.taken) == 1, "the windows meet: nothing is in two of them"


def test_a_digest_of_nothing_is_not_sent(post: Postbox) -> None:
    subscribed("q=nothing")
    send_letters(0)
    assert post.taken == []
    assert Letter.objects.get().status == "empty"


def test_an_email_can_be_left_with_one_click(post: Postbox) -> None:
    subscribed()
    published(timedelta(days=1))
    send_letters(0)
    message = post.taken[0][1]
    assert message["List-Unsubscribe-Post"] == "List-Unsubscribe=One-Click"
    link = re.fullmatch(r"<https://town\.example(/follow/leave/[^>]+)>", message["List-Unsubscribe"])
    assert link is not None
    program = Client(enforce_csrf_checks=True)
    assert program.get(link[1]).status_code == 200
    assert Subscription.objects.exists(), "looking at the link ends nothing"
    assert program.post(link[1], {"List-Unsubscribe": "One-Click"}).status_code == 200
    assert not Subscription.objects.exists()
    assert not Letter.objects.exists()
    assert "No more of these" in program.get(link[1]).content.decode()


def test_all_that_is_kept_of_a_mailbox_can_be_deleted(client: Client, post: Postbox) -> None:
    first = subscribed()
    subscribed("kind=funding")
    subscribed(email="other@home.example")
    client.post(urlsplit(links_of(first.pk).leave).path, {"all": "1"})
    assert [each.email for each in Subscription.objects.all()] == ["other@home.example"]


def test_an_admin_forgets_a_mailbox_and_the_journal_does_not_say_whose(
    admin: Actor, person: Callable[[Role], User]
) -> None:
    subscribed()
    subscribed("kind=funding")
    subscribed(email="other@home.example")
    assert {(each.search, each.followers) for each in services.followed()} == {
        ("/search?kind=event", 2),
        ("/search?kind=funding", 1),
    }
    with pytest.raises(NotAllowed):
        services.forget_mailbox(Actor(person(Role.REVIEWER)), ANNA)
    assert services.forget_mailbox(admin, " Anna@Home.example ") == 2
    assert [each.email for each in Subscription.objects.all()] == ["other@home.example"]
    entry = JournalEntry.objects.get(action="forget_subscriber")
    assert (entry.after, entry.subject_name) == ({"subscriptions": 2}, "store")


def test_the_language_is_the_subscribers(client: Client, post: Postbox) -> None:
    client.post(
        "/follow/",
        {"email": ANNA, "search": "", "rhythm": "daily"},
        headers={"Accept-Language": "bg"},
    )
    assert Subscription.objects.get().language == "bg"
    published(timedelta(hours=1), name="Разговор")
    Subscription.objects.all().delete()
    subscribed("", language="bg", rhythm="daily")
    send_letters(0)
    (message,) = [each for _, each in post.taken]
    assert message["Content-Language"] == "bg"
    assert "Разговор" in text_of(message)
    assert "НОВО" in text_of(message)
    assert message["Subject"] == "Gleanery: Всичко"


def test_limits_hold_for_a_caller_and_for_a_mailbox(
    client: Client, post: Postbox, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(limits, "FROM_ONE_CALLER", 5)
    for _ in range(5):
        assert ask(client).status_code == 200
    assert Letter.objects.count() == limits.TO_ONE_MAILBOX, "and nobody is shown that the mailbox had enough"
    assert ask(client, "b@home.example").status_code == 200
    assert ask(client, "c@home.example").status_code == 200
    refused = ask(client, "d@home.example")
    assert refused.status_code == 429
    assert int(refused["Retry-After"]) > 0
    assert "d@home.example" in refused.content.decode(), "what was typed is still there"


def test_programs_get_the_usual_answer_and_nothing_is_stored(client: Client, post: Postbox) -> None:
    page = ask(client, website="https://spam.example")
    assert "Please look into your mailbox" in page.content.decode()
    assert not Subscription.objects.exists()


@pytest.mark.parametrize(
    "given", ["", "anna", "a@b", "a\r\nBcc: x@evil.example@home.example", "a" * 300 + "@home.example"]
)
def test_what_is_no_mailbox_is_refused(client: Client, post: Postbox, given: str) -> None:
    page = ask(client, given)
    assert page.status_code == 422
    assert "This is no e-mail address" in page.content.decode()


def test_the_form_is_there_only_with_a_mail_server(client: Client, settings: LazySettings) -> None:
    page = client.get("/follow/?kind=event").content.decode()
    assert "webcal://testserver/feeds/calendar.ics?kind=event" in page
    assert "<form method" not in page
    assert ask(client).status_code == 404
    settings.ENVIRONMENT = replace(settings.ENVIRONMENT, smtp_url="smtp://localhost:1", smtp_from="a@b.example")
    assert 'name="email"' in client.get("/follow/?kind=event").content.decode()


def test_a_refused_mailbox_costs_the_others_nothing_and_is_given_up(post: Postbox) -> None:
    gone = subscribed(email="gone@home.example", refused=queue.MOST_REFUSALS - 1)
    subscribed()
    published(timedelta(days=1))
    post.answers["gone@home.example"] = "550 no such mailbox"
    send_letters(0)
    assert [to for to, _ in post.taken] == [ANNA]
    assert not Subscription.objects.filter(pk=gone.pk).exists()


def test_a_server_that_says_later_gets_the_same_letter_later(post: Postbox) -> None:
    subscribed()
    published(timedelta(days=1))
    post.answers[ANNA] = "451 later"
    send_letters(0)
    letter = Letter.objects.get()
    assert (letter.status, letter.tries) == ("waiting", 1)
    assert letter.try_at > timezone.now()
    post.answers.clear()
    Letter.objects.update(try_at=timezone.now())
    send_letters(0)
    ((_, message),) = post.taken
    assert message["Message-ID"] == f"<{letter.pk}@town.example>"


def test_a_mailbox_that_wants_to_be_asked_later_keeps_nobody_waiting(post: Postbox) -> None:
    subscribed(email="grey@home.example")
    subscribed()
    published(timedelta(days=1))
    post.answers["grey@home.example"] = "451 ask again"
    send_letters(0)
    assert [to for to, _ in post.taken] == [ANNA]


def test_a_letter_that_kills_workers_is_given_up(post: Postbox) -> None:
    subscribed()
    queue.queue_due()
    for _ in range(queue.MOST_TRIES):
        assert queue.take() is not None
        Letter.objects.update(taken_at=timezone.now() - queue.DEAD_AFTER)
        queue.revive()
    assert Letter.objects.get().status == "given_up"


def test_a_server_that_is_not_there_loses_nothing(settings: LazySettings) -> None:
    settings.ENVIRONMENT = replace(settings.ENVIRONMENT, smtp_url="smtp://127.0.0.1:1", smtp_from="news@town.example")
    subscribed()
    send_letters(0)
    published(timedelta(days=1))
    Letter.objects.update(status="waiting", try_at=timezone.now(), until=timezone.now())
    send_letters(0)
    assert Letter.objects.get().status == "waiting"
    with pytest.raises(MailProblem, match="cannot be reached"):
        status.standing()


def test_a_worker_that_was_taken_for_dead_hands_nothing_over(post: Postbox) -> None:
    subscribed()
    published(timedelta(days=1))
    queue.queue_due()
    taken = queue.take()
    assert taken is not None
    Letter.objects.update(taken_at=timezone.now() - queue.DEAD_AFTER)
    assert queue.revive() == ["waiting"]
    assert sending.send_waiting() == 1
    assert not queue.begin_handing(taken)
    assert len(post.taken) == 1


@pytest.mark.database
@pytest.mark.django_db(transaction=True)
def test_a_process_killed_while_the_server_takes_a_letter_sends_none_twice(
    post: Postbox, settings: LazySettings
) -> None:
    subscribed()
    published(timedelta(days=1))
    killed: list[subprocess.Popen[bytes]] = []

    def kill() -> str:
        killed[0].kill()
        killed[0].wait()
        return "250 OK"

    post.at_data = kill
    where = (connection.settings_dict["NAME"], settings.ENVIRONMENT.smtp_url)
    killed.append(subprocess.Popen([sys.executable, "-m", "tests.publishing.mail_process", *where]))
    assert post.has_one.wait(60)
    killed[0].wait()
    assert Letter.objects.get().status == "handed"
    send_letters(0)
    Letter.objects.update(taken_at=timezone.now() - queue.DEAD_AFTER)
    Subscription.objects.update(due_at=timezone.now())
    send_letters(0)
    assert len(post.taken) == 1
    assert sorted(Letter.objects.values_list("status", flat=True)) == ["empty", "unsure"]


@pytest.mark.django_db(transaction=True)
def test_a_window_leaves_out_what_a_transaction_that_still_runs_may_publish() -> None:
    subscribed()
    with psycopg.connect(**connection.get_connection_params()) as other:
        ((began,),) = other.execute("SELECT now()").fetchall()
        assert queue.queue_due() == 1
        assert Letter.objects.get().until <= began
    assert queue.queue_due() == 0


def test_what_is_too_much_for_one_email_is_counted_and_led_to(post: Postbox, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("gleanery.publishing.digests.items.MOST", 2)
    subscribed()
    for name in ("Amber", "Birch", "Cobalt"):
        published(timedelta(days=1), name=name, venue_name=f"{name} Hall")
    send_letters(0)
    text = text_of(post.taken[0][1])
    assert "and 1 more" in text
    assert "https://town.example/search?kind=event" in text


def test_letters_are_sent_each_minute() -> None:
    found = {each.task.name: each for each in app.periodic_registry.periodic_tasks.values()}
    assert found[send_letters.name].cron == "* * * * *"
    assert found[send_letters.name].task.lock is None


def test_an_address_is_in_no_journal_log_job_or_plain_backup(
    client: Client, post: Postbox, capfd: pytest.CaptureFixture[str], caplog: pytest.LogCaptureFixture
) -> None:
    ask(client)
    services.confirm(Subscription.objects.get().pk)
    Subscription.objects.update(due_at=timezone.now(), since=timezone.now() - timedelta(days=7))
    published(timedelta(days=1))
    for answer in ("550 no", "451 later"):
        post.answers[ANNA] = answer
        send_letters(0)
        Letter.objects.update(status="waiting", try_at=timezone.now())
    assert {"letter", "subscription"} <= contents.SECRET_TABLES
    written = [f"{each.before} {each.after} {each.subject_name}" for each in JournalEntry.objects.all()]
    with connection.cursor() as cursor:
        cursor.execute("SELECT args::text FROM procrastinate_jobs")
        written += [args for (args,) in cursor.fetchall()]
    out, err = capfd.readouterr()
    for text in (
        *written,
        out,
        err,
        caplog.text,
        str(Subscription.objects.first()),
        repr(Subscription.objects.first()),
    ):
        assert "anna" not in text
    for page in ("/search", "/feeds/atom.xml", "/api/v1/openapi.json"):
        assert "anna" not in client.get(page).content.decode()


def test_whatever_a_source_writes_is_text_in_an_email_and_no_contact_is_in_it(post: Postbox) -> None:
    subscribed("")
    hostile = '<script>alert(1)</script>"><img src=x>'
    published(
        timedelta(days=1), name=f"Talk {hostile}", cost=hostile, phone="+359 88 123 4567", email="ivana@home.example"
    )
    send_letters(0)
    ((_, message),) = post.taken
    html = message.get_body(("html",))
    assert html is not None
    assert "<script>" not in str(html.get_content())
    assert "<img" not in str(html.get_content())
    for part in (str(html.get_content()), text_of(message)):
        assert "4567" not in part
        assert "ivana" not in part


@pytest.mark.parametrize(
    ("how_often", "after", "due"),
    [
        ("daily", "2026-11-19T05:00:00", "2026-11-19T06:00:00"),
        ("daily", "2026-11-19T06:00:00", "2026-11-20T06:00:00"),
        ("weekly", "2026-11-19T06:00:00", "2026-11-26T06:00:00"),
        ("weekly", "2026-11-17T12:00:00", "2026-11-19T06:00:00"),
    ],
)
def test_the_next_morning_is_found(how_often: str, after: str, due: str) -> None:
    found = rhythm.next_due(how_often, datetime.fromisoformat(after).replace(tzinfo=UTC))
    assert found == datetime.fromisoformat(due).replace(tzinfo=UTC)


def test_windows_that_meet_remind_of_each_deadline_once() -> None:
    first = datetime(2026, 11, 5, 6, tzinfo=UTC)
    windows = [(first + timedelta(days=n), first + timedelta(days=n + 7)) for n in (0, 7, 14)]
    days = [rhythm.reminded("weekly", *each) for each in windows]
    assert all(before[1] == after[0] for before, after in pairwise(days))
    assert all(last - until.date() == timedelta(days=10) for (_, last), (_, until) in zip(days, windows, strict=True))


def test_a_later_subscription_to_the_same_search_takes_the_place_of_the_earlier(client: Client, post: Postbox) -> None:
    subscribed("kind=event")
    ask(client, rhythm="daily")
    services.confirm(Subscription.objects.get(confirmed_at=None).pk)
    assert Subscription.objects.get().rhythm == "daily"
    assert services.filters_of(Subscription.objects.get()) == Filters(kind="event")


def test_doctor_says_how_mail_stands(post: Postbox, settings: LazySettings) -> None:
    says, hint = status.standing()
    assert says.startswith("on: 127.0.0.1 takes them")
    assert hint == ""
    settings.ENVIRONMENT = replace(settings.ENVIRONMENT, public_url="")
    assert "GLEANERY_PUBLIC_URL" in status.standing()[1]
    settings.ENVIRONMENT = replace(settings.ENVIRONMENT, smtp_url="")
    assert status.standing()[0].startswith("off")
