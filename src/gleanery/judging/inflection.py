"""Inflected forms of listed words, so that finding a word in a text is a set lookup.

Forms are generated from the listed word, never guessed from the text: "statement" is not a form of "state". English and
Bulgarian have tables of endings; other languages in Latin letters share a few common ones.
"""

from __future__ import annotations

import re

SHORTEST = 4  # letters: shorter words (ngo, eu) take a plural at most
SHORTEST_STEM = 3

_CYRILLIC = re.compile("[а-яѝё]")
_VOWELS = "аеиоуъюя"

# Look like forms but are other words: съвети is "advice", not "councils"; "lives" has nothing to do with "live music".
_OTHER_WORDS = frozenset({"съвети", "съветите", "lived", "lives", "living", "houses", "opened", "showed"})

_OCEAN = (("isation", "ization"), ("ise", "ize"), ("centre", "center"), ("theatre", "theater"), ("labour", "labor"))

_NOUN_AFTER_CONSONANT = ("", "а", "я", "ът", "ят", "и", "ите", "ове", "овете", "та", "е")
_AFTER_VOWEL = {
    "а": ("а", "ата", "и", "ите"),
    "я": ("я", "ята", "и", "ите", "й"),
    "о": ("о", "ото", "а", "ата"),
    "е": ("е", "ето", "а", "ата", "я", "ята", "та", "тата"),
    "и": ("и", "ите", "а", "ата", "я", "ята", "о", "ото", "е", "ето"),
}
_PLURAL_OF_NEUTER = ("ств", "ищ", "ени", "ани", "яни", "ити")  # семейства, училища, дарения, събития
_ADJECTIVE = ("и", "а", "о", "е", "ия", "ият", "ата", "ото", "ите")
_VERB = ("", "м", "т", "ме", "те", "й", "йте", "не", "нето", "ния", "нията", "н", "на", "но", "ни", "ните", "щ", "щи")
_HARDENED = {"к": "ц", "г": "з", "х": "с"}  # ученик, ученици
_SHARED = ("", "s", "es", "e", "en", "er", "n", "a", "i", "o", "as", "os", "le", "lor", "ul", "y", "ów")


def forms(word: str, language: str, *, verbs: bool = True) -> frozenset[str]:
    """Return the case-folded word and its forms."""
    folded = word.casefold()
    if _CYRILLIC.search(folded):
        made = _bulgarian(folded)
    elif language == "en":
        made = _english(folded, verbs)
    else:
        made = _other(folded)
    return frozenset({folded, *(made - _OTHER_WORDS)})


def name_forms(word: str) -> frozenset[str]:
    """Return a capitalised name unchanged, and an adjective derived from one (софийска) with its forms."""
    return frozenset({word.casefold()}) if word[:1].isupper() else forms(word, "")


def _english(word: str, verbs: bool) -> set[str]:
    made: set[str] = set()
    if len(word) < SHORTEST_STEM:
        return made
    for base in _spellings(word) | _spellings(_singular(word)):
        made |= {base, _plural(base)}
        if verbs and len(base) >= SHORTEST and not base.endswith(("ing", "ed", "ion", "ship", "ment")):
            made |= _verb_forms(base)
    return made


def _singular(word: str) -> str:
    if len(word) <= SHORTEST or not word.endswith("s") or word.endswith(("ss", "us", "is")):
        return word
    if word.endswith("ies"):
        return f"{word[:-3]}y"
    return word[:-2] if word.endswith(("ches", "shes", "xes", "sses", "zes")) else word[:-1]


def _plural(word: str) -> str:
    if word.endswith("s"):
        return f"{word}es" if word.endswith("ss") else word
    if word.endswith(("ch", "sh", "x", "z")):
        return f"{word}es"
    return f"{word[:-1]}ies" if word.endswith("y") and word[-2:-1] not in "aeiou" else f"{word}s"


def _verb_forms(word: str) -> set[str]:
    if word.endswith("e"):
        return {f"{word}d", f"{word[:-1]}ing"}
    if word.endswith("y") and word[-2:-1] not in "aeiou":
        return {f"{word[:-1]}ied", f"{word}ing"}
    return {f"{word}ed", f"{word}ing"}


def _spellings(word: str) -> set[str]:
    """Return the word in British and American spelling."""
    made = {word}
    for british, american in _OCEAN:
        if word.endswith(british):
            made.add(word.removesuffix(british) + american)
        elif word.endswith(american):
            made.add(word.removesuffix(american) + british)
    return made


def _bulgarian(word: str) -> set[str]:
    if len(word) < SHORTEST:
        return {word + ending for ending in ("", "а", "ът", "и", "ите", "ове", "овете") if len(word) >= SHORTEST_STEM}
    if word[-1] == "й":
        return _verb(word[:-1]) if word.endswith(("ай", "вай")) else _ending_in_short_i(word[:-1])
    return _vowel_final(word) if word[-1] in _VOWELS else _consonant_final(word)


def _consonant_final(word: str) -> set[str]:
    made = {word + ending for ending in _NOUN_AFTER_CONSONANT}
    before, last = word[:-2], word[-1]
    if word.endswith(("ър", "ъл")):  # театър, театри
        made |= {before + last + ending for ending in ("и", "ите", "ове", "овете", "ата", "а")}
    elif word.endswith("ец"):  # доброволец, доброволци
        made |= {f"{before}ц{ending}" for ending in ("и", "ите")}
    elif word.endswith("ен"):  # кризисен, кризисния
        made |= {f"{before}н{ending}" for ending in _ADJECTIVE}
    if last in _HARDENED:
        made |= {word[:-1] + _HARDENED[last] + ending for ending in ("и", "ите")}
    return made


def _ending_in_short_i(stem: str) -> set[str]:
    return {stem + ending for ending in ("й", "я", "ят", "и", "ите", "еве", "евете")}


def _vowel_final(word: str) -> set[str]:
    stem = word[:-1]
    if len(stem) < SHORTEST_STEM:
        return {word, f"{word}та", f"{word}то"}
    made = {stem + ending for ending in _AFTER_VOWEL.get(word[-1], ("",))}
    if word[-1] in "ая" and stem.endswith(_PLURAL_OF_NEUTER):
        made |= {stem + ending for ending in ("о", "ото", "е", "ето")}
    if word[-1] == "и" and stem[-1] not in _VOWELS:  # listed in the plural
        made |= {stem + ending for ending in _NOUN_AFTER_CONSONANT}
        if stem.endswith("ц"):
            made |= {f"{stem[:-1]}{ending}" for ending in ("ец", "еца", "ецът", "к", "ка", "кът")}
    if stem.endswith(("ск", "н", "ов", "ев", "ен")) and word[-1] in "аои":
        made |= {stem + ending for ending in _ADJECTIVE}
    if stem.endswith("н") and stem[-2] not in _VOWELS:  # безплатна, безплатен
        made.add(f"{stem[:-1]}ен")
    if word.endswith(("ира", "ства")):
        made |= _verb(word)
    if word.endswith(("ане", "яне", "ене")):
        made |= {*_verb(word[:-2]), f"{word[:-1]}ия", f"{word[:-1]}ията", f"{word}то"}
    return made


def _verb(stem: str) -> set[str]:
    """Return verb forms: финансира, финансират, финансиране, финансираните."""
    return {stem + ending for ending in _VERB}


def _other(word: str) -> set[str]:
    if len(word) < SHORTEST:
        return {word, f"{word}s"}
    stem = word[:-1] if word[-1] in "aeiouăyę" and len(word) > SHORTEST else word
    return {stem + ending for ending in _SHARED}
