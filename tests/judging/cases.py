"""Topics and results shared by the tests of judging."""

from __future__ import annotations

from functools import cache

from gleanery.discovery.presets import topic_fields
from gleanery.domains.names import domain_of
from gleanery.judging.evidence.case import Case, History, TopicWords
from gleanery.judging.judgement import Judgement, judge
from gleanery.judging.judges import JudgeScore
from gleanery.judging.lexicon import Lexicon


def topic_words(preset: str, place: str) -> TopicWords:
    fields = topic_fields(preset, place)
    return TopicWords(fields["keywords"], fields["organization_words"], fields["geography"], fields["country"])


@cache
def lexicon(preset: str = "funding", place: str = "Bulgaria") -> Lexicon:
    return Lexicon.of(topic_words(preset, place))


def case(title: str, description: str = "", site: str = "example.org", *, query: str = "") -> Case:
    return Case(title, description, query, domain_of(site))


def judged(
    title: str, description: str = "", site: str = "example.org", *, topic: Lexicon | None = None, query: str = ""
) -> Judgement:
    return judge(case(title, description, site, query=query), topic or lexicon())


def score(name: str, judgement: Judgement) -> JudgeScore:
    return next(each for each in judgement.scores if each.name == name)


def with_history(high: int, low: int) -> Judgement:
    return judge(Case("Grants", "", "", domain_of("example.org"), History(high, low)), lexicon())
