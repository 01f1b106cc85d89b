"""Every spelling of a host gives one name, and whatever is no site is refused with a plain reason."""

from __future__ import annotations

import unicodedata
from datetime import date

import ada_url
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from gleanery.domains.names import DomainName, domain_of, in_scope, suffix_list_date
from gleanery.errors import InvalidDomain

PIECES = [
    *(
        "http:",
        "https:",
        "HTTPS://",
        "http://",
        "//",
        "/",
        "\\",
        "@",
        ":",
        ":443",
        ":80",
        ":99999",
        "%",
        "%2e",
        "%40",
        "%00",
    ),
    *("%D0%BF", "%ff", "?", "#", "[::1]", "127.0.0.1", "0x7f", "1", ".", "..", "。", "．", "www.", "www", "WWW."),
    *(
        "example",
        "EXAMPLE",
        "ｅｘ",
        "org",
        "co.uk",
        "github.io",
        "bg",
        "бг",
        "правителство",
        "xn--90ae",
        "xn--",
        "xn--a",
    ),
    *("-", "_", "*", "faß", "é", "e\u0301", "\u00ad", "\u200b", "\u200d", "\u202e", "\x00", "\n", "\t", " ", "\ud800"),
    *("a" * 63, "a" * 64, "①", "٣", "ﬁ", "İ", "ſ", "user", "javascript:", "mailto:", "data:", "'", "$", "💩", "\u0301"),
]
anything = st.text(st.characters(exclude_categories=[]))
hostile = st.lists(st.sampled_from(PIECES) | anything, max_size=8).map("".join)
label = st.from_regex(r"[a-z0-9]([a-z0-9-]{0,8}[a-z0-9])?", fullmatch=True).filter(lambda it: not it.startswith("xn--"))
word = st.text("абвгдежзийклмнопрстуфхцчшщъьюя" + "éüñčß" + "abcxyz", min_size=1, max_size=10)
host = st.lists(label | word, min_size=1, max_size=3).flatmap(
    lambda labels: st.sampled_from(["org", "bg", "co.uk", "github.io", "бг", "test"]).map(
        lambda ending: ".".join([*labels, ending])
    )
)


@pytest.mark.parametrize(
    ("given_text", "name", "registrable"),
    [
        # the rows of the design and of seed 000
        ("https://Example.ORG:443/a?b#c", "example.org", "example.org"),
        ("https://www.us-bulgaria.org/contact", "us-bulgaria.org", "us-bulgaria.org"),
        ("https://us-bulgaria.org/programs/education-grant", "us-bulgaria.org", "us-bulgaria.org"),
        ("https://us-bulgaria.org/about/mission", "us-bulgaria.org", "us-bulgaria.org"),
        ("grants.example.org", "grants.example.org", "example.org"),
        ("programs.example.org", "programs.example.org", "example.org"),
        ("foo.github.io", "foo.github.io", "foo.github.io"),
        # what people type and paste
        ("Example.ORG", "example.org", "example.org"),
        ("example.org/path?x=1", "example.org", "example.org"),
        (" \texample.org\u00a0\n", "example.org", "example.org"),
        ("example.org.", "example.org", "example.org"),
        ("example.org:8080/path", "example.org", "example.org"),
        ("//example.org/path", "example.org", "example.org"),
        ("https:example.org", "example.org", "example.org"),
        ("https://medium.com/@someone", "medium.com", "medium.com"),
        ("https://example.org/a\\b?c=\\@d", "example.org", "example.org"),
        ("ｅｘａｍｐｌｅ．ｏｒｇ", "example.org", "example.org"),
        ("example。org", "example.org", "example.org"),
        ("１２３.example.org", "123.example.org", "example.org"),
        # international names
        ("https://правителство.bg/", "xn--80aealotwbjpid.bg", "xn--80aealotwbjpid.bg"),
        ("ПРАВИТЕЛСТВО.бг", "xn--80aealotwbjpid.xn--90ae", "xn--80aealotwbjpid.xn--90ae"),
        ("https://%D0%BF%D1%80%D0%B0%D0%B2%D0%BE.bg/", "xn--80ae0bbf.bg", "xn--80ae0bbf.bg"),
        ("faß.de", "xn--fa-hia.de", "xn--fa-hia.de"),
        # www. is dropped only when a site is left
        ("www.co.uk", "www.co.uk", "www.co.uk"),
        ("www.www.co.uk", "www.co.uk", "www.co.uk"),
        ("www.com", "www.com", "www.com"),
        ("www.github.io", "www.github.io", "www.github.io"),
        ("www.foo.github.io", "foo.github.io", "foo.github.io"),
        ("www.www.example.org", "example.org", "example.org"),
        ("www.grants.example.org", "grants.example.org", "example.org"),
        ("www2.example.org", "www2.example.org", "example.org"),
        ("grants.www.example.org", "grants.www.example.org", "example.org"),
        # exceptions and wildcards of the list, and endings it does not know
        ("www.ck", "www.ck", "www.ck"),
        ("city.kawasaki.jp", "city.kawasaki.jp", "city.kawasaki.jp"),
        ("foodbank.example", "foodbank.example", "foodbank.example"),
        ("www.kultura-sofia.test", "kultura-sofia.test", "kultura-sofia.test"),
        ("x.invalid", "x.invalid", "x.invalid"),
        ("r3---sn.example.org", "r3---sn.example.org", "example.org"),
    ],
)
def test_a_spelling_gives_its_name_and_registrable_name(given_text, name, registrable):
    domain = domain_of(given_text)
    assert (domain.name, domain.registrable, str(domain)) == (name, registrable, name)


