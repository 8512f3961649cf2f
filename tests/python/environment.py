# SPDX-License-Identifier: MIT
# tests/python/environment.py — a Python with packages of PyPI, for tests by programs that are not
# ours.
import os
import subprocess
import sys

import numpy

from program import HANG_SECONDS, ProgramTest


def python_with(packages, module, environment):
    """An interpreter in the folder `environment` that has the packages, one of which brings
    `module`; none where they cannot be had, which is said."""
    python = os.path.join(environment, "bin", "python")
    has_tools = [python, "-c", f"import {module}"]
    if os.path.exists(python) and subprocess.run(has_tools, capture_output=True).returncode == 0:
        return python
    try:
        # Without the system's packages: those were built for its own numpy
        subprocess.run([sys.executable, "-m", "venv", "--clear", environment], check=True,
                       capture_output=True, timeout=HANG_SECONDS)
        subprocess.run([python, "-m", "pip", "install", "--quiet", "--retries", "1", "--timeout",
                        "10", *packages], check=True, capture_output=True, timeout=HANG_SECONDS)
    except (subprocess.SubprocessError, OSError) as failure:
        print(f"skipped: {', '.join(packages)} cannot be had: {failure}")
        return None
    return python


class OthersTest(ProgramTest):
    """Runs scripts in the interpreter `python`, in the test's folder."""

    python = None
    preamble = ""

    def script(self, text):
        said = subprocess.run([self.python, "-W", "ignore", "-c", self.preamble + text],
                              capture_output=True, text=True, timeout=HANG_SECONDS, check=False,
                              cwd=self.folder)
        self.assertEqual(said.returncode, 0, said.stderr)
        return said.stdout


def halved(voxels):
    """Means of 2x2x2 voxels, halves up; at the far faces of those that are there."""
    padded = numpy.pad(voxels.astype(float), [(0, n % 2) for n in voxels.shape],
                       constant_values=numpy.nan)
    z, y, x = padded.shape
    means = numpy.nanmean(padded.reshape(z // 2, 2, y // 2, 2, x // 2, 2), axis=(1, 3, 5))
    return numpy.floor(means + 0.5) if voxels.dtype.kind in "iu" else means.astype(voxels.dtype)
