# SPDX-License-Identifier: MIT
# tests/lint/installed.py — installed headers include only installed ones, and the face of a library
# is what its page describes and what another project is tested with.
import os
import re

from layers import INCLUDE, LEVEL
from sources import lines_of, report, root_from_arguments

PAGE = "docs/reference/cpp.md"
USER = "tests/install/consumer/one_frame.cpp"
CALL = re.compile(r"synthoscope_library\((\w+)(.*?)\)", re.DOTALL)
ROW = re.compile(r"\| `([^`]+\.hpp)` \|")


def lists_of(root, library):
    """The headers that a CMakeLists.txt lists, by keyword: public, installed, private."""
    path = f"{library}/CMakeLists.txt"
    if not os.path.exists(os.path.join(root, path)):
        return {}
    lists, keyword = {}, None
    for _, arguments in CALL.findall("\n".join(lines_of(root, path))):
        for word in arguments.split():
            if word.isupper():
                keyword = word
            elif word.endswith(".hpp"):
                lists.setdefault(keyword, []).append(f"{library}/{word}")
    return lists


def matches_in(root, path, pattern):
    if not os.path.exists(os.path.join(root, path)):
        return []
    return [match.group(1) for line in lines_of(root, path) if (match := pattern.match(line))]


def reached_from(headers, includes):
    reached, left = set(), list(headers)
    while left:
        header = left.pop()
        if header not in reached:
            reached.add(header)
            left += includes.get(header, [])
    return reached


def complaints(root):
    lists = {library: lists_of(root, library) for library in LEVEL}
    face = [header for each in lists.values() for header in each.get("PUBLIC_HEADERS", [])]
    installed = [header for each in lists.values() for keyword in ("PUBLIC_HEADERS", "HEADERS")
                 for header in each.get(keyword, [])]
    includes = {header: matches_in(root, header, INCLUDE) for header in installed}

    for header in installed:
        for included in includes[header]:
            if included not in includes:
                yield f"{header}: is installed and includes {included}, which is not installed"
    faced = {library for library, each in lists.items() if "PUBLIC_HEADERS" in each}
    for library in faced:
        reached = reached_from(lists[library]["PUBLIC_HEADERS"], includes)
        for header in lists[library].get("HEADERS", []):
            if header not in reached:
                yield f"{header}: is installed, but its library's face does not include it"

    described, used = matches_in(root, PAGE, ROW), matches_in(root, USER, INCLUDE)
    for header in face:
        if header not in described:
            yield f"{PAGE}: describe {header}, which is in a PUBLIC_HEADERS"
        if header not in used:
            yield f"{USER}: include {header}, which is in a PUBLIC_HEADERS"
    for header in described:
        if header.split("/")[0] in faced and header not in face:
            yield f"{PAGE}: describes {header}, which is in no PUBLIC_HEADERS"


if __name__ == "__main__":
    report("installed", list(complaints(root_from_arguments())))
