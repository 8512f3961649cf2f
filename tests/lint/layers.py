# SPDX-License-Identifier: MIT
# tests/lint/layers.py — includes go down only: a folder sees the folders below it, never a sibling.
import re

from sources import files_of, lines_of, report, root_from_arguments

LAYERS = [{"core"}, {"imageio", "kernels"}, {"fftconv"}, {"simulator", "multigpu", "textures"},
          {"tools", "python"}]
LEVEL = {folder: level for level, folders in enumerate(LAYERS) for folder in folders}
INCLUDE = re.compile(r'\s*#\s*include\s*"([^"]+)"')
CODE = (".hpp", ".cpp", ".cu", ".cuh")


def complaint_about(path, number, included):
    """Why `path` may not include `included`, or nothing."""
    folder, other = path.split("/")[0], included.split("/")[0]
    where = f"{path}:{number}: includes {included}"
    if ".." in included.split("/"):
        return f"{where}: name it from the repository's root"
    if other == folder:
        return None
    if other not in LEVEL:
        return f"{where}: {other}/ is no folder of the library; use <> for headers of others"
    if LEVEL[other] >= LEVEL[folder]:
        direction = "up" if LEVEL[other] > LEVEL[folder] else "sideways"
        return f"{where}: that looks {direction} from {folder}/"
    return None


def complaints(root):
    for path in files_of(root):
        if path.split("/")[0] not in LEVEL or not path.endswith(CODE):
            continue
        for number, line in enumerate(lines_of(root, path), 1):
            match = INCLUDE.match(line)
            found = match and complaint_about(path, number, match.group(1))
            if found:
                yield found


if __name__ == "__main__":
    report("layers", list(complaints(root_from_arguments())))
