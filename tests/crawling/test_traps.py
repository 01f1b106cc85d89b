"""Crawler traps are cut off, and honest sites are crawled in full."""

from __future__ import annotations

from datetime import date

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gleanery.crawling.frontier.traps import Traps
from gleanery.domains.urls import canonical_url

SITE = "https://example.org"
TODAY = date(2026, 11, 15)


def objection(path: str) -> str | None:
    return Traps(TODAY).objection(canonical_url(SITE + path))


@pytest.mark.parametrize(
    "path",
    [
        "/",
        "/about",
        "/2019/05/12/school-wins-prize",
        "/2019/05/school-wins-prize.html",
        "/news/2019-05-12/school-wins-prize",
        "/2019/05/12/12345",
        "/blog/2001/01/01/%D0%BA%D0%BE%D0%BD%D0%BA%D1%83%D1%80%D1%81",
        "/wp-content/uploads/2018/03/report.pdf",
        "/news/2019-05-12-school-wins-prize",
        "/report-2019-05.pdf",
        "/projects/2015",
        "/archive?year=2015",
        "/2026/11/",
        "/calendar/2025-11",
        "/calendar/2028-11",
        "/calendar?date=2027-02-03",
        "/events/2026/12/24",
        "/1234/56/thing",
        "/shop/9999/12/",
        "/news.php?id=4711",
        "/?p=123",
        "/index.php?option=com_content&view=article&id=17",
        "/list?page=100",
        "/search?q=grants",
        "/en/about/en",
        "/a/b/a/b",
        "/1/2/3/4/5/6/7/8/9/10/11/12",
        "/x?a=1&b=2&c=3&d=4&e=5&f=6",
        "/conference?session=5",
        "/conference?s=grants",
        "/sorting-waste?lang=bg",
        "/order/list",
        "/login",
    ],
)
def test_honest_addresses_are_visited(path: str) -> None:
    assert objection(path) is None


@pytest.mark.parametrize(
    ("path", "why"),
    [
        ("/a/b/a/b/a/b", "3 times"),
        ("/x/x/x", "3 times"),
        ("/en/X/en/x/en", "3 times"),
        ("/1/2/3/4/5/6/7/8/9/10/11/12/13", "more than 12 parts"),
        ("/x?a=1&b=2&c=3&d=4&e=5&f=6&g=7", "more than 6 parameters"),
        ("/x?sort=name", "sorts"),
        ("/x?ORDERBY=name", "sorts"),
        ("/x?filter%5Bcolour%5D=red", "sorts"),
        ("/x?filter[colour]=red", "sorts"),
        ("/post?replytocom=17", "sorts"),
        ("/post?share=facebook", "sorts"),
        ("/post?print", "sorts"),
        ("/post?view=print", "sorts"),
        ("/user?action=login", "sorts"),
        ("/shop?add-to-cart=12", "sorts"),
        ("/x?redirect_to=%2Fy", "sorts"),
        ("/(S(lit3py55t21z5v55vlm25s55))/x.aspx", "session"),
        ("/x;sid=0123456789abcdef/y", "session"),
        ("/x?sid=0123456789abcdef0123456789abcdef", "session"),
        ("/list?page=101", "beyond page 100"),
        ("/calendar/2029-01", "calendar page for 2029-01"),
        ("/calendar/2025-10", "calendar page for 2025-10"),
        ("/2019/05/", "calendar page for 2019-05"),
        ("/2019/05/12/", "calendar"),
        ("/2019/05/12/page/2", "calendar"),
        ("/calendar/2031/5/12/day", "calendar"),
        ("/events/20310512", "calendar"),
        ("/2031/05/12/weekly-meeting", "calendar"),
        ("/calendar?month=2031-05", "calendar"),
        ("/calendar?year=2031&month=5", "calendar"),
        ("/calendar?date=12.05.2031", "calendar"),
        ("/calendar?date=2031%2F05%2F12", "calendar"),
        ("/calendar?d=2031-05-12T10:00", "calendar"),
    ],
)
def test_traps_are_not_visited(path: str, why: str) -> None:
    reason = objection(path)
    assert reason is not None
    assert why in reason
    assert reason.endswith(".")


