# SPDX-License-Identifier: MIT
# tests/lint/sources.py — which files a check looks at: what git tracks, or a folder as it is.
import os
import subprocess
import sys


def root_from_arguments():
    """The folder named as the first argument, else the repository that holds this file."""
    here = os.path.dirname(os.path.abspath(__file__))
    return sys.argv[1] if len(sys.argv) > 1 else os.path.normpath(os.path.join(here, "..", ".."))


def files_of(root):
    """Paths below `root`, with forward slashes, in order."""
    if os.path.exists(os.path.join(root, ".git")):
        listing = subprocess.run(["git", "-c", "safe.directory=*", "ls-files", "-z"], cwd=root,
                                 check=True, capture_output=True).stdout.decode()
        found = [path for path in listing.split("\0") if path]
    else:
        found = [os.path.relpath(os.path.join(folder, name), root)
                 for folder, _, names in os.walk(root) for name in names]
    return sorted(path for path in found if os.path.isfile(os.path.join(root, path)))


def lines_of(root, path):
    with open(os.path.join(root, path), encoding="utf-8") as file:
        return file.read().split("\n")


def report(check, complaints):
    """Prints every complaint and ends the program: 1 when there was any."""
    for complaint in complaints:
        print(complaint, file=sys.stderr)
    print(f"{check}: {len(complaints) or 'no'} complaint{'' if len(complaints) == 1 else 's'}")
    sys.exit(1 if complaints else 0)
