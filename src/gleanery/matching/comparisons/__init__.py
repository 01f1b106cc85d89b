"""All that two records are compared by, in the order in which it is told; a new one is a module and a line here."""

from __future__ import annotations

from gleanery.matching.comparison import Comparison
from gleanery.matching.comparisons.contrast import CONTRAST
from gleanery.matching.comparisons.name import NAME, OWN_WORDS, SHARED_WORDS, SPELLING
from gleanery.matching.comparisons.number import NUMBER
from gleanery.matching.comparisons.part import PART, SORT
from gleanery.matching.comparisons.reach import EMAIL, OFFICIAL_ID, PHONE, WEB
from gleanery.matching.comparisons.stage import STAGE
from gleanery.matching.comparisons.told import AMOUNT, DESCRIPTION
from gleanery.matching.comparisons.when import DEADLINE, TIME, YEAR
from gleanery.matching.comparisons.where import ADDRESS, CODE, COMMON, COUNTRY, DISTANCE, TOWN
from gleanery.matching.comparisons.whose import RUN_BY, VENUE

COMPARISONS: tuple[Comparison, ...] = (
    *(NAME, SHARED_WORDS, SPELLING, OWN_WORDS, NUMBER, CONTRAST, PART, SORT),
    *(TIME, DEADLINE, YEAR, VENUE, STAGE, RUN_BY),
    *(DISTANCE, COMMON, ADDRESS, CODE, TOWN, COUNTRY),
    *(PHONE, WEB, EMAIL, OFFICIAL_ID),
    *(AMOUNT, DESCRIPTION),
)
