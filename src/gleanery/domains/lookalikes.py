"""Display of domain names: in their own script if that is safe, in their xn-- form if it could deceive."""

from __future__ import annotations

import unicodedata

import ada_url

# The first word of a character's Unicode name is its script. Scripts missing here are not decoded.
# fmt: off
_ONE_WORD_SCRIPTS = (
    "LATIN", "CYRILLIC", "GREEK", "ARMENIAN", "GEORGIAN", "HEBREW", "ARABIC", "ETHIOPIC", "THAANA", "DEVANAGARI",
    "BENGALI", "GURMUKHI", "GUJARATI", "ORIYA", "TAMIL", "TELUGU", "KANNADA", "MALAYALAM", "SINHALA", "THAI", "LAO",
    "TIBETAN", "MYANMAR", "KHMER", "HANGUL", "HIRAGANA", "KATAKANA", "BOPOMOFO",
)
# fmt: on
SCRIPTS = {each: each for each in _ONE_WORD_SCRIPTS} | {
    "CJK": "HAN",
    "IDEOGRAPHIC": "HAN",
    "KATAKANA-HIRAGANA": "KATAKANA",
}

# Scripts that one language mixes; labels with any other mixture stay xn--.
TOGETHER = (
    frozenset({"HAN", "HIRAGANA", "KATAKANA"}),
    frozenset({"HAN", "HANGUL"}),
    frozenset({"HAN", "BOPOMOFO"}),
)

# Letters that look like Latin letters or digits. A label of only these is decoded only under an ending of that script,
# or of a country that uses it.
LOOKALIKES = {
    "CYRILLIC": frozenset("асԁеѐёһіїјӏорԛѕԝхуўѵѡгпьызҙӡԍ"),
    "GREEK": frozenset("αηικνορτυχω"),
    "ARMENIAN": frozenset("աոսօցզհյլքգ"),
}
HOMES = {
    "CYRILLIC": frozenset({"bg", "by", "kg", "kz", "me", "mk", "mn", "rs", "ru", "su", "tj", "ua", "uz"}),
    "GREEK": frozenset({"cy", "gr"}),
    "ARMENIAN": frozenset({"am"}),
}
# In no alphabet of those countries, so that аррӏе.bg is not decoded either.
NEVER_AT_HOME = frozenset("ԁӏԛԝѵѡԍ")

# Latin letters that do not decompose into a to z and a mark, and do not look like one of a to z.
OTHER_LATIN = frozenset("ßæœøđłðþħŋə")


def shown(name: str) -> str:
    """Return the name for display; each label is checked by itself, as browsers do."""
    if "xn--" not in name:
        return name
    labels = name.split(".")
    return ".".join(_shown_label(label, labels[-1]) for label in labels)


def _shown_label(label: str, ending: str) -> str:
    if not label.startswith("xn--"):
        return label
    decoded = ada_url.idna_to_unicode(label)
    return decoded if _is_safe(decoded, ending) else label


def _is_safe(label: str, ending: str) -> bool:
    letters = [each for each in label if not (each.isascii() and each in "0123456789-")]
    scripts = {_script(each) for each in letters}
    if None in scripts or not (len(scripts) == 1 or any(scripts <= each for each in TOGETHER)):
        return False
    script = scripts.pop()
    if script == "LATIN":
        return all(_is_common_latin(each) for each in letters)
    return not LOOKALIKES.get(script or "", frozenset()).issuperset(letters) or _is_at_home(script, letters, ending)


def _script(character: str) -> str | None:
    """Return the script of a letter or mark; None for symbols, native digits and emoji."""
    if unicodedata.category(character)[0] not in "LM":
        return None
    return SCRIPTS.get(unicodedata.name(character, "").split(" ")[0])


def _is_common_latin(letter: str) -> bool:
    return unicodedata.normalize("NFD", letter)[0].isascii() or letter in OTHER_LATIN


def _is_at_home(script: str | None, letters: list[str], ending: str) -> bool:
    if not NEVER_AT_HOME.isdisjoint(letters):
        return False
    return ending in HOMES.get(script or "", frozenset()) or _script(ada_url.idna_to_unicode(ending)[0]) == script
