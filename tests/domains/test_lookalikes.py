"""People see a name in its own script, unless it could pass for another."""

from __future__ import annotations

import pytest

from gleanery.domains.names import domain_of


@pytest.mark.parametrize(
    "honest",
    [
        "example.org",
        "правителство.bg",
        "правителство.бг",
        "училище-12.правителство.бг",
        "култура.com",
        "хоро.bg",  # every letter passes for a Latin one, but Cyrillic is at home there
        "хоро.бг",
        "сос.рф",
        "münchen.de",
        "faß.de",
        "đàlạt.vn",
        "łódź.pl",
        "ελλάδα.gr",
        "οικια.gr",
        "日本語テスト.jp",
        "データ.jp",
        "한국.kr",
        "مصر.com",
        "ישראל.co.il",
        "भारत.com",
        "հայ.am",
    ],
)
def test_safe_names_are_shown_in_their_own_script(honest):
    assert domain_of(honest).display == honest


@pytest.mark.parametrize(
    "deceptive",
    [
        "аррӏе.com",  # Cyrillic throughout, reads as apple
        "аррӏе.bg",  # palochka is in no alphabet of that country
        "сосо.com",
        "хоро.eu",
        "аpple.com",  # one Cyrillic letter among Latin ones
        "gοοgle.com",  # Greek omicrons
        "правителctво.bg",  # Latin c and t inside Bulgarian
        "пα.com",
        "ικα.com",
        "օս.com",
        "paypaı.com",  # dotless i
        "ɡoogle.com",  # script g
        "i❤.ws",
        "日本a.jp",
        "カaタ.jp",
        "1१.com",
    ],
)
def test_deceptive_names_stay_in_their_xn_form(deceptive):
    domain = domain_of(deceptive)
    assert domain.display == domain.name
    assert domain.name.startswith("xn--")


def test_each_label_is_checked_separately():
    assert domain_of("аррӏе.правителство.bg").display == "xn--80ak6aa92e.правителство.bg"
