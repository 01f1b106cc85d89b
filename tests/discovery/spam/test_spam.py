"""The spam rules: what they filter out and keep, and their reasons."""

import json
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gleanery.discovery.spam import RULES, Spam, find_spam
from gleanery.discovery.spam.host import host_of
from gleanery.discovery.spam.letters import fold
from gleanery.discovery.spam.mismatch import is_gibberish
from gleanery.discovery.spam.phrases import Phrases
from gleanery.discovery.spam.tables import GROUPS, HOST_WORDS, LURES, THROWAWAY_ENDINGS, TRADE_NAMES, load
from gleanery.domains.names import DomainName, domain_of
from gleanery.errors import InvalidDomain
from gleanery.text import clean_text
from tests import labelled

NAMES = ["keyword_stuffing", "keyword_list", "domain_mismatch", "cross_category"]
INVENTED = [
    json.loads(line) for line in (Path(__file__).parent / "invented.jsonl").read_text(encoding="utf-8").splitlines()
]


def verdict(title: str, description: str, domain: str = "example.org") -> Spam | None:
    return find_spam(title, description, domain_of(domain))


def invented(label: str) -> list[Any]:
    """Mark rows that the rules are known to get wrong, so that improvements are noticed."""
    known = pytest.mark.xfail(reason="the rules do not tell this one yet")
    rows = [row for row in INVENTED if row["label"] == label]
    return [pytest.param(row, id=row["title"][:50], marks=[known] if row.get("weak") else []) for row in rows]


@pytest.mark.parametrize("row", invented("spam"))
def test_spam_is_filtered_out_with_a_reason(row: dict[str, str]) -> None:
    spam = verdict(row["title"], row["description"], row["domain"])
    assert spam is not None
    assert spam.rule == row.get("rule", spam.rule)
    assert spam.rule in NAMES
    assert spam.reason.endswith(".")


@pytest.mark.parametrize("row", invented("honest"))
def test_honest_results_stay(row: dict[str, str]) -> None:
    assert verdict(row["title"], row["description"], row["domain"]) is None


def test_the_rules_have_the_names_that_are_stored() -> None:
    assert sorted(rule.__name__ for rule in RULES) == sorted(NAMES)


def test_the_reason_quotes_the_words_that_matched() -> None:
    spam = verdict("Casino bonus", "Free spins for youth clubs, no deposit, play slots now", "clubs.example.com")
    assert spam is not None
    assert spam.rule == "cross_category"
    assert "«free spins»" in spam.reason
    assert "gambling" in spam.reason


@pytest.mark.parametrize(
    "domain", ["americaforbulgaria.org", "zaednozadecata.bg", "thehollowoakfund.co.uk", "wirhelfenkindern.de"]
)
def test_a_name_written_as_one_word_is_not_a_mismatch(domain: str) -> None:
    assert verdict("Small grants", "We support schools and libraries. Letters are accepted all year.", domain) is None


@pytest.mark.parametrize(
    "text",
    [
        "Общината раздава топъл обяд на възрастни хора всеки делничен ден.",
        "Die Gemeinde verteilt jeden Werktag ein warmes Mittagessen.",
        "Primăria împarte masa de prânz în fiecare zi lucrătoare.",
        "Општина дели топли оброк сваког радног дана.",
        "Belediye her gün sıcak öğle yemeği dağıtıyor.",
        "Ο δήμος μοιράζει ζεστό φαγητό κάθε εργάσιμη μέρα.",
        "El ayuntamiento reparte comida caliente cada día laborable.",
    ],
)
def test_text_in_other_languages_is_honest(text: str) -> None:
    assert verdict(text, text, "soc-uslugi.bg") is None


@pytest.mark.parametrize(
    "word",
    ["winrock", "tibet", "alphabet", "newspaper", "museum", "statement", "Essex", "Sussex", "specialist", "socialist"],
)
def test_words_that_contain_other_words_do_not_match(word: str) -> None:
    description = f"{word} {word}: order now, best price, free delivery, discount, instant bonus"
    assert not [
        group
        for group in _groups(word)
        if group.partition(".")[0] in {"gambling", "essays", "pharmacy", "loans", "adult"}
    ]
    spam = verdict(word, description)
    assert spam is None or spam.rule != "cross_category"
    assert not host_of(domain_of(f"{word}.example.com")).trades
    assert not host_of(domain_of(f"{word}fund.org")).trades


def _groups(text: str) -> set[str]:
    return {found.group for found in Phrases(GROUPS).find(fold(text).split())}


@pytest.mark.parametrize("disguised", ["cаsinо", "ⅽasino", "CASINO", "ｃａｓｉｎｏ", "c4sino", "cásino"])
def test_a_disguised_word_is_recognised(disguised: str) -> None:
    assert fold(disguised) == "casino"


@pytest.mark.parametrize(
    ("one", "same"), [("păcănele", "pacanele"), ("ΚΑΖΊΝΟ", "καζινο"), ("İDDAA", "iddaa"), ("Straße", "strasse")]
)
def test_marks_and_case_do_not_matter(one: str, same: str) -> None:
    assert fold(one) == same


def test_cyrillic_entries_are_found_in_latin_letters() -> None:
    assert (
        verdict("Besplatni spinovi bez depozita", "Najbolji kazino bonusi, kladionice, rulet", "sport-klub.com")
        is not None
    )


