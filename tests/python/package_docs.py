# SPDX-License-Identifier: MIT
# tests/python/package_docs.py — the Python that docs/do/python*.md show runs, from top to bottom.
"""Usage: package_docs.py FOLDER, which holds the package synthoscope."""
import glob
import os
import re
import sys
import tempfile

from package import or_skipped

THE_USERS_OWN = {"h5py", "matplotlib", "torch"}  # the package needs none of them
HERE = os.path.dirname(os.path.abspath(__file__))
PAGES = os.path.join(HERE, "..", "..", "docs", "do", "python*.md")


def run(page):
    """Runs the pieces of a page one after the other, in a folder of their own."""
    with open(page, encoding="utf-8") as text:
        blocks = re.findall(r"^```python\n(.*?)^```", text.read(), re.DOTALL | re.MULTILINE)
    names, before = {"__name__": "page"}, os.getcwd()
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        for block in blocks:
            try:
                exec(compile(block, page, "exec"), names)
            except ModuleNotFoundError as missing:
                if missing.name not in THE_USERS_OWN:
                    raise
                print(f"{os.path.basename(page)}: a piece is skipped: {missing}")
        os.chdir(before)
    print(f"{os.path.basename(page)}: {len(blocks)} pieces of Python ran")
    return len(blocks)


def main():
    os.environ["MPLBACKEND"] = "Agg"
    with or_skipped():
        import synthoscope  # noqa: F401
    ran = [run(os.path.abspath(page)) for page in sorted(glob.glob(PAGES))]
    sys.exit(0 if ran and all(ran) else 1)


if __name__ == "__main__":
    main()