@pytest.mark.parametrize(
    ("given_text", "reason"),
    [
        ("", "Enter a domain"),
        ("   ", "Enter a domain"),
        ("co.uk", "shared by many sites"),
        ("github.io", "shared by many sites"),
        ("foo.ck", "shared by many sites"),
        ("бг", "single word"),
        ("localhost", "single word"),
        ("http://localhost:8000/", "single word"),
        ("javascript:1", "single word"),
        ("127.0.0.1", "numeric address"),
        ("[::1]", "numeric address"),
        ("http://[::ffff:127.0.0.1]/", "numeric address"),
        ("2130706433", "numeric address"),
        ("0x7f.1", "numeric address"),
        ("0177.0.0.1", "numeric address"),
        ("127.0.0.1.", "numeric address"),
        ("１２７.0.0.1", "numeric address"),
        ("①②⑦.⓪.⓪.①", "numeric address"),
        ("1.2.3.4.5", "not a web address"),
        ("example.0x1", "not a web address"),
        ("http://a@b/", "user name"),
        ("https://user:secret@example.org/", "user name"),
        ("https://@example.org/", "user name"),
        ("info@example.org", "user name"),
        ("https://example.org＠evil.org/", "not a web address"),
        ("http://a\\@b/", "backslash"),
        ("https:\\\\example.org", "backslash"),
        ("/\\example.org", "path"),
        ("\\\\example.org", "backslash"),
        ("https://example.org\\.evil.org", "backslash"),
        ("javascript:alert(1)", "must begin with http://"),
        ("mailto:info@example.org", "must begin with http://"),
        ("ftp://example.org/", "must begin with http://"),
        ("file:///etc/passwd", "must begin with http://"),
        ("/example.org/path", "path"),
        ("https://", "has no host name"),
        ("?x=example.org", "has no host name"),
        ("exa\nmple.org", "control characters"),
        ("exa\x00mple.org", "control characters"),
        ("https://example.org/\x07", "control characters"),
        ("ex%61mple.org", "percent"),
        ("example%2eorg", "percent"),
        ("example.org%00.evil.org", "percent"),
        ("example.org%2f.evil.org", "percent"),
        ("https://%ff.org/", "not a web address"),
        ("exa mple.org", "not a web address"),
        ("https://example.org:99999/", "not a web address"),
        ("\ud800.org", "not a web address"),
        ("example.org..", "letters, digits and hyphens"),
        (".example.org", "letters, digits and hyphens"),
        ("a..b.org", "letters, digits and hyphens"),
        ("a_b.example.org", "letters, digits and hyphens"),
        ("-a.example.org", "letters, digits and hyphens"),
        ("a-.example.org", "letters, digits and hyphens"),
        ("a*b.example.org", "letters, digits and hyphens"),
        ("a" * 64 + ".org", "letters, digits and hyphens"),
        ("a." * 126 + "org", "253"),
        ("https://example.org/" + "a" * 9000, "too long"),
        ("xn--a.org", "xn--"),
        ("xn--.org", "xn--"),
        ("xn--abc-.org", "xn--"),
    ],
)
def test_invalid_names_are_refused_with_a_reason(given_text, reason):
    with pytest.raises(InvalidDomain, match=reason):
        domain_of(given_text)


def test_names_as_long_as_dns_allows_are_taken():
    assert domain_of("a" * 63 + ".org").name == "a" * 63 + ".org"
    assert len(domain_of("a." * 124 + "a.org").name) == 253


def test_a_refusal_shows_hostile_input_shortened_and_cleaned():
    with pytest.raises(InvalidDomain) as refused:
        domain_of("https://a@\u202e\x1b[31m" + "x" * 500)
    assert len(str(refused.value)) < 150
    assert str(refused.value).isprintable()


