# SPDX-License-Identifier: MIT
# tests/lint/lengths.py — a file is one idea: 300 lines are remarked on, more than 500 refused.
import sys

from sources import files_of, lines_of, report, root_from_arguments

SOFT_LINES, HARD_LINES, COLUMNS = 300, 500, 100
CODE = (".hpp", ".cpp", ".cu", ".cuh", ".py", ".cmake", "CMakeLists.txt", ".sh", "dev", ".ci/run")


def complaints(root):
    for path in files_of(root):
        if not path.endswith(CODE):
            continue
        lines = lines_of(root, path)
        count = len(lines) - (lines[-1] == "")
        if count > HARD_LINES:
            yield f"{path}: {count} lines; make two files of it ({HARD_LINES} is the limit)"
        elif count > SOFT_LINES:
            print(f"{path}: {count} lines; is it still one idea?", file=sys.stderr)
        for number, line in enumerate(lines, 1):
            if len(line) > COLUMNS:
                yield f"{path}:{number}: {len(line)} columns; {COLUMNS} is the limit"


if __name__ == "__main__":
    report("lengths", list(complaints(root_from_arguments())))