def test_entries_know_endings_alternatives_numbers_and_gaps() -> None:
    phrases = Phrases({"a": ["казин*", "free spin|spins", "# mg", "write my _ essay", "*kredit"]})
    text = "казината free spins 20 mg write my long essay sofortkredit"
    assert [found.shown for found in phrases.find(text.split())] == [
        "казината",
        "free spins",
        "20 mg",
        "write my long essay",
        "sofortkredit",
    ]
    others = "казиноманията freespin spins mg kreditkarte"
    assert phrases.find(others.split()) == []


@pytest.mark.parametrize("label", ["xqzvkt", "wqzzkx7", "hjvtq9", "jjx-24kfz", "bkzfq"])
def test_an_unreadable_name_is_gibberish(label: str) -> None:
    assert is_gibberish(label)


@pytest.mark.parametrize(
    "label",
    [
        "americaforbulgaria",
        "winrock",
        "fjordline",
        "schlossmuseum",
        "angstschweiss",
        "szczecin-przyjaciele",
        "iqra-school",
    ],
)
def test_a_name_in_any_language_is_readable(label: str) -> None:
    assert not is_gibberish(label)


def test_gibberish_alone_is_not_spam_and_initials_explain_a_name() -> None:
    assert verdict("Apply", "Round 2, instruments only.", "r2mgf.org") is None
    assert verdict("Gertrud Karl Hinrichsen Waisen Stiftung", "Satzung", "gkhws.xyz") is None


def test_a_site_that_sells_what_it_is_named_after_is_spam_whatever_else_it_says() -> None:
    title = "Grants for schools: play slots, support schools | RoyalSpin Casino"
    spam = verdict(title, "Play slots at RoyalSpin casino and we donate 1% of every bet.", "royalspin-casino.example")
    assert spam is not None
    assert spam.rule == "cross_category"
    assert verdict("Free help for gamblers", "Casino debts? We listen.", "casino-help.example") is None


def test_the_host_name_alone_is_never_enough() -> None:
    assert verdict("Community fridge", "Take what you need.", "casino-bonus-free-24.xyz") is None
    assert host_of(domain_of("casino-bonus-free-24.xyz")).doubt > host_of(domain_of("stadt-hellenbrunn.de")).doubt


texts = st.text(max_size=300).map(lambda text: clean_text(text, limit=300))
domains = st.sampled_from(["example.org", "xqzvkt.icu", "foo.gov.uk", "casino-24.bet"]).map(domain_of)
phrases_of_tables = st.lists(
    st.sampled_from(sorted(entry.replace("*", "") for entries in GROUPS.values() for entry in entries)), max_size=12
).map(", ".join)


@given(texts, texts, domains)
def test_no_text_breaks_a_rule(title: str, description: str, domain: DomainName) -> None:
    assert find_spam(title, description, domain) == find_spam(title, description, domain)


@given(texts | phrases_of_tables, texts | phrases_of_tables, domains)
def test_case_and_white_space_do_not_change_the_verdict(title: str, description: str, domain: DomainName) -> None:
    plain = find_spam(title, description, domain)
    spaced = find_spam(f"  {title} ".replace(" ", " \t "), description.replace(" ", "  "), domain)
    assert spaced == plain
    # A few letters have no way back from their capitals, such as the combining iota.
    if fold(title.upper()) == fold(title) and fold(description.upper()) == fold(description):
        assert find_spam(title.upper(), description.upper(), domain) == plain


@pytest.mark.parametrize("group", sorted(GROUPS))
def test_a_table_is_case_folded_and_has_no_duplicates(group: str) -> None:
    entries = GROUPS[group]
    assert entries
    assert [entry for entry in entries if entry != entry.casefold() or entry != " ".join(entry.split())] == []
    folded = [fold(entry) for entry in entries]
    assert sorted({entry for entry in folded if folded.count(entry) > 1}) == []


def test_every_trade_names_its_goods_and_weighs_known_signs() -> None:
    for name in TRADE_NAMES:
        table = load(name)
        assert table["sells"]
        assert {f"signs.{kind}" for kind in table.get("weights", {})} <= set(GROUPS)
        assert {"goods", "hints", "offers", "excuses"} <= set(table)
    assert set(HOST_WORDS) <= set(TRADE_NAMES)
    assert all(word == word.casefold() for word in LURES | THROWAWAY_ENDINGS)


def verdicts_on(use: labelled.Use) -> list[tuple[bool, Spam | None]]:
    return [(row["label"] == "spam", _verdict_at(row)) for row in labelled.rows(use, "spam_results")]


def _verdict_at(row: dict[str, str]) -> Spam | None:
    try:
        domain = domain_of(row["url"])
    except InvalidDomain:  # an invented host that is a public suffix
        host = urlsplit(row["url"]).hostname or ""
        domain = DomainName(host, host)
    return find_spam(row["title"], row["description"], domain)


def test_the_rules_separate_the_training_half() -> None:
    verdicts = verdicts_on("choose")
    assert sum(spam is not None for is_spam, spam in verdicts if is_spam) >= 0.95 * 125
    assert sum(spam is not None for is_spam, spam in verdicts if not is_spam) <= 2


def test_the_rules_keep_their_measured_quality_on_the_test_half() -> None:
    """The aim was to find 95 % of the spam and lose 2 honest results; bench/spam.py prints the current figures."""
    verdicts = verdicts_on("held_out")
    assert sum(spam is not None for is_spam, spam in verdicts if is_spam) >= 0.95 * 124
    assert sum(spam is not None for is_spam, spam in verdicts if not is_spam) <= 2  # of 231
