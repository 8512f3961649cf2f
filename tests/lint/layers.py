# SPDX-License-Identifier: MIT
# tests/lint/layers.py — includes go down only: a folder sees the folders below it, never a sibling.
import os
import re
from collections import Counter

from sources import files_of, lines_of, report, root_from_arguments

LAYERS = [{"core"}, {"imageio", "kernels"}, {"fftconv"},
          {"simulator", "multigpu", "textures", "deconvolution"},
          {"jobs", "score"}, {"fit", "studio"}, {"tools", "python"}]
ARCHITECTURE = "docs/architecture.md"
REPOSITORY = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..")
TABLE = re.compile(r"`(\w+)`, from low to high:")
ROOM_FILES = 25
INCLUDE = re.compile(r'\s*#\s*include\s*"([^"]+)"')
CODE = (".hpp", ".cpp", ".cu", ".cuh")


def levels_of(floors):
    return {folder: level for level, folders in enumerate(floors) for folder in folders}


def rooms_of(lines):
    """The rooms of each library, a set for each row of its table, lowest first.

    Files that a row names lie in the folder of the library itself, "".
    """
    rooms, floors = {}, []
    for line in lines:
        if table := TABLE.match(line):
            floors = rooms.setdefault(table.group(1), [])
        elif line.startswith("## "):
            floors = []
        elif line.startswith("| `"):
            names = re.findall("`([^`]+)`", line.split("|")[1])
            floors.append({name[:-1] if name.endswith("/") else "" for name in names})
    return rooms


LEVEL = levels_of(LAYERS)
ROOM_LEVEL = {library: levels_of(floors)
              for library, floors in rooms_of(lines_of(REPOSITORY, ARCHITECTURE)).items()}


def library_and_room(path):
    library, _, room = os.path.dirname(path).partition("/")
    return library, room


def direction(level, own):
    return "up" if level > own else "sideways"


def complaint_about(path, number, included):
    """Why `path` may not include `included`, or nothing."""
    (library, room), (other, other_room) = library_and_room(path), library_and_room(included)
    where = f"{path}:{number}: includes {included}"
    if ".." in included.split("/"):
        return f"{where}: name it from the repository's root"
    if other not in LEVEL:
        return f"{where}: {other}/ is no folder of the library; use <> for headers of others"
    if other != library:
        if LEVEL[other] < LEVEL[library]:
            return None
        return f"{where}: that looks {direction(LEVEL[other], LEVEL[library])} from {library}/"
    levels = ROOM_LEVEL.get(library, {})
    if room == other_room or room not in levels or other_room not in levels:
        return None
    if levels[other_room] >= levels[room]:
        looks = direction(levels[other_room], levels[room])
        return f"{where}: that looks {looks} from {os.path.dirname(path)}/"
    return None


def complaints_about_rooms(root, paths):
    """Rooms that have no row, rows that have no room, and rooms with too many files."""
    folders = Counter(map(os.path.dirname, paths))
    if ARCHITECTURE in files_of(root):
        for library, levels in ROOM_LEVEL.items():
            for room in levels:
                if f"{library}/{room}".rstrip("/") not in folders:
                    yield f"{ARCHITECTURE}: {library}/{room} has a row, but no files"
    for folder, count in sorted(folders.items()):
        library, room = library_and_room(folder + "/")
        if library not in ROOM_LEVEL:
            continue
        if room not in ROOM_LEVEL[library]:
            yield f"{folder}: give the room a row in {ARCHITECTURE}"
        if count > ROOM_FILES:
            yield f"{folder}: {count} files; make two rooms of at most {ROOM_FILES}"


def complaints(root):
    paths = [path for path in files_of(root)
             if path.split("/")[0] in LEVEL and path.endswith(CODE)]
    yield from complaints_about_rooms(root, paths)
    for path in paths:
        for number, line in enumerate(lines_of(root, path), 1):
            match = INCLUDE.match(line)
            found = match and complaint_about(path, number, match.group(1))
            if found:
                yield found


if __name__ == "__main__":
    report("layers", list(complaints(root_from_arguments())))
