"""Commands that a message recommends, with the settings that make them work on the data and port in use."""

from __future__ import annotations

import os
import re
import shlex

from gleanery import environment
from gleanery.errors import BadSetting

# A hint begins after a backtick or two spaces; what sources wrote has neither before this word.
HINT = re.compile(r"(`|  )(?=gleanery [a-z])")


def with_settings(sentence: str) -> str:
    """The sentence, its commands as they must be typed here."""
    return HINT.sub(lambda found: found[1] + settings_in_use(), sentence) if "gleanery " in sentence else sentence


def settings_in_use() -> str:
    """`GLEANERY_DATA_DIR=... GLEANERY_PORT=... `, as far as these are not the defaults."""
    usual = environment.read({})
    try:
        now = environment.read(os.environ)
    except BadSetting:  # the message says which; a command would fail in the same way
        return ""
    used = ((environment.variable_of(name), getattr(now, name), getattr(usual, name)) for name in ("data_dir", "port"))
    return "".join(f"{variable}={shlex.quote(str(here))} " for variable, here, there in used if here != there)
