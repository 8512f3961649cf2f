# SPDX-License-Identifier: MIT
"""Notes and warnings of the library, reported at the user's line that called it."""
from __future__ import annotations

import logging
import os
import sys
import warnings

_PACKAGE = os.path.dirname(__file__)


def note(sentence: str) -> None:
    """Logs a note to the logger "synthoscope"."""
    logging.getLogger("synthoscope").info("%s", sentence)


def warn(sentence: str) -> None:
    """Issues a UserWarning at the first line outside this package."""
    level, frame = 1, sys._getframe()
    while frame and os.path.dirname(frame.f_code.co_filename) == _PACKAGE:
        level, frame = level + 1, frame.f_back
    warnings.warn(sentence, stacklevel=level)
