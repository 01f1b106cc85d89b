"""Finder of names of organisations and people in text, by typical words and capitals."""

from __future__ import annotations

import re

ORGANISATIONS = (
    "Фондация, Сдружение, Община, Район, Столичен район, Кметство, Читалище, Народно читалище, НЧ, Център, "
    "Музей, Библиотека, Асоциация, Дружество, Съюз, Фонд, "
    "Обществен фонд, Министерство, Агенция, Клуб, Приют, Училище, Университет, Колеж, Гимназия, Болница, "
    "Театър, Галерия, Институт, Дирекция, Мрежа, Кооперация, "
    "Дом, Младежки дом, Клиника, Комплекс за социални услуги, КСУ, "
    "БЧК, Регионален, Национален, Исторически музей, Технически колеж, Туристическо дружество, Съвет, "
    "Stiftung, Verein, Sozialwerk, Fondation, Association, Asociația, Fundația, Fundación, Asociación, "
    "Ayuntamiento, Mairie, Primăria, Biblioteca, Mutuelle, "
    "Centro, Centre, Comune"
)
ENDINGS = (
    "Foundation, Trust, Association, Alliance, Society, Fund, Council, Charity, Hospice, Network, Institute, "
    "Museum, Library, College, University, Centre, Center, "
    "Club, Union, Federation, Agency, Ministry, Committee, Project, Theatre, Partnership, Academy, School, "
    "Cooperative, CIC, Ltd, Ltd., e.V., e. V., gGmbH, GmbH, "
    "AG, ЕООД, ООД, АД, ЕТ, S.L., S.A., SRL, ASBL, House, Community, Initiative, Group, Collective, Coalition"
)

_QUOTED = r"[„“\"«][^„“”\"«»]{2,60}[“”\"»]"
# Repetitions are bounded, so that hostile lines cannot cause quadratic matching.
_CAP = r"[A-ZÀ-ŽА-ЯȘȚ][\w’'-]{0,60}"
_BG = sorted((word.strip() for word in ORGANISATIONS.split(",")), key=len, reverse=True)
_LINK = r"(?:de|des|du|del|la|le|les|los|las|der|die|das|für|pour|of|and|the|for|и|на|за|в|din|a|și|y|et|d[’'])"
_LEADING = re.compile(
    rf"\b(?:{'|'.join(map(re.escape, _BG))})(?:(?:\s(?:за|на|по)\s[\w\s]{{3,40}})?\s?{_QUOTED}(?:-\d{{4}})?|"
    rf"(?:\s(?:{_LINK}\s)*{_CAP}){{1,5}})"
    r"(?:\s(?:e\.\s?V\.|gGmbH|GmbH|АД|ЕООД|ООД)(?!\w))?"
)
_ENDINGS = "|".join(re.escape(word.strip()) for word in ENDINGS.split(","))
_ENDING = re.compile(
    rf"(?<![\w])(?:The\s)?(?:{_CAP}\s(?:(?:&|and|of|the|for|gemeinnützige)\s)*){{1,6}}(?:{_ENDINGS})(?!\w)"
)

_TITLE = r"(?:(?:Dr|Prof|Mr|Mrs|Ms|Mme|M|Frau|Herr|Sr|Sra|D-na|Dl|д-р|проф|доц|инж|гл\. ас|адв|г-жа|г-н)\.?\s){0,4}"
_PERSON_WORD = r"[A-ZÀ-ŽА-ЯȘȚ][a-zà-žșțа-я’']+(?:[A-Z][a-zà-ž]+)?(?:-[A-ZÀ-ŽА-ЯȘȚ][a-zà-žșțа-я]+){0,3}"
_NICK = r"(?: [“„\"][\w ]{2,20}[”“\"])?"
_PERSON = re.compile(
    rf"(?<![\w„“«\"]){_TITLE}(?:{_PERSON_WORD}|[A-ZА-Я]\.)(?: (?:van|von|de|der|el|al|Mac|Mc|O’|O'|Le|La|"
    rf"Ben))?{_NICK}(?: {_PERSON_WORD}){{1,2}}"
)
_POLITE = re.compile(r"^(?:инж|г-жа|г-н|Mr|Mrs|Ms|Mme|Frau|Herr|Sr|Sra|D-na|Dl)\.?\s")
_NO_NAME = re.compile(
    r"\b(?:Street|Road|Centre|Center|House|Library|Foundation|Charity|Hospice|Park|Hall|Association|Council|"
    r"Project|Monday|Tuesday|Wednesday|Thursday|"
    r"Friday|Saturday|Sunday|Street|Lane|Contact|Phone|Email|Opening|Hours|Телефон|Контакти|Център|Фондация|"
    r"Сдружение|Община|Адрес|Работно|Програма|Дом|"
    r"Verein|Stiftung|Telefon|Fondation|Asociația|Fundația|Fundación|Centro|Biblioteca|Club|Клуб|Фонд|Музей|"
    r"Приют|Зала|Desk|Office|Clinic|Society|Trust|Fund|Team|Haus|Straße|St|Rd|Blvd|Yard|Row|Director|"
    r"Coordinator|Manager|Officer|Therapist|Secretary|Treasurer|Chair|President|Executive|Community|"
    r"School|College|Institute|Museum|Network|Alliance|Radio|Europe\w*|Union|Курс|Понеделник|Вторник|"
    r"Сряда|Четвъртък|Петък|Събота|Неделя|Район|Училище|"
    r"Дирекция|Агенция|Социал\w*|Клиника|Комплекс|Театър|Читалище|Библиотека|Montag|Dienstag|Mittwoch|"
    r"Donnerstag|Freitag|Mairie|Banque|Caisse|Referent\w*|Leit\w+|Berat\w+|Beauftragte\w*|"
    r"Association|Siège|Place|Rue|Str|Ave|Avenue|Sq|Square|Ln|Ul|Bul|Ул|Бул|Пл)\b|"
    # Bulgarian imperatives end like this, family names do not: „В. Обаждате се на …“
    r"[а-я](?:йте|ате|ете|ите|яте)\b"
)


_NOT_FIRST = re.compile(
    r"Ring|Call|Contact|Email|Write|Ask|Text|Meet|Sună|Пишете|Пиши|Die|Der|Das|The|Our|Un|Une|Le|La|Les|El|Los|"
    r"For|In|At|On|And|From|При|За|От|На|С|В|Ще|Без|Има|All|Every"
)


def organisation_in(text: str) -> str:
    """Return the first organisation named in the text, or ""."""
    found = [match for match in (_LEADING.search(text), _ENDING.search(text)) if match]
    return min(found, key=lambda match: match.start()).group().strip() if found else ""


def without_stop(name: str) -> str:
    """Return the name without a final full stop, unless it belongs to an abbreviation."""
    return name if re.search(r"\b(?:\w|Ltd|Inc|Co|Str|St)\.$", name) else name.rstrip(" .")


def is_organisation(text: str) -> bool:
    match = _LEADING.match(text) or _ENDING.match(text)
    return bool(match and len(match.group()) >= len(text) * 0.6)


def person_in(text: str) -> re.Match[str] | None:
    place = 0
    while match := _PERSON.search(text, place):
        first, _, rest = match.group().partition(" ")
        if _NOT_FIRST.fullmatch(first) and " " in rest:
            place = match.start() + len(first) + 1
            continue
        if not _NO_NAME.search(match.group()) and not _NOT_FIRST.fullmatch(first):
            return match
        place = match.end()
    return None


def person_name(written: str) -> str:
    """Return the name without Mr, Frau and the like; academic titles stay."""
    return _POLITE.sub("", written).strip()
