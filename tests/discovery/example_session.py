"""An example session with a result of each common outcome."""

from gleanery.accounts.actor import system
from gleanery.discovery import services
from gleanery.discovery.hit import Hit
from gleanery.discovery.intake import store_hits
from gleanery.discovery.models import Session
from gleanery.discovery.screening import screen
from tests.discovery.test_intake import CASINO, HONEST


def searched() -> Session:
    """Return a session with a new domain, a duplicate of it, and spam."""
    topic = services.add_topic(system(), "funding", "Bulgaria", max_queries=2)
    session = services.start_file_session(system(), topic)
    hits = [
        Hit("grants", "https://a.example/", "Grants", HONEST, 1),
        Hit("grants", "https://lucky.example/", "Casino bonus", CASINO, 2),
        Hit("grants", "https://a.example/2", "More grants", HONEST, 3),
    ]
    store_hits(session.pk, "searxng", [screen(hit) for hit in hits])
    return session
