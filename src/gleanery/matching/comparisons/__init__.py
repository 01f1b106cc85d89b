"""All comparisons, in the order in which they are shown; adding one takes a module and a line here."""

from __future__ import annotations

from gleanery.matching.comparison import Comparison
from gleanery.matching.comparisons.contact import EMAIL, OFFICIAL_ID, PHONE, WEB
from gleanery.matching.comparisons.content import AMOUNT, DESCRIPTION
from gleanery.matching.comparisons.contrast import CONTRAST
from gleanery.matching.comparisons.dates import DEADLINE, TIME, YEAR
from gleanery.matching.comparisons.location import ADDRESS, CODE, COMMON, COUNTRY, DISTANCE, TOWN
from gleanery.matching.comparisons.name import NAME, OWN_WORDS, SHARED_WORDS, SPELLING
from gleanery.matching.comparisons.number import NUMBER
from gleanery.matching.comparisons.part import PART, SORT
from gleanery.matching.comparisons.shared_venue import SHARED_VENUE
from gleanery.matching.comparisons.venue_and_organiser import RUN_BY, VENUE

COMPARISONS: tuple[Comparison, ...] = (
    *(NAME, SHARED_WORDS, SPELLING, OWN_WORDS, NUMBER, CONTRAST, PART, SORT),
    *(TIME, DEADLINE, YEAR, VENUE, SHARED_VENUE, RUN_BY),
    *(DISTANCE, COMMON, ADDRESS, CODE, TOWN, COUNTRY),
    *(PHONE, WEB, EMAIL, OFFICIAL_ID),
    *(AMOUNT, DESCRIPTION),
)
