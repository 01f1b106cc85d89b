"""The sample web behaves like the real one: hosts, types, charsets, conditional requests, hostile pages."""

from __future__ import annotations

import gzip
import os
import socket
import subprocess
import sys
import time
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from email.utils import format_datetime
from http.client import HTTPConnection
from itertools import islice
from pathlib import Path

import pytest

from gleanery.demo.answer import Request
from gleanery.demo.sites import by_host
from gleanery.demo.web import SampleWeb, from_environment, page_at
from gleanery.net import robots
from tests.demo.conftest import TODAY, Seen, look

Visit = Callable[..., Seen]


def test_a_site_is_selected_by_host(visit: Visit) -> None:
    seen = visit("http://FONDACIA-iskra.example:8099/")
    assert seen.status == 200
    assert seen.headers["Content-Type"] == "text/html; charset=utf-8"
    assert "Фондация „Искра“" in seen.body.decode()


@pytest.mark.parametrize(
    "host", ["nobody.example", "example", "", "fondacia-iskra.example.evil.test", "www.bridgefund.example"]
)
def test_an_unknown_host_is_not_found(visit: Visit, host: str) -> None:
    assert visit(f"http://{host}/").status == 404


def test_an_unknown_page_is_not_found(visit: Visit) -> None:
    assert visit("http://fondacia-iskra.example/nothing").status == 404


def test_www_is_the_same_site_or_a_redirect(visit: Visit) -> None:
    assert visit("http://www.fondacia-iskra.example/").body == visit("http://fondacia-iskra.example/").body
    assert (
        visit("http://hopeforruralschools.example/about").headers["Location"]
        == "http://www.hopeforruralschools.example/about"
    )
    assert visit("http://www.prosveta.gov.example/np/").headers["Location"] == "http://prosveta.gov.example/np/"


def test_head_has_the_headers_of_get_and_no_body(visit: Visit) -> None:
    got, asked = visit("http://teatar-most.example/afish"), visit("http://teatar-most.example/afish", "HEAD")
    assert asked.headers == got.headers
    assert asked.body == b""
    assert int(asked.headers["Content-Length"]) == len(got.body)


def test_writing_methods_are_refused(visit: Visit) -> None:
    assert visit("http://teatar-most.example/", "POST").status == 405


def test_a_known_page_is_not_sent_again(visit: Visit) -> None:
    url = "http://teatar-most.example/afish"
    first = visit(url)
    for headers in (
        {"if_none_match": first.headers["ETag"]},
        {"if_none_match": f'"other", W/{first.headers["ETag"]}'},
        {"if_modified_since": first.headers["Last-Modified"]},
    ):
        again = visit(url, **headers)
        assert (again.status, again.body) == (304, b"")
        assert again.headers["ETag"] == first.headers["ETag"]
        assert "Content-Length" not in again.headers


@pytest.mark.parametrize(
    "headers",
    [
        {"if_none_match": '"other"'},
        {"if_none_match": '"other"', "if_modified_since": "Fri, 01 Jan 2100 00:00:00 GMT"},
        {"if_modified_since": "Thu, 01 Jan 2015 00:00:00 GMT"},
        {"if_modified_since": "yesterday"},
        {"if_modified_since": "Fri, 01 Jan 2100 00:00:00 -0000"},
    ],
)
def test_a_page_with_another_validator_is_sent(visit: Visit, headers: dict[str, str]) -> None:
    assert visit("http://teatar-most.example/afish", **headers).status == 200


def test_a_changed_page_has_another_etag_and_a_newer_date() -> None:
    url = "http://starata-fabrika.example/program/kestrel"
    old, new = look(SampleWeb(TODAY, 1), url), look(SampleWeb(TODAY, 2), url)
    assert b"EventCancelled" not in old.body
    assert b"EventCancelled" in new.body
    assert look(SampleWeb(TODAY, 2), url, if_none_match=old.headers["ETag"]).status == 200
    assert look(SampleWeb(TODAY, 2), url, if_modified_since=old.headers["Last-Modified"]).status == 200


