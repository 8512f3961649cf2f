# SPDX-License-Identifier: MIT
# tests/python/program.py — runs the program as a user would, in a folder of its own.
import json
import math
import os
import re
import subprocess
import sys
import tempfile
import unittest

SKIPPED = 77

try:
    import numpy
    import scipy.ndimage
    import scipy.signal
    import tifffile
except ImportError as missing:
    print(f"skipped: {missing}")
    sys.exit(SKIPPED)

PROGRAM = os.path.abspath(sys.argv[1])
CACHE = os.path.join(tempfile.gettempdir(), "synthoscope-tests-without-cache")
# A run that takes longer hangs: a guard, generous enough for any machine, and never a measurement
HANG_SECONDS = 3600
SOURCE = os.path.normpath(os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", ".."))


def taken(option, default):
    """Removes an option of a script from the command line and returns its value."""
    if option not in sys.argv:
        return default
    at = sys.argv.index(option)
    value = sys.argv[at + 1]
    del sys.argv[at:at + 2]
    return value


def size_in(text, option="--memory"):
    """The bytes of the size that a message names: "give --memory 4.36G or more"."""
    number, unit = re.search(f"{option} ([0-9.]+)([KMGT]?) or more", text).groups()
    return math.floor(float(number) * 1024 ** " KMGT".index(unit or " "))


def less_than(named):
    """Fewer bytes than are needed where a message names so many, which are rounded up."""
    return named - named // 64


# Two nuclei in a field that takes a moment.
TINY_SCENE = """seed = 7
[grid]
size = [12, 48, 40]
pitch_nm = [300, 150, 150]
[nuclei]
count = 2
radius_um = 1.1
gap_um = 0.1
[optics]
na = 1.1
size = [9, 21, 21]
"""


class ProgramTest(unittest.TestCase):
    """Each test has an empty folder, in which the program runs."""

    timeout = HANG_SECONDS  # of one run of the program

    def setUp(self):
        self._scratch = tempfile.TemporaryDirectory()
        self.addCleanup(self._scratch.cleanup)
        self.folder = self._scratch.name

    def path(self, name):
        return os.path.join(self.folder, name)

    def listing(self):
        return sorted(os.listdir(self.folder))

    def files(self, folder):
        """Relative path and bytes of every file."""
        found = {}
        for where, _, names in os.walk(self.path(folder)):
            for name in names:
                path = os.path.join(where, name)
                with open(path, "rb") as file:
                    found[os.path.relpath(path, self.path(folder))] = file.read()
        return found

    def write(self, name, voxels, **options):
        tifffile.imwrite(self.path(name), voxels, **{"photometric": "minisblack", **options})
        return name

    def text(self, name, content):
        with open(self.path(name), "w", encoding="utf-8") as file:
            file.write(content)
        return name

    def read(self, name):
        return tifffile.imread(self.path(name))

    @staticmethod
    def environment():
        kept = {key: value for key, value in os.environ.items()
                if key not in ("OMP_NUM_THREADS", "SLURM_CPUS_PER_TASK")}
        return {**kept, "XDG_CACHE_HOME": CACHE}  # plans as on a machine that was never measured

    def command(self, *arguments, **options):
        settings = {"env": self.environment(), "capture_output": True, **options}
        return subprocess.run([PROGRAM, *map(str, arguments)], cwd=self.folder, text=True,
                              timeout=self.timeout, check=False, **settings)

    def succeed(self, *arguments):
        """Runs and returns standard output; no failure is accepted."""
        result = self.command(*arguments)
        self.assertEqual(result.returncode, 0, result.stderr)
        return result.stdout

    def refused(self, code, words, *arguments):
        """Runs and expects a failure whose message holds all words, and no result."""
        result = self.command(*arguments)
        self.assertEqual(result.returncode, code, result.stderr)
        self.assertEqual(result.stdout, "")
        for word in words:
            self.assertIn(word, result.stderr)

    def result_of(self, *arguments):
        """Runs with --json and returns the object."""
        return json.loads(self.succeed(*arguments, "--json"))


def random_volume(shape, seed, dtype=numpy.float32):
    generator = numpy.random.default_rng(seed)
    if numpy.issubdtype(dtype, numpy.integer):
        return generator.integers(0, 200, shape).astype(dtype)
    return generator.random(shape).astype(dtype)


def main():
    unittest.main(argv=sys.argv[:1] + sys.argv[2:])
