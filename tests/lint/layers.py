# SPDX-License-Identifier: MIT
# tests/lint/layers.py — includes go down only: a folder sees the folders below it, never a sibling.
import os
import re
from collections import Counter

from sources import files_of, lines_of, report, root_from_arguments

LAYERS = [{"core"}, {"imageio", "kernels"}, {"fftconv"}, {"simulator", "multigpu", "textures"},
          {"jobs"}, {"tools", "python"}]
# The rooms of a library, lowest first; "" is the folder of the library itself
ROOMS = {
    "core": [{"base"}, {"math", "system", "vector"}, {"volume"}, {"run"}, {"cuda/runtime"},
             {"cuda/code", "cuda/memory"}, {"stream"}],
    "imageio": [{"input"}, {"image"}, {"output"}, {"chunks"}, {"tiff", "hdf5", "zarr", "small"},
                {"tiff/planes", "hdf5/writing"}, {"tiff/writing", "bdv"}, {""}, {"run"}],
    "kernels": [{"lanes", "body"}, {"operation"}, {"coordinates"}, {"splines"},
                {"correlate", "resample", "variance"}, {"arrays", "filters"}, {"banks"},
                {"visual_words"}, {"device/code"},
                {"device/bricks", "device/coordinates", "device/splines"},
                {"device/correlate", "device/resample", "device/variance", "device/banks"},
                {"device/visual_words"}],
    "fftconv": [{"fft", "lines", "device/code"}, {""}, {"plan/cuts"}, {"plan/gpu"},
                {"plan", "kernel"}, {"planes"}, {"host/stages"}, {"host/parts"}, {"host"},
                {"device/passes"}, {"device/link"}, {"device/parts"}, {"device"}],
    "simulator": [{"base", "optics/functions"},
                  {"detector/noise", "optics/pupil", "phantom/geometry", "pictures"},
                  {"detector", "optics/models", "phantom/lobes", "phantom/strands",
                   "phantom/texture"},
                  {"phantom/kind"},
                  {"optics", "phantom/neurons", "phantom/nuclei", "phantom/target",
                   "phantom/volume"},
                  {"light", "phantom/cells", "phantom/tissue"}, {"phantom/beads"}, {"phantom"},
                  {"phantom/flat", "scene"}, {"scene/file", "timelapse"}, {"imaging", "world"},
                  {"truth"}, {"data_set"}, {"run"}, {"report", "share"},
                  {"calibration", "sweep"},
                  {""}, {"device"}],
    "textures": [{"images"}, {"models"}, {"answers"}],
    "jobs": [{"machine"}, {"bricks", "output"}, {"plan"}, {"convolve"}],
    "python": [{"session"}, {"arrays", "simulate"}, {"files", "gpu"}, {""}],
    "tools": [{"terminal"}, {"machine"}, {"options"}, {"jobs"}, {"commands"}, {"pages"}, {""}],
}
ROOM_FILES = 25
INCLUDE = re.compile(r'\s*#\s*include\s*"([^"]+)"')
CODE = (".hpp", ".cpp", ".cu", ".cuh")


def levels_of(floors):
    return {folder: level for level, folders in enumerate(floors) for folder in folders}


LEVEL = levels_of(LAYERS)
ROOM_LEVEL = {library: levels_of(floors) for library, floors in ROOMS.items()}


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


def complaints_about_rooms(paths):
    """Rooms that have no level, and rooms with too many files."""
    for folder, count in sorted(Counter(map(os.path.dirname, paths)).items()):
        library, room = library_and_room(folder + "/")
        if library not in ROOM_LEVEL:
            continue
        if room not in ROOM_LEVEL[library]:
            yield f"{folder}: give the room a level in tests/lint/layers.py"
        if count > ROOM_FILES:
            yield f"{folder}: {count} files; make two rooms of at most {ROOM_FILES}"


def complaints(root):
    paths = [path for path in files_of(root)
             if path.split("/")[0] in LEVEL and path.endswith(CODE)]
    yield from complaints_about_rooms(paths)
    for path in paths:
        for number, line in enumerate(lines_of(root, path), 1):
            match = INCLUDE.match(line)
            found = match and complaint_about(path, number, match.group(1))
            if found:
                yield found


if __name__ == "__main__":
    report("layers", list(complaints(root_from_arguments())))
