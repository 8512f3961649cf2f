# SPDX-License-Identifier: MIT
# tests/docs/index.py — docs/index.md lists every page once: what it leaves out, nobody finds.
import collections
import glob
import os
import sys

ROOT = os.path.normpath(os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", ".."))
sys.path.insert(0, os.path.join(ROOT, "docs", "site"))
import navigation  # noqa: E402

LISTED_BY_NAME = {"README", navigation.INDEX}  # the front page, and the list itself


def pages():
    found = glob.glob("*.md", root_dir=ROOT) + glob.glob("docs/**/*.md", root_dir=ROOT,
                                                         recursive=True)
    return {os.path.splitext(path)[0] for path in found} - LISTED_BY_NAME


def main():
    listed = collections.Counter(page for _, pages in navigation.sections() for _, page in pages)
    every = pages()
    complaints = [f"docs/index.md does not list {page}.md" for page in sorted(every - set(listed))]
    complaints += [f"docs/index.md lists {page}.md, which is no page"
                   for page in sorted(set(listed) - every)]
    complaints += [f"docs/index.md lists {page}.md {times} times"
                   for page, times in listed.items() if times > 1]
    print("\n".join(complaints) or f"index: no complaints about {len(every)} pages")
    sys.exit(1 if complaints or not every else 0)


if __name__ == "__main__":
    main()
