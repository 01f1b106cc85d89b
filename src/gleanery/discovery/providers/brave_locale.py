"""Countries and languages that Brave Search accepts; others get status 422, so they are not sent."""

from __future__ import annotations

COUNTRIES = (
    "AR AT AU BE BR CA CH CL CN DE DK ES FI FR GB HK ID IN IT JP KR MX MY NL NO NZ PH PL PT RU SA SE TR TW US ZA"
)
EVERYWHERE = "ALL"

LANGUAGES = (
    "ar bg bn ca cs da de en es et eu fi fr gl gu he hi hr hu is it kn ko lt lv ml mr ms nb nl pa pl ro ru sk sl sr sv "
    "ta te th tr uk vi"
)
OWN_SPELLING = {"ja": "jp", "no": "nb", "pt": "pt-pt", "zh": "zh-hans"}
SPELLING_BY_COUNTRY = {("pt", "BR"): "pt-br", ("zh", "TW"): "zh-hant", ("zh", "HK"): "zh-hant"}


def brave_country(country: str) -> dict[str, str]:
    """Return the country parameter; without one, Brave would use the United States, so ALL is sent."""
    return {"country": country if country in COUNTRIES.split() else EVERYWHERE}


def brave_language(language: str, country: str) -> dict[str, str]:
    spelled = SPELLING_BY_COUNTRY.get((language, country)) or OWN_SPELLING.get(language, language)
    return {"search_lang": spelled} if spelled in LANGUAGES.split() or language in OWN_SPELLING else {}
