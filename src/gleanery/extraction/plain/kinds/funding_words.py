"""Word patterns about funding: purpose, sums, eligibility, deadlines."""

from __future__ import annotations

import re

FUNDING = re.compile(
    r"\b(?:grants?\b|funding|fund\b|bursar|scholarship|stipend|fellowship|subsid|award\b|финансир|финансов|"
    r"грант|безвъзмезд|стипенди|субсиди|конкурс|"
    r"подпомага|подкрепя|набиране на (?:проект|предлож)|förder|zuschuss|zuschüss|subvention|appel à projets|"
    r"bourse|convocatoria|ayudas?\b|beca|subvenci|"
    r"finanț|granturi|bursă|bursa\b|apel de proiecte|инициативата|програма|дава по|фонд\b|процедура|подкрепа)",
    re.IGNORECASE,
)
APPLYING = re.compile(
    r"\b(?:appl(?:y|ies|ications?|icants?)\b|submit|proposals?|eligib|deadline|closing date|closes\b|"
    r"open calls?|кандидат|заявлени|предложени|подава|формуляр|допустим|краен срок|"
    r"antrag|anträge|bewerb|einsende|candidat|dossier|déposer|dépôt|solicit|presentar|beneficiari|aplic|depun|"
    r"formular)",
    re.IGNORECASE,
)
PAST_OR_TOTAL = re.compile(
    r"\b(?:total|overall|altogether|общо|общ(?:ият)? (?:бюджет|размер|ресурс)|раздад|отпуснат|през 20\d\d|"
    r"last year|so far|received|awarded|insgesamt|flossen|gesamt|"
    r"enveloppe|crédito|asciende|am oferit|ediția trecută|миналата|досега|co-?fund|own contribution|donat|дари|"
    r"monthly donors|salary|заплата|win up to|кредит)",
    re.IGNORECASE,
)
GIVEN = re.compile(
    r"\b(?:up to|between|grants? of|maximum|может|получ|до|размер|по \d|може|can (?:get|receive)|receive|each|"
    r"bis zu|zwischen|förder|jusqu|entre|comprise|máxim|hasta|"
    r"până la|între|offer|award|worth|стойност|максимал|минимал)",
    re.IGNORECASE,
)
DUE = re.compile(
    r"\b(?:deadline|by|until|before|no later than|closing|closes|close on|due|до|най-късно|срок|срок\w*|изтича|"
    r"не по-късно|подава|bis(?: zum)?|spätestens|frist|avant|au plus tard|"
    r"jusqu|clôture|date limite|hasta|antes del|plazo|până|termen)\b",
    re.IGNORECASE,
)
NOT_DUE = re.compile(
    r"\b(?:results?|announced|ranking|published|registered before|класиране|обявен|резултат|оповест|публикуван|"
    r"информационна|фалло|fallo|jurado|résultats|ergebnis|entscheid|"
    r"laufzeit|rezultate|изпълнение|регистрирани|started|begin|начало на проект)",
    re.IGNORECASE,
)
INVITED = re.compile(
    r"(?:кани|насочена? към|предназначен\w* за|open to|aimed at|"
    r"for(?! (?:an?|the|your|our|its|this|more|one|example|applications?|projects?|funding|"
    r"proposals?)\b)|richtet sich an|s’adresse aux?|dirigida a|"
    r"se adresează)\s+(?P<who>[^.;:]{8,200}?)"
    r"(?=,? (?:да (?:предложат|кандидатстват|подадат)|които|който|who|that|that|die|qui|que)\b|[.;:]|$)",
    re.IGNORECASE,
)
REGIONS = tuple(
    re.compile(pattern)
    for pattern in (
        r"(?:в|от) област(?:ите|та|и)?\s+(?P<where>[А-Я][а-я]+(?:(?:,\s|\sи\s)[А-Я][а-я]+)*)",
        r"\bin (?P<where>(?:[A-ZÄÖÜ][\w-]+)(?:(?:,|\sund|\sand|"
        r"\sor)\s(?:the\s)?[A-ZÄÖÜ][\w-]+(?:\s[A-ZÄÖÜ][\w-]+)?)*)\.?$",
        r"din județ(?:ul|ele)\s(?P<where>[A-ZȘȚÂĂÎ][\w-]+(?:(?:,|\sși)\s[A-ZȘȚÂĂÎ][\w-]+)*)",
        r"\ben (?:la |el )?(?P<where>(?:Comunitat|Comunidad|Región|Provincia|Principado|"
        r"Islas)(?:\sde(?:\sla)?)?\s[A-ZÁÉÍÓÚ][\w-]+)",
    )
)
SENTENCES = re.compile(r"(?<=[\w)€“”\"»])[.!?;]\s+(?=[A-ZА-ЯÀ-ÝȘȚ„«\"(])|\n")
QUOTED_PROGRAMME = re.compile(
    r"(?:инициатива\w*|програма\w*|конкурс\w*|проект\w*|initiative|programme|scheme|fund|"
    r"programm)\s[„“\"«](?P<name>[^„“”\"«»]{3,100})[“”\"»]",
    re.IGNORECASE,
)
AT_MOST = re.compile(
    r"max|макс|máx|up to|\bдо\b|bis zu|jusqu|hasta|până|месечно|годишно|monthly|a month|per |monatlich|"
    r"par mois|al mes|pe lună|\bpot\b|може",
    re.IGNORECASE,
)
LEAST = re.compile(
    r"(?:minimum|min\.?|минимал\w*|mindest\w*|montant min\w*|importe mín\w*|valoare min\w*)\b", re.IGNORECASE
)
OPENS = re.compile(r"\b(?:opens?|from|отваря|от|ab|ouvre|ouverture|abre|deschide)\b", re.IGNORECASE)
CLOSED = re.compile(
    r"програмата е (?:приключила|затворена)|приключил\w*|now closed|has closed|closed to applications|"
    r"geschlossen|terminé|cerrada|închis",
    re.IGNORECASE,
)
