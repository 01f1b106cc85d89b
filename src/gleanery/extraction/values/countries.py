"""Country names and codes as pages write them, and the time zone of countries with only one."""

from __future__ import annotations

from functools import lru_cache
from zoneinfo import ZoneInfo

# Code, time zone ("-" if there are several), names in English, its own and neighbouring languages.
_TABLE = """
AD Europe/Andorra|andorra
AL Europe/Tirane|albania|shqipëria|албания
AT Europe/Vienna|austria|österreich|autriche|австрия
BA Europe/Sarajevo|bosnia and herzegovina|bosna i hercegovina|босна и херцеговина
BE Europe/Brussels|belgium|belgique|belgië|belgien|белгия
BG Europe/Sofia|bulgaria|българия|republic of bulgaria|република българия|bulgarie|bulgarien
BY Europe/Minsk|belarus|беларусь|беларус
CH Europe/Zurich|switzerland|schweiz|suisse|svizzera|швейцария
CY Asia/Nicosia|cyprus|κύπρος|кипър
CZ Europe/Prague|czech republic|czechia|česko|česká republika|tschechien|чехия
DE Europe/Berlin|germany|deutschland|allemagne|alemania|германия
DK Europe/Copenhagen|denmark|danmark|дания
EE Europe/Tallinn|estonia|eesti|естония
ES -|spain|españa|espagne|spanien|испания
FI Europe/Helsinki|finland|suomi|финландия
FR Europe/Paris|france|frankreich|francia|франция
GB Europe/London|united kingdom|uk|great britain|england|scotland|wales|northern ireland|royaume-uni|великобритания
GE Asia/Tbilisi|georgia (country)|საქართველო|грузия
GR Europe/Athens|greece|ελλάδα|ellada|griechenland|grèce|гърция
HR Europe/Zagreb|croatia|hrvatska|хърватия
HU Europe/Budapest|hungary|magyarország|ungarn|унгария
IE Europe/Dublin|ireland|éire|republic of ireland|ирландия
IL Asia/Jerusalem|israel|израел
IN Asia/Kolkata|india|भारत|индия
IS Atlantic/Reykjavik|iceland|ísland|исландия
IT Europe/Rome|italy|italia|italie|italien|италия
JP Asia/Tokyo|japan|日本|япония
LI Europe/Vaduz|liechtenstein|лихтенщайн
LT Europe/Vilnius|lithuania|lietuva|литва
LU Europe/Luxembourg|luxembourg|luxemburg|люксембург
LV Europe/Riga|latvia|latvija|латвия
MC Europe/Monaco|monaco|монако
MD Europe/Chisinau|moldova|republica moldova|молдова
ME Europe/Podgorica|montenegro|crna gora|црна гора|черна гора
MK Europe/Skopje|north macedonia|северна македонија|северна македония|македония
MT Europe/Malta|malta|малта
NL Europe/Amsterdam|netherlands|the netherlands|nederland|holland|niederlande|pays-bas|нидерландия
NO Europe/Oslo|norway|norge|норвегия
PL Europe/Warsaw|poland|polska|polen|pologne|полша
PT -|portugal|португалия
RO Europe/Bucharest|romania|românia|roumanie|rumänien|румъния
RS Europe/Belgrade|serbia|srbija|србија|сърбия
SE Europe/Stockholm|sweden|sverige|schweden|швеция
SI Europe/Ljubljana|slovenia|slovenija|словения
SK Europe/Bratislava|slovakia|slovensko|slowakei|словакия
SM Europe/San_Marino|san marino
TR Europe/Istanbul|turkey|türkiye|turkei|türkei|турция
UA Europe/Kyiv|ukraine|україна|украйна
XK Europe/Belgrade|kosovo|kosova|косово
ZA Africa/Johannesburg|south africa
US -|united states|united states of america|usa|u.s.a.|u.s.|сащ
CA -|canada|канада
AU -|australia
NZ -|new zealand
BR -|brazil|brasil
MX -|mexico|méxico
RU -|russia|russian federation|россия|русия
"""
_ROWS = [line.split("|") for line in _TABLE.strip().splitlines()]
_ZONES = {head[:2]: head[3:] for head, *_ in _ROWS if head[3:] != "-"}
_CODES = {name: head[:2] for head, *names in _ROWS for name in names}
_THREE_LETTERS = dict(
    pair.split(":")
    for pair in str.split(
        "AUT:AT BEL:BE BGR:BG CHE:CH CZE:CZ DEU:DE DNK:DK ESP:ES EST:EE FIN:FI FRA:FR GBR:GB GRC:GR HRV:HR HUN:HU "
        "IRL:IE ITA:IT LTU:LT LUX:LU LVA:LV MKD:MK NLD:NL NOR:NO POL:PL PRT:PT ROU:RO SRB:RS SVK:SK SVN:SI SWE:SE "
        "TUR:TR UKR:UA USA:US"
    )
)
_SHORT = 2


def country_code(text: str) -> str:
    """Return the code for a code or name: BG for BG, bgr, Bulgaria and България; "" if unknown."""
    name = text.strip().strip(".").casefold()
    if len(name) == _SHORT and name.isascii() and name.isalpha():
        return {"uk": "GB", "el": "GR"}.get(name, name.upper())
    return _CODES.get(name) or _CODES.get(text.strip().casefold()) or _THREE_LETTERS.get(name.upper(), "")


@lru_cache(maxsize=256)
def zone_of(country: str) -> ZoneInfo | None:
    """Return the time zone of a country, or None if it has several."""
    name = _ZONES.get(country.upper())
    return ZoneInfo(name) if name else None
