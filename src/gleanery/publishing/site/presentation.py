"""How the site presents itself: read for every page, changed by an admin."""

from __future__ import annotations

from gleanery.publishing.models import PublicSite


def current() -> PublicSite:
    """Return the site as it is set, or as it is before anybody set it; its logo is read only where it is shown."""
    return PublicSite.objects.defer("logo").first() or PublicSite()
