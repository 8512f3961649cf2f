# SPDX-License-Identifier: MIT
# tests/python/package.py — skips tests of the Python package where it is not built, or where what
# they need besides is not installed. A package that is there and cannot be imported is a failure.
import contextlib
import glob
import os
import sys

SKIPPED = 77
FOLDER = os.path.abspath(sys.argv[1])  # holds the package synthoscope

# What neither the package nor Python brings.
OUTSIDE = {"h5py", "mypy", "numpy", "pytest", "scipy", "tifffile"}


def skip(why):
    print(f"skipped: {why}")
    sys.exit(SKIPPED)


@contextlib.contextmanager
def or_skipped():
    """Around imports of the package and of what a test needs besides."""
    if not glob.glob(os.path.join(FOLDER, "synthoscope", "_core*.so")):
        skip(f"no package synthoscope is built in {FOLDER}")
    if FOLDER not in sys.path:
        sys.path.insert(0, FOLDER)
    try:
        yield
    except ModuleNotFoundError as missing:
        if (missing.name or "").partition(".")[0] not in OUTSIDE:
            raise
        skip(missing)
