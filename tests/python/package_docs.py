# SPDX-License-Identifier: MIT
# tests/python/package_docs.py — the Python that docs/do/python.md shows runs, from top to bottom.
"""Usage: package_docs.py FOLDER, which holds the package synthoscope."""
import os
import re
import sys

SKIPPED = 77
HERE = os.path.dirname(os.path.abspath(__file__))
PAGE = os.path.join(HERE, "..", "..", "docs", "do", "python.md")


def main():
    sys.path.insert(0, sys.argv[1])
    try:
        import synthoscope  # noqa: F401
    except ModuleNotFoundError as missing:
        print(f"skipped: {missing}")
        sys.exit(SKIPPED)
    with open(PAGE, encoding="utf-8") as page:
        blocks = re.findall(r"^```python\n(.*?)^```", page.read(), re.DOTALL | re.MULTILINE)
    names = {}
    for block in blocks:
        exec(compile(block, PAGE, "exec"), names)
    print(f"{len(blocks)} pieces of Python ran")
    sys.exit(0 if blocks else 1)


if __name__ == "__main__":
    main()
