# SPDX-License-Identifier: MIT
# tests/lint/headers.py — every file names its licence, every header its idea, none this machine.
import re

from sources import files_of, lines_of, report, root_from_arguments

LICENCE = "SPDX-License-Identifier: MIT"
LICENSED = (".hpp", ".cpp", ".cu", ".cuh", ".py", ".sh", "dev", ".ci/run")
TEXT = LICENSED + (".md", ".txt", ".cmake", ".in", ".json", ".toml", ".yml", ".yaml")
MACHINE_PATH = re.compile(r"(?<![\w.:/}-])/(?:work|root|home|tmp|mnt|Users)/\w")


def complaints(root):
    for path in files_of(root):
        if not path.endswith(TEXT):
            continue
        lines = lines_of(root, path)
        if path.endswith(LICENSED):
            first = 1 if lines[0].startswith("#!") else 0
            if LICENCE not in lines[first]:
                yield f"{path}:{first + 1}: begin with the licence line, {LICENCE}"
        if path.endswith(".hpp") and not (len(lines) > 1 and lines[1].startswith(f"// {path} — ")):
            yield f"{path}:2: say the idea of the header: // {path} — ..."
        for number, line in enumerate(lines, 1):
            if MACHINE_PATH.search(line):
                yield f"{path}:{number}: holds a path of one machine"


if __name__ == "__main__":
    report("headers", list(complaints(root_from_arguments())))