def accepted(paths: list[str]) -> int:
    traps = Traps(TODAY)
    return sum(traps.objection(SITE + path) is None for path in paths)


def test_a_calendar_gives_sixty_days_of_one_shape() -> None:
    assert accepted([f"/calendar/2026/{month}/{day}" for month in range(1, 11) for day in range(1, 29)]) == 60
    assert accepted([f"/a/2026/{month}/{day}/list" for month in range(1, 11) for day in range(1, 29)]) == 60
    assert (
        accepted([f"/calendar?date=2026-{month:02}-{day:02}" for month in range(1, 11) for day in range(1, 29)]) == 60
    )


def test_articles_with_dates_are_not_a_calendar_however_many() -> None:
    assert accepted([f"/2026/{number % 12 + 1}/{number % 28 + 1}/article-{number}" for number in range(500)]) == 500


def test_at_most_thirty_combinations_of_parameters_are_visited() -> None:
    assert accepted([f"/find?colour={one}&size={two}" for one in range(20) for two in range(20)]) == 30


def test_the_limit_of_one_path_does_not_affect_another() -> None:
    paths = [f"/find?colour={number}" for number in range(50)] + ["/other?colour=1"]
    assert accepted(paths) == 31


def test_a_list_may_have_a_hundred_pages() -> None:
    assert accepted([f"/list?page={number}" for number in range(1, 300)]) == 100
    assert accepted([f"/list?start={number * 10}" for number in range(300)]) == 100
    assert accepted([f"/list?page={number}&topic={topic}" for number in range(1, 51) for topic in "abc"]) == 150


def test_a_site_that_shows_every_page_by_number_is_crawled() -> None:
    assert accepted([f"/index.php?id={number}" for number in range(400)]) == 400
    assert accepted([f"/index.php?id={number}" for number in range(4000)]) == 500


def test_refused_addresses_are_not_remembered_so_a_replay_gives_the_same_result() -> None:
    paths = [f"/find?colour={number % 45}&sort={number}" for number in range(50)] + [f"/find?c={n}" for n in range(40)]
    traps, again = Traps(TODAY), Traps(TODAY)
    said = [traps.objection(SITE + path) for path in paths]
    for path, reason in zip(paths, said, strict=True):
        if reason is None:
            assert again.objection(SITE + path) is None
    assert sum(reason is None for reason in said) == 30


words = st.text("abcdefghijklmnopqrstuvwxyz-", min_size=3, max_size=12)


@given(st.dates(date(1995, 1, 1), TODAY), words.filter(lambda word: any(letter != "-" for letter in word)))
def test_no_old_article_is_mistaken_for_a_calendar(day: date, title: str) -> None:
    assert objection(f"/{day:%Y/%m/%d}/x{title}") is None


@given(st.dates(date(2029, 1, 1), date(2199, 12, 31)), st.sampled_from(["%Y/%m/%d", "%Y/%m", "%Y-%m-%d", "%Y%m%d"]))
def test_every_distant_month_is_refused_in_the_path_and_in_parameters(day: date, form: str) -> None:
    assert objection(f"/calendar/{day.strftime(form)}") is not None
    if form != "%Y/%m":
        assert objection(f"/calendar?d={day.strftime(form)}") is not None


@given(st.lists(words, min_size=1, max_size=4), st.integers(3, 4))
def test_every_path_that_repeats_three_times_is_refused(parts: list[str], times: int) -> None:
    assert objection("/" + "/".join(parts * times)) is not None


@given(st.lists(words, unique=True, max_size=12), st.dictionaries(words, words, max_size=6))
def test_the_first_visit_to_an_ordinary_address_is_accepted(parts: list[str], parameters: dict[str, str]) -> None:
    traps = Traps(TODAY)
    query = "&".join(f"z{name}={value}z" for name, value in parameters.items())
    assert traps.objection(f"{SITE}/{'/'.join(parts)}?{query}") is None


@given(st.text())
def test_nothing_makes_it_raise(text: str) -> None:
    Traps(TODAY).objection(f"{SITE}/{text}")
    Traps(TODAY).objection(text)
