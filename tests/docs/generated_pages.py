# SPDX-License-Identifier: MIT
# tests/docs/generated_pages.py — the reference pages are what the program prints.
import os
import subprocess
import sys

ROOT = os.path.normpath(os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", ".."))


def main():
    program = sys.argv[1]
    stale = 0
    for page in ("cli", "scene"):
        printed = subprocess.run([program, "--help-markdown", page], check=True, text=True,
                                 capture_output=True).stdout
        with open(os.path.join(ROOT, "docs", "reference", f"{page}.md"), encoding="utf-8") as file:
            if file.read() != printed:
                stale += 1
                print(f"docs/reference/{page}.md is not what the program says; write it again with "
                      f"synthoscope --help-markdown {page} > docs/reference/{page}.md",
                      file=sys.stderr)
    print(f"generated pages: {stale or 'no'} complaints")
    sys.exit(1 if stale else 0)


if __name__ == "__main__":
    main()