def test_the_web_changes_while_it_runs() -> None:
    web = SampleWeb(TODAY)
    assert look(web, "http://serdica-courier.example/news/tram-5").status == 200
    assert look(web, "http://starata-fabrika.example/program/kino").status == 404
    assert look(web, "http://127.0.0.1:8099/version/2", "POST").body == b'{"day": "2026-11-15", "version": 2}'
    assert look(web, "http://serdica-courier.example/news/tram-5").status == 404
    assert look(web, "http://starata-fabrika.example/program/kino").status == 200


def test_a_change_is_newer_than_an_earlier_visit() -> None:
    web = SampleWeb(TODAY)
    before = format_datetime(datetime.now(UTC) - timedelta(minutes=1), usegmt=True)
    look(web, "http://127.0.0.1/version/2", "POST")
    assert look(web, "http://starata-fabrika.example/program/kestrel", if_modified_since=before).status == 200
    assert look(web, "http://starata-fabrika.example/program/vinil", if_modified_since=before).status == 304


def test_only_a_post_changes_the_web(visit: Visit) -> None:
    assert b'"version": 1' in visit("http://127.0.0.1/version/2").body
    assert visit("http://127.0.0.1/version/3", "POST").status == 404


def test_the_municipality_really_uses_windows_1251(visit: Visit) -> None:
    seen = visit("http://obshtina-plovdiv.example/socialni.htm")
    assert seen.headers["Content-Type"] == "text/html"
    assert "Нощен приют за бездомни „Марица“" in seen.body.decode("windows-1251")
    assert b"charset=windows-1251" in seen.body
    with pytest.raises(UnicodeDecodeError):
        seen.body.decode("utf-8")


def test_a_path_may_be_in_cyrillic(visit: Visit) -> None:
    seen = visit("http://biblioteka-rilski.example/%D1%81%D1%8A%D0%B1%D0%B8%D1%82%D0%B8%D1%8F/")
    assert "Работилница за фенери" in seen.body.decode()


def test_a_calendar_has_its_type(visit: Visit) -> None:
    seen = visit("http://teatar-most.example/afish.ics")
    assert seen.headers["Content-Type"] == "text/calendar; charset=utf-8"
    assert seen.body.startswith(b"BEGIN:VCALENDAR")
    assert f"DTSTART;TZID=Europe/Sofia:{20261203}T190000".encode() in seen.body


def test_robots_and_sitemaps_match_the_data(visit: Visit) -> None:
    rules = robots.parse(200, visit("http://prosveta.gov.example/robots.txt").body)
    assert not rules.allows("http://prosveta.gov.example/vatreshni/protokoli")
    assert rules.allows("http://prosveta.gov.example/np/")
    assert rules.sitemaps == ("http://prosveta.gov.example/sitemap.xml",)
    assert b"<loc>http://prosveta.gov.example/np/uchilishten-dvor</loc>" in visit(rules.sitemaps[0]).body
    assert robots.parse(200, visit("http://serdica-courier.example/robots.txt").body).delay == 2
    assert visit("http://cafe-lipa.example/robots.txt").status == 404
    assert visit("http://cafe-lipa.example/sitemap.xml").status == 404


def test_the_slow_site_is_slow(visit: Visit, naps: list[float]) -> None:
    visit("http://bavna-reka.example/dnevnik")
    assert naps == [1.0, 4.0]
    visit("http://bavna-reka.example/arhiv")
    assert sum(naps) > 100


def test_the_broken_site_is_broken(visit: Visit) -> None:
    assert visit("http://stara-gora.example/proekti").status == 500
    assert visit("http://stara-gora.example/novini").status == 503
    assert visit("http://stara-gora.example/galeria.php").status == 404
    lying = visit("http://stara-gora.example/biblioteka")
    assert lying.headers["Content-Type"] == "text/html; charset=utf-8"
    assert "Библиотека" in lying.body.decode("windows-1251")


