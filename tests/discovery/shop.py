"""A session with a result of each common kind, for the tests of who shows it."""

from gleanery.accounts.actor import system
from gleanery.discovery import services
from gleanery.discovery.hit import Hit
from gleanery.discovery.intake import take_in
from gleanery.discovery.models import Session
from gleanery.discovery.sifting import sift
from tests.discovery.test_intake import CASINO, HONEST


def searched() -> Session:
    """A new domain, a duplicate of it, and spam."""
    topic = services.add_topic(system(), "funding", "Bulgaria", max_queries=2)
    session = services.start_file_session(system(), topic)
    hits = [
        Hit("grants", "https://a.example/", "Grants", HONEST, 1),
        Hit("grants", "https://lucky.example/", "Casino bonus", CASINO, 2),
        Hit("grants", "https://a.example/2", "More grants", HONEST, 3),
    ]
    take_in(session.pk, "searxng", [sift(hit) for hit in hits])
    return session