def test_a_name_is_a_value_that_can_be_compared_sorted_and_hashed():
    assert domain_of("b.org") == domain_of("www.B.org") == DomainName("b.org", "b.org")
    assert sorted({domain_of("b.org"), domain_of("a.org"), domain_of("www.a.org")}) == [
        domain_of("a.org"),
        domain_of("b.org"),
    ]
    with pytest.raises(AttributeError):
        domain_of("a.org").name = "b.org"


@pytest.mark.parametrize(
    ("url", "inside"),
    [
        ("https://example.org/a", True),
        ("HTTP://WWW.Example.org:443/a", True),
        (" https://example.org./ ", True),
        ("https://grants.example.org/", False),
        ("https://evil-example.org/", False),
        ("https://example.org.evil.org/", False),
        ("https://user@example.org/", False),
        ("https://example.org\\@evil.org/", False),
        ("mailto:info@example.org", False),
        ("example.org", False),
        ("/about", False),
        ("", False),
        ("\ud800", False),
    ],
)
def test_only_the_own_host_and_www_are_in_scope(url, inside):
    assert in_scope(url, domain_of("example.org")) is inside


def test_a_parent_is_not_in_the_scope_of_its_child():
    assert not in_scope("https://example.org/", domain_of("grants.example.org"))
    assert in_scope("https://www.grants.example.org/", domain_of("grants.example.org"))


def test_the_bundled_suffix_list_says_how_old_it_is():
    assert suffix_list_date() is not None
    assert date(2024, 1, 1) < suffix_list_date()


@given(anything | hostile)
def test_any_text_gives_a_name_or_a_reason(text):
    try:
        domain = domain_of(text)
    except InvalidDomain as refused:
        reason = str(refused)
        assert reason.endswith(".")
        assert reason.isprintable() or not clean_of_unassigned(reason)
        return
    assert domain.name.isascii()
    assert domain.name == domain.name.lower()
    assert domain.name == domain.registrable or domain.name.endswith("." + domain.registrable)
    assert len(domain.name) <= 253


def clean_of_unassigned(text: str) -> bool:
    """Python does not call private and unassigned characters printable, though they do no harm."""
    return not any(unicodedata.category(each) in {"Co", "Cn", "Cf"} for each in text)


@given(hostile | host)
def test_naming_is_idempotent(text):
    try:
        domain = domain_of(text)
    except InvalidDomain:
        assume(False)
    assert domain_of(domain.name) == domain
    assert domain_of(f"https://{domain.name}/") == domain
    assert domain_of(f"www.{domain.name}") == domain
    assert domain_of(domain.display) == domain
    assert domain_of(domain.registrable).name == domain.registrable


@given(hostile | host, st.sampled_from(["", "https://", "http://"]))
def test_names_equal_the_host_that_a_browser_opens(text, scheme):
    url = scheme + text
    try:
        domain = domain_of(url)
    except InvalidDomain:
        assume(False)
    full = url.strip()
    if not full.lower().startswith(("http:", "https:")):
        full = "https://" + full.lstrip("/")
    opened = ada_url.URL(full).hostname.removesuffix(".")
    while opened != domain.name:
        assert opened.startswith("www.")
        opened = opened.removeprefix("www.")


@given(host, st.data())
def test_all_spellings_that_a_browser_takes_for_one_host_give_one_name(name, data):
    try:
        domain = domain_of(name)
    except InvalidDomain:
        assume(False)
    spelling = data.draw(st.sampled_from([name, name.upper(), domain.name, domain.name.upper(), domain.display]))
    # Capital ẞ and the ß of .upper() are other letters to IDNA, so only what a browser takes for one host is compared.
    assume(ada_url.idna_to_ascii(spelling) in {ada_url.idna_to_ascii(name), domain.name.encode()})
    spelling = unicodedata.normalize(data.draw(st.sampled_from(["NFC", "NFD", "NFKC", "NFKD"])), spelling)
    spelling = spelling.replace(".", data.draw(st.sampled_from([".", "。", "．", "｡"])))
    if data.draw(st.booleans()):
        spelling = "".join(chr(ord(each) + 0xFEE0) if "a" <= each <= "z" else each for each in spelling)
    spelling += data.draw(st.sampled_from(["", "."])) + data.draw(st.sampled_from(["", ":80", ":443", ":8080"]))
    spelling = data.draw(st.sampled_from(["", "http://", "https://", "HTTPS://", "//"])) + spelling
    spelling += data.draw(st.sampled_from(["", "/", "/a/b?c=@d#e", "?q", "#f"]))
    assert domain_of(spelling) == domain


@given(anything | hostile, host)
def test_scope_never_raises(url, name):
    try:
        domain = domain_of(name)
    except InvalidDomain:
        assume(False)
    assert in_scope(url, domain) in {True, False}
