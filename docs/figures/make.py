# SPDX-License-Identifier: MIT
# docs/figures/make.py — writes every figure beside its script, or checks that each is up to date.
"""usage: make.py [--check]"""
import importlib
import pathlib
import sys

HERE = pathlib.Path(__file__).resolve().parent
FIGURES = ["in_core", "ring", "tiles", "parts"]


def main():
    check = sys.argv[1:] == ["--check"]
    stale = 0
    for name in FIGURES:
        picture = importlib.import_module(name).draw()
        path = HERE / f"{name}.svg"
        if not check:
            path.write_text(picture, encoding="utf-8")
        elif not path.exists() or path.read_text(encoding="utf-8") != picture:
            stale += 1
            print(f"docs/figures/{path.name} is not what {name}.py draws; write it again with "
                  "python3 docs/figures/make.py", file=sys.stderr)
    print(f"figures: {stale or 'no'} complaints" if check else f"figures: {len(FIGURES)} written")
    sys.exit(1 if stale else 0)


if __name__ == "__main__":
    main()
