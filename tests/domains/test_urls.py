"""Two links to one page get one address, which can still be fetched."""

from __future__ import annotations

import ada_url
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from gleanery.domains.urls import LONGEST, SESSIONS, TRACKING, canonical_url
from gleanery.errors import InvalidUrl

PIECES = [
    *(
        "/",
        "//",
        ".",
        "..",
        "/./",
        "/../",
        "%2e",
        "%2E%2e",
        "%",
        "%%32e",
        "%7e",
        "%7E",
        "%2f",
        "%C3%A9",
        "é",
        "e\u0301",
    ),
    *("?", "&", "&&", "=", ";", ";jsessionid=1", ";JSESSIONID=.", ";jsessio;jsessionid=nid=2", "#", "#frag", "+", " "),
    *(
        "utm_source=x",
        "utm%5Fmedium=y",
        "fbclid=1",
        "PHPSESSID=2",
        "a=1",
        "b=2",
        "a=3",
        "a[]=1",
        "A",
        "\\",
        "'",
        '"',
        "|",
    ),
    *("\t", "\n", "\x00", "\x7f", "\ud800", "<", "{", "^", "@", ":", "💩", "\u202e"),
]
anything = st.text(st.characters(exclude_categories=[]))
hostile = st.builds(
    "{}{}{}".format,
    st.sampled_from(["https://example.org", "http://WWW.Example.org:80", "https://пример.бг.:8443", "https:a.org", ""]),
    st.sampled_from(["/", "?", "", "#"]),
    st.lists(st.sampled_from(PIECES) | anything, max_size=8).map("".join),
)


@pytest.mark.parametrize(
    ("url", "canonical"),
    [
        ("https://Example.ORG", "https://example.org/"),
        ("HTTPS://example.org:443/", "https://example.org/"),
        ("http://example.org:80/", "http://example.org/"),
        ("http://example.org:8080/", "http://example.org:8080/"),
        ("https://www.example.org/", "https://www.example.org/"),
        ("https://example.org./a", "https://example.org/a"),
        ("https://правителство.bg/услуги", "https://xn--80aealotwbjpid.bg/%D1%83%D1%81%D0%BB%D1%83%D0%B3%D0%B8"),
        (" https://example.org/a\n/b\t ", "https://example.org/a/b"),
        ("https://example.org/a/./b/../c", "https://example.org/a/c"),
        ("https://example.org/a/%2e%2E/c", "https://example.org/c"),
        ("https://example.org\t/a\\b", "https://example.org/a/b"),
        ("https://example.org/%7euser/%41%2f%c3%a9", "https://example.org/~user/A%2F%C3%A9"),
        ("https://example.org/100%", "https://example.org/100%25"),
        ("https://example.org/%%32e", "https://example.org/%252e"),
        ("https://example.org/a#section", "https://example.org/a"),
        ("https://example.org/a?", "https://example.org/a"),
        ("https://example.org/a?&&", "https://example.org/a"),
        ("https://example.org/?b=2&a=1", "https://example.org/?a=1&b=2"),
        ("https://example.org/?b=2&a=3&b=1&a=1", "https://example.org/?a=3&a=1&b=2&b=1"),
        ("https://example.org/?q=a+b&q=c%20d", "https://example.org/?q=a+b&q=c%20d"),
        ("https://example.org/?utm_source=x&id=7&UTM_Medium=y&fbclid=z", "https://example.org/?id=7"),
        ("https://example.org/?utm%5Fsource=x", "https://example.org/"),
        ("https://example.org/?utm=1&sid=2&ref=3", "https://example.org/?ref=3&sid=2&utm=1"),
        ("https://example.org/a;jsessionid=0A1B?x=1", "https://example.org/a?x=1"),
        ("https://example.org/a/.;jsessionid=1/b", "https://example.org/a/b"),
        ("https://example.org/?PHPSESSID=1&x=1", "https://example.org/?x=1"),
        ("https://example.org/a//b/", "https://example.org/a//b/"),
        ("http://127.0.0.1:8000/", "http://127.0.0.1:8000/"),
    ],
)
def test_links_to_one_page_get_one_address(url, canonical):
    assert canonical_url(url) == canonical


@pytest.mark.parametrize(
    ("url", "reason"),
    [
        ("", "not a full web address"),
        ("example.org/a", "not a full web address"),
        ("//example.org/a", "not a full web address"),
        ("/a", "not a full web address"),
        ("ftp://example.org/", "must begin with http://"),
        ("javascript:alert(1)", "must begin with http://"),
        ("data:text/html,x", "must begin with http://"),
        ("https://user:secret@example.org/", "user name"),
        ("https://@example.org/", "user name"),
        ("https://example.org\\@evil.org/", "backslash"),
        ("https:\\\\example.org/", "backslash"),
        ("https://ex%61mple.org/", "percent"),
        ("https://exa mple.org/", "not a web address"),
        ("https://", "not a web address"),
        ("https://\ud800.org/", "not a web address"),
        ("https://example.org/\ud800", "not a web address"),
        ("https://example..org/", "two dots"),
        ("https://example.org../", "two dots"),
        ("https://example.org/" + "a" * 2000, "2000"),
        ("https://example.org/" + "я" * 400, "2000"),
    ],
)
def test_invalid_addresses_are_refused_with_a_reason(url, reason):
    with pytest.raises(InvalidUrl, match=reason):
        canonical_url(url)


def test_an_address_of_exactly_the_longest_length_is_taken():
    url = "https://example.org/".ljust(LONGEST, "a")
    assert canonical_url(url) == url


@pytest.mark.parametrize("name", [*TRACKING, *SESSIONS])
def test_tracking_parameters_are_dropped(name):
    assert canonical_url(f"https://example.org/?a=1&{name}=2&z=3") == "https://example.org/?a=1&z=3"


@given(anything | hostile)
def test_any_text_gives_an_address_or_a_reason(text):
    try:
        canonical = canonical_url(text)
    except InvalidUrl:
        return
    assert canonical.isascii()
    assert len(canonical) <= LONGEST
    assert "#" not in canonical
    assert ada_url.normalize_url(canonical) == canonical
    assert canonical_url(canonical) == canonical


@given(hostile)
def test_a_page_stays_on_its_host(text):
    try:
        canonical = canonical_url(text)
    except InvalidUrl:
        assume(False)
    opened = ada_url.URL(text.strip())
    assert ada_url.URL(canonical).hostname == opened.hostname.removesuffix(".")
    assert ada_url.URL(canonical).port == opened.port
