"""Languages of the public site: English, and each that has a compiled catalogue in the folder `locale`."""

from __future__ import annotations

from pathlib import Path
from typing import Final

from django.utils.translation import get_language_info

LOCALE: Final = Path(__file__).parents[1] / "locale"
CATALOGUE = "LC_MESSAGES/django.mo"


def known(folder: Path) -> dict[str, str]:
    """Return the languages by code, each by its own name."""
    codes = sorted(path.name for path in folder.iterdir() if (path / CATALOGUE).is_file())
    return {code: _own_name(code) for code in ("en", *codes)}


def _own_name(code: str) -> str:
    try:
        name: str = get_language_info(code)["name_local"]
    except KeyError:
        return code
    return name[:1].upper() + name[1:]


LANGUAGES: Final = known(LOCALE)


def choices() -> list[tuple[str, str]]:
    """For the settings: a function, so that a further language is no migration."""
    return list(LANGUAGES.items())
