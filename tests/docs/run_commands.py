# SPDX-License-Identifier: MIT
# tests/docs/run_commands.py — every command that a page shows runs, and makes the files it names.
"""Runs the lines that begin with "$ " in the ```console blocks of a page, in order, in a folder
that holds examples/. `synthoscope` is the program and `python3` the Python that runs this. Of
./dev, which builds what runs here, only the verb is checked."""
import importlib.util
import os
import re
import shutil
import subprocess
import sys
import tempfile

ROOT = os.path.normpath(os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", ".."))
SKIPPED = 77


def commands_of(page):
    with open(page, encoding="utf-8") as file:
        blocks = re.findall(r"^```console\n(.*?)^```", file.read(), re.DOTALL | re.MULTILINE)
    joined = "\n".join(blocks).replace("\\\n", " ")
    return [line[2:] for line in joined.split("\n") if line.startswith("$ ")]


def is_verb_of_dev(command):
    with open(os.path.join(ROOT, "dev"), encoding="utf-8") as file:
        return re.search(rf"^    {re.escape(command.split()[1])}\) ", file.read(), re.MULTILINE)


def run(command, folder, programs):
    environment = dict(os.environ, PATH=programs + os.pathsep + os.environ["PATH"])
    return subprocess.run(["bash", "-euo", "pipefail", "-c", command], cwd=folder, text=True,
                          env=environment, capture_output=True, check=False)


def check_command(command, folder, programs):
    if command.startswith("./dev"):
        if not is_verb_of_dev(command):
            sys.exit(f"{command}: ./dev knows no such verb")
        return
    result = run(command, folder, programs)
    print(f"$ {command}\n{result.stdout}{result.stderr}")
    if result.returncode != 0:
        sys.exit(f"{command}: exit code {result.returncode}")


def main():
    program, page = os.path.abspath(sys.argv[1]), os.path.join(ROOT, sys.argv[2])
    if importlib.util.find_spec("tifffile") is None:
        print("skipped: the page shows tifffile, which is not here")
        sys.exit(SKIPPED)
    commands = commands_of(page)
    if not commands:
        sys.exit(f"{sys.argv[2]} shows no command")
    with tempfile.TemporaryDirectory() as folder, tempfile.TemporaryDirectory() as programs:
        os.symlink(program, os.path.join(programs, "synthoscope"))
        os.symlink(sys.executable, os.path.join(programs, "python3"))
        shutil.copytree(os.path.join(ROOT, "examples"), os.path.join(folder, "examples"))
        for command in commands:
            check_command(command, folder, programs)


if __name__ == "__main__":
    main()
