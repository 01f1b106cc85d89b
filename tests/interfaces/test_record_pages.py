"""Console pages of records and review items: kept input, texts and links."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import pytest
from django.test import Client

from gleanery.accounts.actor import Actor
from gleanery.resolution import services
from gleanery.resolution.models import Record, Verdict
from gleanery.resolution.near.flagging import ALL_CODES
from gleanery.review.models import Item
from gleanery.review.models import Warning as Row
from gleanery.review.queue import claims
from gleanery.roles import Role
from tests.resolution.shop import BACKWARDS, JAZZ, WORDS, record_of, tell
from tests.resolution.test_matching_flow import REX, REX_HOTEL
from tests.review.shop import somebody

pytestmark = pytest.mark.django_db

LoggedIn = Callable[[Role], Client]
RECORDS = "/admin/resolution/record"


@pytest.fixture
def client(logged_in: LoggedIn) -> Client:
    """Return a client logged in as a reviewer."""
    return logged_in(Role.REVIEWER)


def text_of(answer: Any) -> str:
    return str(answer.content.decode())


def act(client: Client, record: Record, action: str, **given: str) -> str:
    return text_of(client.post(f"{RECORDS}/{record.pk}/act/", {"action": action, **given}, follow=True))


def open_forms(page: str) -> list[str]:
    """Return the texts of the open forms."""
    return re.findall(r"<details open .*?</details>", page, re.DOTALL)


def test_a_refused_edit_keeps_the_input(client: Client) -> None:
    record = record_of(tell("a", "event", "1", **JAZZ))
    typed = {"field-name": "Jazz & more", "was-name": "Jazz Night", "field-start": "next friday", "was-start": "2027"}
    typed |= {"field-description": "Two\r\nlines.", "was-description": JAZZ["description"], "reason": "They wrote."}
    (form,) = open_forms(act(client, record, "edit", version="1", **typed))
    assert "Nothing was saved." in form
    assert ">\nTwo\r\nlines.</textarea>" in form
    for shown in ("Jazz &amp; more", "next friday", "They wrote."):
        assert f'value="{shown}"' in form, shown
    for before in ('name="was-name" value="Jazz Night"', 'name="was-cost" value=""', 'name="version" value="1"'):
        assert before in form, before
    assert Record.objects.get(pk=record.pk).name == "Jazz Night"


def test_an_edit_of_an_old_page_keeps_the_input_and_updates_the_rest(client: Client, admin: Actor) -> None:
    record = record_of(tell("a", "event", "1", **JAZZ))
    services.edit(admin, record, {"cost": "5 EUR"})
    typed = {"field-name": "Jazz!", "was-name": "Jazz Night", "field-cost": "", "was-cost": ""}
    page = act(client, record, "edit", version="1", **typed)
    assert "has changed since you opened it" in page
    (form,) = open_forms(page)
    cost = Record.objects.get(pk=record.pk).fields["cost"]
    for shown in ('name="field-name" value="Jazz!"', f'name="field-cost" value="{cost}"', 'name="version" value="2"'):
        assert shown in form, shown


def test_an_edit_of_a_deleted_record_is_not_lost(client: Client, admin: Actor) -> None:
    record = record_of(tell("a", "event", "1", **JAZZ))
    services.delete(admin, record, "spam")
    (form,) = open_forms(act(client, record, "edit", **{"field-name": "Jazz!", "was-name": "Jazz Night"}))
    assert 'value="Jazz!"' in form
    assert open_forms(text_of(client.get(f"{RECORDS}/{record.pk}/change/"))) == []


def test_a_refused_merge_and_deletion_keep_the_input(client: Client, admin: Actor) -> None:
    record = record_of(tell("a", "event", "1", **JAZZ))
    (form,) = open_forms(act(client, record, "merge", merge_into="nonsense", reason="The same poster."))
    assert "Nothing was saved." in form
    assert 'value="nonsense"' in form
    assert 'value="The same poster."' in form
    services.delete(admin, record, "spam")
    (form,) = open_forms(act(client, record, "delete", reason="It is an advertisement."))
    assert 'value="It is an advertisement."' in form


def test_a_refused_comparison_keeps_the_id(client: Client) -> None:
    record = record_of(tell("a", "event", "1", **JAZZ))
    for other in ("nonsense", str(record.pk), str(record.place_id)):
        page = text_of(client.get(f"{RECORDS}/{record.pk}/why/", {"other": other}, follow=True))
        assert f'name="other" value="{other}"' in page, other


def test_a_refused_rejection_keeps_its_reason(client: Client) -> None:
    item = Item.objects.get(record=record_of(tell("a", "event", "1", **BACKWARDS)))
    claims.claim(somebody(Role.ADMIN), item)
    address = f"/admin/review/item/{item.pk}/act/"
    page = text_of(client.post(address, {"action": "reject", "version": "1", "reason": "It <b>ended."}, follow=True))
    assert "has claimed" in page
    (form,) = open_forms(page)
    assert "It &lt;b&gt;ended.</textarea>" in form
    assert "Nothing was saved." in form


def test_refused_rejections_of_many_items_keep_the_reason(client: Client) -> None:
    first, second = (
        Item.objects.get(record=record_of(tell("a", "event", name, **{**BACKWARDS, "name": name})))
        for name in WORDS[:2]
    )
    claims.claim(somebody(Role.ADMIN), second)
    chosen = {"action": "reject", "_selected_action": [str(first.pk), str(second.pk)], "reason": "It <b>ended."}
    page = text_of(client.post("/admin/review/item/", chosen, follow=True))
    assert "Nothing was changed for this one." in page
    assert "It &lt;b&gt;ended.</textarea>" in page
    assert f'name="_selected_action" value="{second.pk}"' in page
    assert f'name="_selected_action" value="{first.pk}"' not in page
    assert [Item.objects.get(pk=each.pk).status for each in (first, second)] == ["rejected", "pending"]


def test_the_queue_is_filtered_by_every_duplicate_warning(client: Client) -> None:
    codes = (*ALL_CODES, "reversed_dates")
    for name, code in zip(WORDS, codes, strict=False):
        record = record_of(tell("a", "event", name, **{**BACKWARDS, "name": name}))
        Row.objects.filter(item__record=record).update(code=code)
    listed = text_of(client.get("/admin/review-queue?warning=duplicates", follow=True)).split('id="changelist-form"')[
        -1
    ]
    assert [name in listed for name, _ in zip(WORDS, codes, strict=False)] == [True] * 4 + [False]


def test_the_page_of_a_merged_record_links_to_the_other_and_shows_its_old_state(client: Client, admin: Actor) -> None:
    one = record_of(tell("city", "event", "1", trust=7, **JAZZ))
    two = record_of(tell("b", "event", "2", **{**JAZZ, "name": "Kobalt Ball"}))
    last = record_of(tell("c", "event", "3", **{**JAZZ, "name": "Willow Fair"}))
    services.merge(admin, one, two)
    services.merge(admin, two, last)
    tell("city", "event", "1", trust=7, **{**JAZZ, "cost": "5 EUR"})
    page = text_of(client.get(f"{RECORDS}/{one.pk}/change/"))
    link = f'href="{RECORDS}/{last.pk}/change/">Jazz Night</a>'
    assert "no longer says it" not in page
    assert "No source speaks of it now" not in page
    assert re.search(rf"It is part of <a [^>]*{link} now, and its sources count for that record", page)
    assert re.search(rf"Its sources speak of <a [^>]*{link} now", page)
    assert "city</a> (trust 7)" in page
    assert "It is part of" not in text_of(client.get(f"{RECORDS}/{last.pk}/change/"))


def test_the_list_of_records_shows_ids_for_comparing_and_merging(client: Client) -> None:
    record = record_of(tell("a", "event", "1", **JAZZ))
    assert f">{record.pk}<" in text_of(client.get(f"{RECORDS}/")).replace("\n", "")


def test_a_record_page_suggests_possible_duplicates(client: Client, admin: Actor) -> None:
    one, other = record_of(tell("a", "place", "1", **REX)), record_of(tell("b", "place", "2", **REX_HOTEL))
    for here, there in ((one, other), (other, one)):
        page = text_of(client.get(f"{RECORDS}/{here.pk}/change/"))
        assert f'<option value="{there.pk}">' in page
        assert f'href="{RECORDS}/{here.pk}/why/{there.pk}/">Why?</a>' in page
    services.give_verdict(admin, one, other, "different")
    assert "It may be the same as" not in text_of(client.get(f"{RECORDS}/{one.pk}/change/"))


def test_the_page_of_a_pair_links_to_the_review_item_and_both_records(client: Client, admin: Actor) -> None:
    one, other = record_of(tell("a", "place", "1", **REX)), record_of(tell("b", "place", "2", **REX_HOTEL))
    item = Item.objects.get(record=other)
    page = text_of(client.get(f"{RECORDS}/{one.pk}/why/{other.pk}/")).split("Next steps")[-1]
    for place in (
        f"/admin/review/item/{item.pk}/change/",
        f"{RECORDS}/{one.pk}/change/",
        f"{RECORDS}/{other.pk}/change/",
    ):
        assert f'href="{place}"' in page, place
    services.give_verdict(admin, one, other, "different")
    page = text_of(client.get(f"{RECORDS}/{one.pk}/why/{other.pk}/")).split("Next steps")[-1]
    assert "review queue" not in page
    assert page.count("to merge it into the other") == 2, "which can be done with or without a question"


def test_approving_a_possible_duplicate_explains_and_records_that_it_is_different(client: Client) -> None:
    one, other = record_of(tell("a", "place", "1", **REX)), record_of(tell("b", "place", "2", **REX_HOTEL))
    item = Item.objects.get(record=other)
    page = text_of(client.get(f"/admin/review/item/{item.pk}/change/"))
    link = f'<a class="underline" href="{RECORDS}/{one.pk}/change/">{one.name}</a>'
    assert f"If you approve it, it is recorded as different from {link}, and both stay separate" in page
    client.post(f"/admin/review/item/{item.pk}/act/", {"action": "approve", "version": "1"})
    assert Verdict.objects.get().verdict == "different"
    plain = Item.objects.get(record=record_of(tell("a", "event", "1", **BACKWARDS)))
    assert "recorded as different" not in text_of(client.get(f"/admin/review/item/{plain.pk}/change/"))


def test_an_unknown_id_gets_a_console_page_with_links(client: Client) -> None:
    record, nobody = record_of(tell("a", "event", "1", **JAZZ)), "00000000-0000-7000-8000-000000000000"
    for place, sentence in (
        (f"{RECORDS}/{nobody}/change/", "There is no such record."),
        (f"{RECORDS}/nonsense/change/", "There is no such record."),
        (f"{RECORDS}/{record.pk}/why/{nobody}/", "There is no such record."),
        (f"{RECORDS}/{record.pk}/why/nonsense/", "There is no such record."),
        (f"/admin/review/item/{nobody}/change/", "There is no such review item."),
        ("/admin/no/such/page/", "There is no such page."),
    ):
        answer = client.get(place, follow=True)
        assert answer.status_code == 404, place
        assert sentence in text_of(answer), place
        assert 'href="/admin/resolution/record/">Records</a>' in text_of(answer), place


def test_visitors_get_the_public_not_found_page(logged_in: LoggedIn) -> None:
    assert "Review queue" not in text_of(Client().get("/admin/no/such/page/", follow=True))
    assert "Review queue" not in text_of(logged_in(Role.REVIEWER).get("/no/such/page/"))


def test_the_queue_shows_each_warning_once_with_count_and_best_match(client: Client) -> None:
    item = Item.objects.get(record=record_of(tell("a", "event", "1", **BACKWARDS)))
    for name, probability in (("Amber", 0.6), ("Birch <b>", 0.9), ("Cobalt", 0.7)):
        other = record_of(tell("a", "event", name, **{**JAZZ, "name": name}))
        detail = {"duplicate_of": str(other.pk), "candidate_name": "Old name", "probability": probability}
        Row.objects.create(item=item, code="potential_duplicate", sentence="Like Old name.", detail=detail)
    page = text_of(client.get("/admin/review/item/")).split('id="changelist-form"')[-1]
    assert ">end before start</span>" in page
    said = (("Birch &lt;b&gt;", 90), ("Cobalt", 70), ("Amber", 60))
    title = " ".join(f"It may be the same as “{name}”: {percent}.0 % likely." for name, percent in said)
    assert f'<span title="{title}">may be a duplicate (3): Birch &lt;b&gt;</span>' in page


def test_a_time_without_zone_is_not_shown_as_utc(client: Client) -> None:
    record = record_of(tell("a", "event", "1", **{**JAZZ, "start": "2027-03-12T19:00:00"}))
    page = text_of(client.get(f"{RECORDS}/{record.pk}/change/"))
    assert "<li>2027-03-12 19:00</li>" in page
    assert " UTC</li>" not in page


def in_doubt(name: str, *others: Record) -> Item:
    """Return the review item of a record with these possible duplicates."""
    item = Item.objects.get(record=record_of(tell("a", "event", name, **{**BACKWARDS, "name": name})))
    for other in others:
        detail = {"duplicate_of": str(other.pk), "candidate_name": other.name}
        Row.objects.create(item=item, code="potential_duplicate", sentence=f"Like {other.name}.", detail=detail)
    return item


def test_the_list_asks_before_recording_possible_duplicates_as_different(client: Client) -> None:
    one, other = (record_of(tell("a", "event", name, **{**JAZZ, "name": name})) for name in WORDS[:2])
    clear, doubtful = in_doubt(WORDS[2]), in_doubt(WORDS[3], one, other)
    chosen = {"action": "approve", "_selected_action": [str(clear.pk), str(doubtful.pk)]}
    page = text_of(client.post("/admin/review/item/", chosen, follow=True))
    assert f"{WORDS[2]} is published." in page
    assert "it is recorded as different and stays separate" in page
    for each in (one, other):
        assert f">{each.name}</a>" in page
    assert f'name="_selected_action" value="{clear.pk}"' not in page
    assert [Item.objects.get(pk=each.pk).status for each in (clear, doubtful)] == ["approved", "pending"]
    assert not Verdict.objects.exists()
    told = re.findall(r'name="told_apart" value="([^"]+)"', page)
    confirmed = {"action": "approve", "_selected_action": str(doubtful.pk), "told_apart": told}
    page = text_of(client.post("/admin/review/item/", confirmed, follow=True))
    assert "is published and stays separate from “Amber” and “Birch”." in page
    assert {each.verdict for each in Verdict.objects.all()} == {"different"}
    assert Item.objects.get(pk=doubtful.pk).status == "approved"


def test_confirming_covers_only_the_duplicates_shown(client: Client) -> None:
    one, other = (record_of(tell("a", "event", name, **{**JAZZ, "name": name})) for name in WORDS[:2])
    item = in_doubt(WORDS[2], one)
    chosen = {"action": "approve", "_selected_action": str(item.pk)}
    told = re.findall(r'name="told_apart" value="([^"]+)"', text_of(client.post("/admin/review/item/", chosen)))
    detail = {"duplicate_of": str(other.pk), "candidate_name": other.name}
    Row.objects.create(item=item, code="potential_duplicate", sentence="And this.", detail=detail)
    page = text_of(client.post("/admin/review/item/", {**chosen, "told_apart": told}))
    assert "have changed since you opened the page" in page
    assert f">{other.name}</a>" in page
    assert Item.objects.get(pk=item.pk).status == "pending"
