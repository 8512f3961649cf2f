# SPDX-License-Identifier: MIT
# docs/site/navigation.py — the sections and pages that docs/index.md lists, in its order.
import os
import re

ROOT = os.path.normpath(os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", ".."))
INDEX = "docs/index"


def sections():
    """Title of each section and the pages in it, as (title, path without .md) from the root."""
    with open(os.path.join(ROOT, f"{INDEX}.md"), encoding="utf-8") as file:
        parts = re.split(r"^## (.*)\n", file.read(), flags=re.MULTILINE)[1:]
    return [(title, pages_in(text)) for title, text in zip(parts[::2], parts[1::2])]


def pages_in(text):
    entries = re.findall(r"^\* \[(.*?)\]\((\S+)\.md\)", text, re.MULTILINE)
    return [(title, os.path.normpath(os.path.join("docs", path))) for title, path in entries]


def folders_without_pages():
    """Every folder of the repository but docs, so that nobody walks through builds."""
    return [name for name in os.listdir(ROOT)
            if os.path.isdir(os.path.join(ROOT, name)) and name != "docs"]


def toctree(title, pages):
    lines = [f"{page} </{path}>" for page, path in pages]
    return "\n".join(["```{toctree}", ":hidden:", f":caption: '{title}'", *lines, "```"])


def append_to_index(_app, page, source):
    """Gives the front page the tables of contents that make the navigation of the site."""
    if page == INDEX:
        first = ("Begin", [("Front page", "README")])
        source[0] += "\n\n" + "\n\n".join(toctree(*one) for one in [first, *sections()])
