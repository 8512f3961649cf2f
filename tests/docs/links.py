# SPDX-License-Identifier: MIT
# tests/docs/links.py — links and pictures of every page lead to files that are there.
import os
import re
import sys

ROOT = os.path.normpath(os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", ".."))


def pages():
    for folder, folders, names in os.walk(ROOT):
        folders[:] = [name for name in folders if name not in ("build", ".git")]
        yield from (os.path.join(folder, name) for name in names if name.endswith(".md"))


def links_of(page):
    with open(page, encoding="utf-8") as file:
        found = re.findall(r"\]\(([^)#\s]+)(?:#[^)]*)?\)", file.read())
    return [link for link in found if "://" not in link]


def broken(page):
    return [link for link in links_of(page)
            if not os.path.exists(os.path.join(os.path.dirname(page), link))]


def main():
    every = sorted(pages())
    complaints = [f"{os.path.relpath(page, ROOT)}: link to {link}, which does not exist"
                  for page in every for link in broken(page)]
    print("\n".join(complaints) or f"links: no complaints in {len(every)} pages")
    sys.exit(1 if complaints or not every else 0)


if __name__ == "__main__":
    main()
