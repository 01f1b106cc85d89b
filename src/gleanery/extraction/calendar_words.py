"""The words of dates in the languages that pages are read in: months, days of the week, what joins two dates."""

from __future__ import annotations

# Beginnings of words: enough letters to be sure, in English, Bulgarian, German, French, Spanish, Romanian, Italian.
MONTHS = (
    ("january", "jan", "януари", "ян", "januar", "jänner", "janvier", "janv", "enero", "ene", "ianuarie", "ian", "gennaio"),
    ("february", "feb", "февруари", "февр", "фев", "februar", "février", "févr", "fevrier", "febrero", "februarie", "febbraio"),
    ("march", "mar", "март", "мар", "märz", "maerz", "mrz", "mär", "mars", "marzo", "martie"),
    ("april", "apr", "април", "апр", "avril", "avr", "abril", "abr", "aprilie", "aprile"),
    ("may", "май", "mai", "mayo", "maggio"),
    ("june", "jun", "юни", "juni", "juin", "junio", "iunie", "iun", "giugno"),
    ("july", "jul", "юли", "juli", "juillet", "juil", "julio", "iulie", "iul", "luglio"),
    ("august", "aug", "август", "авг", "août", "aout", "agosto", "ago"),
    ("september", "sept", "sep", "септември", "септ", "сеп", "septembre", "septiembre", "septembrie", "settembre"),
    ("october", "oct", "октомври", "окт", "oktober", "okt", "octobre", "octubre", "octombrie", "ottobre"),
    ("november", "nov", "ноември", "ноем", "ное", "novembre", "noviembre", "noiembrie", "noi"),
    ("december", "dec", "декември", "дек", "dezember", "dez", "décembre", "déc", "decembre", "diciembre", "dic", "decembrie", "dicembre"),
)
WEEKDAYS = (
    ("monday", "mon", "понеделник", "пон", "пн", "montag", "mo", "lundi", "lun", "lunes", "luni", "lu"),
    ("tuesday", "tues", "tue", "вторник", "вт", "dienstag", "di", "mardi", "martes", "marți", "marti"),
    ("wednesday", "weds", "wed", "сряда", "ср", "mittwoch", "mi", "mercredi", "mer", "miércoles", "mié", "miercuri"),
    ("thursday", "thurs", "thur", "thu", "четвъртък", "четв", "чет", "чт", "donnerstag", "do", "jeudi", "jeu", "jueves", "joi"),
    ("friday", "fri", "петък", "пет", "пт", "freitag", "fr", "vendredi", "ven", "viernes", "vineri"),
    ("saturday", "sat", "събота", "съб", "сб", "samstag", "sonnabend", "sa", "samedi", "sam", "sábado", "sáb", "sâmbătă"),
    ("sunday", "sun", "неделя", "нед", "нд", "sonntag", "so", "dimanche", "dim", "domingo", "dom", "duminică"),
)
ROMAN = ("I", "II", "III", "IV", "V", "VI", "VII", "VIII", "IX", "X", "XI", "XII")

MONTH_OF = {word: number for number, words in enumerate(MONTHS, 1) for word in words}
WEEKDAY_OF = {word: number for number, words in enumerate(WEEKDAYS) for word in words}

# The zone of countries that have only one; times of their pages get its offset.
ZONES = {
    "AL": "Europe/Tirane", "AT": "Europe/Vienna", "BA": "Europe/Sarajevo", "BE": "Europe/Brussels", "BG": "Europe/Sofia",
    "CH": "Europe/Zurich", "CY": "Asia/Nicosia", "CZ": "Europe/Prague", "DE": "Europe/Berlin", "DK": "Europe/Copenhagen",
    "EE": "Europe/Tallinn", "ES": "Europe/Madrid", "FI": "Europe/Helsinki", "FR": "Europe/Paris", "GB": "Europe/London",
    "GR": "Europe/Athens", "HR": "Europe/Zagreb", "HU": "Europe/Budapest", "IE": "Europe/Dublin", "IT": "Europe/Rome",
    "LT": "Europe/Vilnius", "LU": "Europe/Luxembourg", "LV": "Europe/Riga", "MD": "Europe/Chisinau", "ME": "Europe/Podgorica",
    "MK": "Europe/Skopje", "MT": "Europe/Malta", "NL": "Europe/Amsterdam", "NO": "Europe/Oslo", "PL": "Europe/Warsaw",
    "RO": "Europe/Bucharest", "RS": "Europe/Belgrade", "SE": "Europe/Stockholm", "SI": "Europe/Ljubljana",
    "SK": "Europe/Bratislava", "TR": "Europe/Istanbul", "UA": "Europe/Kyiv",
}  # fmt: skip
