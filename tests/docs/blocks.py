# SPDX-License-Identifier: MIT
# tests/docs/blocks.py — the blocks of code that pages show, and why some do not run.
"""A block runs unless a comment on the line above says why not: <!-- not run: needs a GPU -->. A
command that ends with another exit code than 0 says so there: <!-- exit code 124 or 0 -->."""
import dataclasses
import glob
import os
import re

ROOT = os.path.normpath(os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", ".."))
FENCE = re.compile(r"^( *)```(\S*) *$")
MARK = re.compile(r"^ *<!-- not run: (.+) -->$")
EXIT_CODES = re.compile(r"^ *<!-- exit code (\d+(?: or \d+)*) -->$")


@dataclasses.dataclass
class Block:
    page: str  # from the root
    line: int  # of its fence, from 1
    language: str
    text: str
    why_not: str  # empty where it runs
    exit_codes: tuple = (0,)  # those that each command may end with

    @property
    def place(self):
        return f"{self.page}:{self.line}"


def pages():
    return ["README.md", *sorted(glob.glob("docs/**/*.md", root_dir=ROOT, recursive=True))]


def blocks_of(page):
    """The blocks of a page from top to bottom. A fence that nothing closes is a ValueError."""
    with open(os.path.join(ROOT, page), encoding="utf-8") as file:
        lines = file.read().split("\n")
    found, at = [], 0
    while at < len(lines):
        fence = FENCE.match(lines[at])
        if fence:
            indent, language = fence.groups()
            end = lines.index(f"{indent}```", at + 1)
            above = lines[at - 1] if at else ""
            mark, codes = MARK.match(above), EXIT_CODES.match(above)
            text = "".join(line[len(indent):] + "\n" for line in lines[at + 1:end])
            found.append(Block(page, at + 1, language, text, mark.group(1) if mark else "",
                               exit_codes_in(codes.group(1)) if codes else (0,)))
            at = end
        at += 1
    return found


def exit_codes_in(text):
    return tuple(int(code) for code in text.split(" or "))


def commands_of(block):
    """The lines that begin with "$ ", with those that continue them."""
    return [line[2:] for line in block.text.replace("\\\n", " ").split("\n")
            if line.startswith("$ ")]
