# SPDX-License-Identifier: MIT
# tests/docs/run_page.py — what a page shows runs, from top to bottom: commands and Python.
"""Usage: run_page.py PROGRAM FOLDER PAGE. Runs the ```console and ```python blocks of PAGE in
order, in a folder that holds examples/; FOLDER holds the package synthoscope. `synthoscope` is the
program and `python3` the Python that runs this. Of ./dev, which builds what runs here, only the
verb is checked."""
import os
import re
import shutil
import subprocess
import sys
import tempfile

import blocks

SKIPPED = 77
# What a page may use and neither the program nor the package needs
THE_USERS_OWN = {"h5py", "matplotlib", "scipy", "skimage", "synthoscope", "tifffile", "torch",
                 "zarr"}


class MissingModule(Exception):
    """A module of THE_USERS_OWN is not here."""


def is_verb_of_dev(command):
    with open(os.path.join(blocks.ROOT, "dev"), encoding="utf-8") as file:
        return re.search(rf"^    {re.escape(command.split()[1])}\) ", file.read(), re.MULTILINE)


def run_command(block, command):
    if command.startswith("./dev"):
        if not is_verb_of_dev(command):
            sys.exit(f"{block.place}: {command}: ./dev knows no such verb")
        return
    result = subprocess.run(["bash", "-euo", "pipefail", "-c", command], text=True,
                            capture_output=True, check=False)
    print(f"$ {command}\n{result.stdout}{result.stderr}")
    missing = re.search(r"^ModuleNotFoundError: No module named '(\w+)", result.stderr,
                        re.MULTILINE)
    if missing and missing.group(1) in THE_USERS_OWN:
        raise MissingModule(missing.group(1))
    if result.returncode not in block.exit_codes:
        sys.exit(f"{block.place}: {command}: exit code {result.returncode}")


def run_python(block, names):
    # Lines of a failure are those of the page
    code = compile("\n" * block.line + block.text, block.page, "exec")
    try:
        exec(code, names)
    except ModuleNotFoundError as missing:
        if (missing.name or "").partition(".")[0] not in THE_USERS_OWN:
            raise
        raise MissingModule(missing.name) from missing


def run(page):
    """Number of blocks that ran. What follows a block that cannot run here may need it."""
    names, ran = {"__name__": "page"}, 0
    for block in blocks.blocks_of(page):
        if block.why_not or block.language not in ("console", "python"):
            continue
        try:
            if block.language == "python":
                run_python(block, names)
            else:
                for command in blocks.commands_of(block):
                    run_command(block, command)
        except MissingModule as missing:
            print(f"skipped from {block.place} on: no {missing} is here")
            sys.exit(SKIPPED)
        ran += 1
    return ran


def prepare(folder, programs, program, package):
    os.symlink(program, os.path.join(programs, "synthoscope"))
    os.symlink(sys.executable, os.path.join(programs, "python3"))
    shutil.copytree(os.path.join(blocks.ROOT, "examples"), os.path.join(folder, "examples"))
    os.environ.update(PATH=programs + os.pathsep + os.environ["PATH"], PYTHONPATH=package,
                      MPLBACKEND="Agg", XDG_CACHE_HOME=programs)
    sys.path.insert(0, package)
    os.chdir(folder)


def main():
    program, package, page = os.path.abspath(sys.argv[1]), os.path.abspath(sys.argv[2]), sys.argv[3]
    with tempfile.TemporaryDirectory() as folder, tempfile.TemporaryDirectory() as programs:
        prepare(folder, programs, program, package)
        try:
            ran = run(page)
        finally:
            os.chdir(blocks.ROOT)
    print(f"{page}: {ran} blocks ran")
    sys.exit(0 if ran else SKIPPED)


if __name__ == "__main__":
    main()
