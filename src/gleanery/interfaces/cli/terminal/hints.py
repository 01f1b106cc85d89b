"""Adds the settings in use to the commands that a message recommends, so that they can be copied as they are."""

from __future__ import annotations

import os
import re
import shlex

from gleanery import environment
from gleanery.errors import BadSetting

# A hint follows a backtick or two spaces; text from sources has neither before this word.
HINT = re.compile(r"(`|  )(?=gleanery [a-z])")


def with_settings(sentence: str) -> str:
    """Return the sentence with its commands as they must be typed here."""
    return HINT.sub(lambda found: found[1] + settings_in_use(), sentence) if "gleanery " in sentence else sentence


def settings_in_use() -> str:
    """Return `GLEANERY_DATA_DIR=... GLEANERY_PORT=... ` as far as these differ from the defaults."""
    usual = environment.read({})
    try:
        now = environment.read(os.environ)
    except BadSetting:  # the command would fail with the same message
        return ""
    used = ((environment.variable_of(name), getattr(now, name), getattr(usual, name)) for name in ("data_dir", "port"))
    return "".join(f"{variable}={shlex.quote(str(here))} " for variable, here, there in used if here != there)
