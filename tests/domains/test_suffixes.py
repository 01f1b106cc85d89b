"""Suffix tests are by label, never by letters."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gleanery.domains.suffixes import is_under, registrable_of


@pytest.mark.parametrize(
    ("name", "suffix"),
    [
        ("gov.bg", "gov.bg"),
        ("mon.gov.bg", "gov.bg"),
        ("a.b.gov.bg", "gov.bg"),
        ("nasa.gov", "gov"),
        ("mon.gov.bg", ".GOV.bg."),
        ("xn--80aealotwbjpid.xn--90ae", "бг"),
        ("правителство.бг", "xn--90ae"),
    ],
)
def test_a_name_is_under_its_suffix(name, suffix):
    assert is_under(name, suffix)


@pytest.mark.parametrize(
    ("name", "suffix"),
    [
        ("evil-example.org", "example.org"),
        ("attacker-gov.bg", "gov.bg"),
        ("gov.bg.evil.org", "gov.bg"),
        ("bg", "gov.bg"),
        ("example.org", ""),
        ("example.org", "."),
        ("", ""),
        ("", "org"),
        ("example.org", "\ud800"),
        ("\ud800", "org"),
    ],
)
def test_a_name_is_not_under_a_suffix_that_only_ends_alike(name, suffix):
    assert not is_under(name, suffix)


@given(st.text(st.characters(exclude_categories=[])), st.text(st.characters(exclude_categories=[])))
def test_the_suffix_test_never_raises(name, suffix):
    assert is_under(name, suffix) in {True, False}


@pytest.mark.parametrize(
    ("name", "registrable"),
    [
        ("a.b.example.org", "example.org"),
        ("a.b.example.co.uk", "example.co.uk"),
        ("a.foo.github.io", "foo.github.io"),
        ("xn--80aealotwbjpid.xn--90ae", "xn--80aealotwbjpid.xn--90ae"),
        ("a.b.unknown-ending", "b.unknown-ending"),
        ("co.uk", None),
        ("github.io", None),
        ("org", None),
    ],
)
def test_the_registrable_name_lies_just_below_the_public_suffix(name, registrable):
    assert registrable_of(name) == registrable
