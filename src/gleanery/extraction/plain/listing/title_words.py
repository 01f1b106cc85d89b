"""Word patterns that separate the titles of entries from other text."""

from __future__ import annotations

import re

from gleanery.extraction.values.calendar_words import MONTH_OF, WEEKDAY_OF

LONG_ENOUGH = 3  # letters of a meaningful word

# Words for links and states, which are no title by themselves.
EMPTY_WORDS = frozenset(
    str.split(
        "posted meeting meetings agenda agendas minutes packet packets view pdf download details detail info "
        "information more read learn register registration rsvp zoom video videos watch live stream livestream "
        "join link links click here add to calendar ical google outlook summary recording recordings presentation "
        "presentations audio docket html attachments materials material documents document handouts notice notices "
        "cancelled canceled postponed tentative rescheduled draft amended revised final approved not available "
        "none n/a tba tbd tbc hold no yes date dates time times location where when new updated past upcoming next "
        "previous schedule scheduled schedules events event day week month year today webcast media file files "
        "size kb mb am pm noon at in on of the a an and or for from by with is are be will this that all each "
        "every eastern european central western pacific mountain standard daylight zone gmt utc est edt cst cdt "
        "mst mdt pst pdt et ct mt pt дневен ред протокол подробности вижте още виж повече линк покана запис "
        "отменено отложено предстоящи дата час tagesordnung mehr weiter protokoll abgesagt termine termin ordre du "
        "jour en savoir plus voir compte rendu annulé orden del día más ver acta leer cancelado fecha hora ordine "
        "giorno altro detalii vezi mai mult"
    )
)
# Headings above several entries that name none of them.
GENERAL_HEADING = re.compile(
    r"^\W*(?:upcoming|past|future|current|next|regular|public|scheduled?|special|annual|recent|previous|all|our|"
    r"list of|meetings?|events?|performances?|screenings?|shows?|dates?|times?|schedules?|calendar|agendas?|minutes|"
    r"documents?|materials?|information|details|and|&|of|for|the|fy|fiscal|year|\d{4}|"
    r"предстоящ\w*|следващ\w*|минал\w*|представлени\w*|прожекци\w*|календар|график|заседания|събития|програма|"
    r"termine|veranstaltungen|kalender|agenda|événements|eventos|evenimente|\W)+$",
    re.IGNORECASE,
)
_MEETING_TYPES = (
    r"meetings?|hearings?|sessions?|workshops?|worksession|retreats?|заседани\w+|сесия|сбирка|сбор|sitzung|versammlung|"
    r"réunion|séance|reunión|sesión|pleno|ședință|riunione"
)
# Types of meetings; alone they need the name of the body.
MEETING_TYPE = re.compile(
    r"^(?:(?:regular|special|public|annual|monthly|quarterly|emergency|joint|organi[sz]ational|scheduled|open|full|"
    r"study|work|business|budget|executive|board|committee|commission|council|general|virtual|next|"
    r"редовн\w+|извънредн\w+|публичн\w+|ordentliche|außerordentliche|ordinaria|extraordinaria)\s)*"
    rf"(?:{_MEETING_TYPES})s?$",
    re.IGNORECASE,
)
ANY_MEETING_TYPE = re.compile(rf"\b(?:{_MEETING_TYPES})", re.IGNORECASE)
PLURAL = re.compile(r"\b((?:meeting|hearing|session|workshop|retreat))s$", re.IGNORECASE)
BODY = re.compile(
    r"\b(?:board|commission|committee|council|authority|trustees|directors|supervisors|commissioners|panel|task force|"
    r"assembly|съвет|комисия|комитет|rat|ausschuss|conseil|comité|consejo|comisión|consiliul|comisia)\b",
    re.IGNORECASE,
)
# Places: "Council Chambers, Room 300".
PLACE_FIRST = re.compile(r"^(?:in|at|@|room|via|location|venue|в|във|на|im|am|à|en)\b", re.IGNORECASE)
_ROOM = re.compile(
    r"\b(?:room|chambers?|auditorium|floor|suite|hall|building|courthouse|headquarters|boardroom|street|st\.|avenue|"
    r"ave\.?|road|rd\.?|blvd\.?)\b(?:\s[\w#/-]{1,8})?$",
    re.IGNORECASE,
)
_DONE_THERE = re.compile(
    r"\b(?:meeting|hearing|session|concert|tour|workshop|show|party|open house|tea|dance|talk|class|course)\b",
    re.IGNORECASE,
)
# Roles of labels whose value may be a title.
NAMING = frozenset(("", "name", "description", "when", "start"))
# E-mail and web addresses, file names.
NOT_A_NAME = re.compile(r"\S@\S|https?://|www\.|\.(?:pdf|docx?|html?)\b", re.IGNORECASE)
# Agenda items.
NUMBERED = re.compile(r"^\W*(?:\d{1,2}|[IVX]{1,4}|[A-Z])[.)]\s")
PHONE = re.compile(r"^\W*\+?[\d(][\d\s().-]{6,}")
# A year and words such as "dates" are not part of the title of one event.
_YEAR = r"(?:19|20)\d\d(?:\s?[-–/]\s?(?:20)?\d\d)?"
_PLURAL_MARKS = (
    re.compile(rf"^\W*{_YEAR}\b|[\s,–—(-]+{_YEAR}\)?\W*$"),
    re.compile(r"\s20\d\d(?=\s(?:regular|special|board|public|annual|meeting|council|committee)\b)", re.IGNORECASE),
    re.compile(
        r"^\W*(?:upcoming|future|past|previous|next|scheduled|предстоящи|kommende|prochain\w*|próxim\w*)\s+(?=\w)|"
        r"\s+(?:schedules?|calendar|dates|documents?|agendas?(?: (?:and|&) minutes)?|minutes|график|календар)$",
        re.IGNORECASE,
    ),
)
EDGES = " \t,:;.–—-|·•*/@()[]\u200b"
IN_BRACKETS = re.compile(r"[(\[][^()\[\]]{0,60}[)\]]")
PARTS = re.compile(r"\s*[|•·]\s*|\s+[–—-]+\s+|\s*;\s+")
PARTS_OF_TITLE = re.compile(r"\s[|–—•·-]\s|\s?::\s?|\|")
SENTENCE_END = re.compile(r"[.:;!?]\s*$")
_DAYS = "|".join(sorted((word for word in WEEKDAY_OF if len(word) >= LONG_ENOUGH), key=len, reverse=True))
DAY_BEFORE = re.compile(rf"[\s,(|–—-]*\b(?:{_DAYS})s?\b\.?[\s,|–—-]*$", re.IGNORECASE)
DAY_AFTER = re.compile(rf"^[\s,(|–—-]*(?:{_DAYS})\b\.?[\s,)|–—-]*", re.IGNORECASE)
_WORD = re.compile(r"[^\W\d_]{2,}")


def has_content(text: str) -> bool:
    """Return True if there is a word other than days, links and states."""
    words = (word.lower() for word in _WORD.findall(text))
    return any(
        len(word) >= LONG_ENOUGH and word not in EMPTY_WORDS and word not in MONTH_OF and word not in WEEKDAY_OF
        for word in words
    )


def is_place(title: str) -> bool:
    return bool(_ROOM.search(title)) and not _DONE_THERE.search(title)


def without_plural_marks(title: str) -> str:
    """Return the title without year and words such as "upcoming" or "dates"."""
    for pattern in _PLURAL_MARKS:
        title = pattern.sub("", title)
    title = title.strip(EDGES)
    return f"{title})" if title.count("(") > title.count(")") else title
