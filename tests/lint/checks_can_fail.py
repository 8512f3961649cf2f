# SPDX-License-Identifier: MIT
# tests/lint/checks_can_fail.py — each check refuses a small tree that breaks its rule.
import os
import subprocess
import sys
import tempfile

HEADER = "// SPDX-License-Identifier: MIT\n// {path} — an idea.\n"

DEV = """usage() {
  cat <<'TEXT'
  demo  makes it
TEXT
}
main() {
    build) build_all ;;
}
"""

MODULE = "python/synthoscope/a.py"  # of the Python package, which offers f

# Files next to the one of a case.
LIBRARY = "synthoscope_library(core PUBLIC_HEADERS a.hpp HEADERS c.hpp)"
BESIDE = {"installed": {"core/CMakeLists.txt": LIBRARY}}

# Check, file, what the file holds after a right header, words of the complaint.
CASES = [
    ("layers", "core/a.cpp", '#include "fftconv/plan.hpp"\n', "looks up from core/"),
    ("layers", "imageio/a.cpp", '#include "kernels/b.hpp"\n', "looks sideways from imageio/"),
    ("layers", "imageio/input/a.cpp", '#include "imageio/zarr/b.hpp"\n', "up from imageio/input/"),
    ("layers", "simulator/phantom/lobes/a.cpp", '#include "simulator/phantom/strands/b.hpp"\n',
     "sideways from simulator/phantom/lobes/"),
    ("layers", "imageio/other/a.cpp", "", "give the room a row"),
    ("layers", "fftconv/a.cpp", '#include "../core/b.hpp"\n', "from the repository's root"),
    ("layers", "tools/a.cpp", '#include "fmt/format.h"\n', "no folder of the library"),
    ("lengths", "core/a.cpp", "\n" * 600, "make two files"),
    ("lengths", "core/a.cpp", "// " + "x" * 120 + "\n", "123 columns"),
    ("headers", "core/a.hpp", "", "say the idea"),
    ("headers", "docs/a.md", "See /" + "root/notes.txt\n", "a path of one machine"),
    ("headers", "tests/a.py", "pass\n", "licence line"),
    ("interfaces", MODULE, "def f(a) -> int:\n    'Ends.'\n", "the type of a"),
    ("interfaces", MODULE, "def f():\n    'Ends.'\n", "the type of the result"),
    ("interfaces", MODULE, "def f() -> int:\n    pass\n", "begin a docstring"),
    ("interfaces", MODULE, "def f(a: int) -> int:\n    'Ends.'\n", "describe a below Parameters"),
    ("interfaces", MODULE, "def f(a: int) -> int:\n    'Ends.'\n", "below Returns"),
    ("interfaces", MODULE, "def f(a: int) -> int:\n    'Ends.'\n    raise a\n", "below Raises"),
    ("verbs", "dev", DEV, "demo is in its help alone"),
    ("installed", "core/a.hpp", '#include "core/b.hpp"\n', "core/b.hpp, which is not installed"),
    ("installed", "core/a.hpp", "", "core/c.hpp: is installed, but"),
    ("installed", "core/a.hpp", "", "describe core/a.hpp"),
    ("installed", "core/a.hpp", "", "include core/a.hpp"),
    ("installed", "docs/reference/cpp.md", "| `core/d.hpp` | d |\n", "is in no PUBLIC_HEADERS"),
    ("interfaces", MODULE, "class f:\n    'Ends.'\n    def g(self): pass\n", "a docstring"),
]


def run(check, root):
    script = os.path.join(os.path.dirname(os.path.abspath(__file__)), f"{check}.py")
    return subprocess.run([sys.executable, script, root], capture_output=True, text=True,
                          check=False)


def write(root, path, text):
    os.makedirs(os.path.join(root, os.path.dirname(path)), exist_ok=True)
    with open(os.path.join(root, path), "w", encoding="utf-8") as file:
        file.write(text)


def main():
    failures = []
    for check, path, body, words in CASES:
        with tempfile.TemporaryDirectory() as root:
            for other, text in BESIDE.get(check, {}).items():
                write(root, other, text)
            header = HEADER.format(path="core/b.hpp") if path.endswith("pp") else ""
            if path == MODULE:
                header = "__all__ = ['f']\n"
            write(root, path, header + body)
            result = run(check, root)
            if result.returncode != 1 or words not in result.stderr:
                failures.append(f"{check} let pass: {path} with {body[:40]!r}: {result.stderr}")
    for failure in failures:
        print(failure, file=sys.stderr)
    sys.exit(1 if failures else 0)


if __name__ == "__main__":
    main()