def test_the_hostile_site_has_its_traps(visit: Visit) -> None:
    at = "http://trapdoor.test"
    assert visit(f"{at}/loop/a").headers["Location"] == "/loop/b"
    assert visit(f"{at}/loop/b").headers["Location"] == f"{at}/loop/a"
    assert visit(f"{at}/onward/41").headers["Location"] == "/onward/42"
    assert visit(f"{at}/inside").headers["Location"] == "http://127.0.0.1/admin"
    assert b'href="/calendar/2026/12"' in visit(f"{at}/calendar/2026/11").body
    assert b'href="/calendar/2027/1"' in visit(f"{at}/calendar/2026/12").body
    assert b"/offers?a=1&f1=a" in visit(f"{at}/offers?a=1").body
    assert b'href="/more/more/more/"' in visit(f"{at}/more/more/").body
    assert b"\0" in visit(f"{at}/nul").body
    assert visit(f"{at}/charset").headers["Content-Type"] == "text/html; charset=utf-16"
    assert visit(f"{at}/deep").body.count(b"<div>") == 100_000


def test_the_bomb_is_small_when_compressed(visit: Visit) -> None:
    seen = visit("http://trapdoor.test/bomb")
    assert seen.headers["Content-Encoding"] == "gzip"
    assert len(seen.body) < 1024 * 1024
    assert len(gzip.decompress(seen.body)) == 64 * 1024 * 1024


def test_the_nearest_handler_above_a_path_serves_it() -> None:
    site = by_host()["trapdoor.test"]
    page = page_at(site, "/calendar/1/1", 1)
    assert page
    assert page.handler == "calendar"
    assert page_at(site, "/elsewhere", 1) is None


def test_a_dripping_page_is_not_held_in_memory() -> None:
    web = SampleWeb(TODAY)
    answer = web.answer(Request("GET", "bavna-reka.example", "/arhiv"))
    assert answer.stream is not None
    assert b"".join(islice(answer.stream, 3)).endswith(b"..")


def test_granian_serves_it_from_the_environment(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.undo()  # real time here
    port = free_port()
    command = [sys.executable, "-m", "granian", "--interface", "wsgi", "--host", "127.0.0.1", "--port", port]
    environment = {"GLEANERY_DEMO_DAY": "2026-06-01", "GLEANERY_DEMO_VERSION": "2", "PATH": os.environ["PATH"]}
    server = subprocess.Popen(
        [*command, "gleanery.demo.web:application"],
        env=environment,
        cwd=tmp_path,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    try:
        assert "6 юли 2026 г." not in fetched(port, "fondacia-iskra.example", "/")
        assert "27 юли 2026 г." in fetched(port, "fondacia-iskra.example", "/")
        assert "Работилница" in fetched(
            port, "biblioteka-rilski.example", "/%D1%81%D1%8A%D0%B1%D0%B8%D1%82%D0%B8%D1%8F/"
        )
    finally:
        server.terminate()
        server.wait(20)


def free_port() -> str:
    with socket.create_server(("127.0.0.1", 0)) as listening:
        return str(listening.getsockname()[1])


def fetched(port: str, host: str, path: str) -> str:
    for _ in range(100):
        connection = HTTPConnection("127.0.0.1", int(port), timeout=10)
        try:
            connection.request("GET", path, headers={"Host": host})
            return connection.getresponse().read().decode()
        except ConnectionError:
            time.sleep(0.1)
        finally:
            connection.close()
    raise AssertionError("the server did not start")


def test_an_invalid_version_stops_the_start(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GLEANERY_DEMO_VERSION", "3")
    with pytest.raises(ValueError, match="use 1 or 2"):
        from_environment()


def test_an_invalid_day_stops_the_start(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GLEANERY_DEMO_DAY", "tomorrow")
    with pytest.raises(ValueError, match="isoformat"):
        from_environment()
    monkeypatch.delenv("GLEANERY_DEMO_DAY")
    assert abs(from_environment().day - datetime.now(UTC).date()).days <= 1
