"""What else something is or was called, as brackets in its name or its description tell. Pure."""

from __future__ import annotations

import re

from gleanery.resolution.matches.spelling import name as spelled

BRACKETS = re.compile(r"\([^()]*\)")
MOST_WORDS = 7
_CALLED = "|".join(
    [
        r"formerly|previously|once called|also known as|(?:widely |locally |better )?known(?: locally)? as|aka",
        r"re-?opened as|renamed(?: to| as| from)?|now called|ehemals|früher|vormals|(?:auch )?bekannt als",
        r"бивш(?:ата?|ото|ият|ия|и)?|по-рано|известн?[аое]?н? като|познат[ао]? като",
        r"anciennement|connue? sous le nom de|antes|conocid[oa] como|già|noto come|nota come|dawniej|znan[yae] jako",
        r"voorheen|bekend als|tidligere|tidigare|dříve|fost[ăa]?|korábban",
    ]
)
_ALIAS = re.compile(
    rf"(?<!\w)(?:{_CALLED})[:\s]+[„“«\"‘']?(?:the |der |die |das |la |le |el |il )?([^.,;:!?()„“”«»\"\n]+)",
    re.IGNORECASE,
)
_MORE = re.compile(
    r"\s(?:after|since|until|when|where|which|in \d|seit|nach|bis|след|до|depuis|desde|od)\b", re.IGNORECASE
)
_BEFORE = re.compile(rf"(?<!\w)(?:{_CALLED})(?!\w)", re.IGNORECASE)


def in_brackets(text: str, aside: str) -> str:
    """Another name, it may be; the town is none, nor is who runs it."""
    if "(" not in text:
        return ""
    words = spelled(_BEFORE.sub(" ", " ".join(BRACKETS.findall(text)))).split()
    return "" if set(words) <= {*spelled(aside).split(), "city"} else " ".join(words)


def in_description(text: str) -> str:
    """Formerly the Crestline Bank Fieldhouse, known locally as The Ace: only what is begun with a capital."""
    found = _ALIAS.search(text) if text else None
    if found is None or not found[1][:1].isupper():
        return ""
    return spelled(" ".join(_MORE.split(found[1])[0].split()[:MOST_WORDS]))
