"""Every text of the public site is there in each of its languages, and the compiled catalogues are up to date."""

from __future__ import annotations

import io
import re
from pathlib import Path

import pytest
from babel.messages.mofile import read_mo
from babel.messages.pofile import read_po

import gleanery
from gleanery.publishing.site.languages import LANGUAGES

SOURCE = Path(gleanery.__file__).parent
LOCALE = SOURCE / "publishing" / "locale"
TRANSLATED = [code for code in LANGUAGES if code != "en"]
PYTHON = re.compile(r'\b(?:(?:_|later)\(\s*"([^"]+)"\s*\)|ngettext\(\s*"([^"]+)",)')
SHORT = re.compile(r"""\{% translate (["'])(.+?)\1 %\}""")
LONG = re.compile(r"\{% blocktranslate[^%]*%\}(.*?)(?:\{% plural %\}(.*?))?\{% endblocktranslate %\}", re.DOTALL)
PAGES = ("publishing", "interfaces/public", "review/reports")
ANSWERS = ("domains/submissions/answers.py", "domains/submissions/proposal.py")


def texts() -> set[str]:
    """All that the code asks a translation for, as gettext names it."""
    found = {"There is no such page. The address may be mistyped, or what it led to is gone."}
    for folder in PAGES:
        for path in (*(SOURCE / folder).rglob("*.py"), *(SOURCE / each for each in ANSWERS)):
            found |= {one or other for one, other in PYTHON.findall(path.read_text())}
        for path in (SOURCE / folder).rglob("*.html"):
            found |= {text for _, text in SHORT.findall(path.read_text())}
            found |= {re.sub(r"\{\{ (\w+) \}\}", r"%(\1)s", one) for one, _ in LONG.findall(path.read_text())}
    return found


def _named(message: str | tuple[str, ...] | list[str]) -> str:
    """By the singular, where there are two forms."""
    return message if isinstance(message, str) else message[0]


@pytest.mark.parametrize("code", TRANSLATED)
def test_every_text_is_translated_and_none_is_left_over(code: str) -> None:
    catalogue = read_po(io.BytesIO((LOCALE / code / "LC_MESSAGES" / "django.po").read_bytes()))
    told = {_named(each.id): each for each in catalogue if each.id}
    assert set(told) == texts()
    for each in told.values():
        parts = each.string if isinstance(each.string, tuple) else (each.string,)
        assert all(parts), each.id
        for part in parts:
            assert set(re.findall(r"%\(\w+\)s", part)) <= set(re.findall(r"%\(\w+\)s", str(each.id))), each.id


@pytest.mark.parametrize("code", TRANSLATED)
def test_the_compiled_catalogue_is_that_of_the_texts(code: str) -> None:
    folder = LOCALE / code / "LC_MESSAGES"
    written = read_po(io.BytesIO((folder / "django.po").read_bytes()))
    compiled = read_mo(io.BytesIO((folder / "django.mo").read_bytes()))
    texts_of = [{_named(each.id): list(each.string) for each in told if each.id} for told in (written, compiled)]
    assert texts_of[0] == texts_of[1], "run `make texts`"
