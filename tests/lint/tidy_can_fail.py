# SPDX-License-Identifier: MIT
# tests/lint/tidy_can_fail.py — ./dev tidy reports a defect, wherever the file is read.
import json
import os
import shutil
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
CLEAN = "int {name}(int a) {{ return a; }}\n"
DEFECT = "\nunsigned long {name}(int a) {{ return sizeof(sizeof(a)); }}\n"
IN_HEADER = '#include "core/{name}.hpp"\n'

# Files, what is asked of the program, words of its report, exit status
CASES = [
    ({"core/a.cpp": CLEAN, "core/b.cpp": CLEAN}, [], "no findings in 2 files", 0),
    ({"core/a.cpp": CLEAN, "core/b.cpp": DEFECT}, [],
     "core/b.cpp:2:33: warning: suspicious usage", 1),
    ({"new_library/a.cpp": DEFECT}, [], "new_library/a.cpp:2:33: warning", 1),
    ({"core/a.cpp": CLEAN, "core/b.cpp": DEFECT}, ["core/a.cpp"], "no findings in 1 files", 0),
    ({"core/a.cpp": IN_HEADER, "core/a.hpp": DEFECT}, [], "core/a.hpp:2:33: warning", 1),
    ({"core/b.cpp": '#include "core/a.hpp"\n', "core/a.hpp": DEFECT}, ["core/a.hpp"],
     "core/a.hpp:2:33: warning", 1),
    ({"tests/a.cpp": CLEAN, "tests/b.cpp": "{{}}"}, [], "[clang-diagnostic-error]", 1),
    ({"core/a.cpp": CLEAN, "core/other.cpp": "int a(int b) {{ return b; }}\n"}, [],
     "no findings in 2 files", 0),  # which do not compile as one
]


def run(files, arguments, root):
    os.makedirs(os.path.join(root, "tests", "lint"))
    for path in ("tests/lint/tidy.py", ".clang-tidy"):
        shutil.copy(os.path.join(HERE, "..", "..", path), os.path.join(root, path))
    for path, text in files.items():
        path = os.path.join(root, path)
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path, "w", encoding="utf-8") as file:
            file.write(text.format(name=os.path.splitext(os.path.basename(path))[0]))
    commands = [{"file": os.path.join(root, path), "command": f"c++ -std=c++20 -I{root} -c {path}"}
                for path in files if path.endswith(".cpp")]
    with open(os.path.join(root, "compile_commands.json"), "w", encoding="utf-8") as file:
        json.dump(commands, file)
    return subprocess.run([sys.executable, "-B", os.path.join(root, "tests/lint/tidy.py"), root,
                           *arguments], capture_output=True, text=True, check=False)


def main():
    if shutil.which("clang-tidy-14") is None:
        print("skipped: clang-tidy-14 is not installed")
        sys.exit(77)
    failures = 0
    for files, arguments, words, status in CASES:
        with tempfile.TemporaryDirectory() as root:
            ended = run(files, arguments, os.path.realpath(root))
        if words not in ended.stdout + ended.stderr or ended.returncode != status:
            failures += 1
            print(f"{files} {arguments}: expected {status} and '{words}', got {ended.returncode}\n"
                  f"{ended.stdout}{ended.stderr}", file=sys.stderr)
    print(f"{len(CASES)} cases, {failures} failed")
    sys.exit(1 if failures else 0)


if __name__ == "__main__":
    main()
