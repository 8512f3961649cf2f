# SPDX-License-Identifier: MIT
# tests/python/api/package_types.py — a type checker follows programs that use the package.
"""Usage: package_types.py FOLDER, which holds the package synthoscope. Needs mypy."""
import collections
import os
import re
import subprocess
import sys
import tempfile
import unittest

from package import FOLDER, or_skipped


RIGHT = """
from typing import Any, Callable
import numpy as np
from numpy.typing import NDArray
from synthoscope import (Camera, Scene, __version__, deconvolve, deconvolve_file, frames, ndimage,
                         signal, simulate, words)
from synthoscope.signal import fftconvolve, oaconvolve

stack = np.ones((4, 5, 6), np.uint16)
blurred: NDArray[Any] = fftconvolve(stack, [[[1.0]]], "same", axes=[0, -1], workers=2, memory="1G")
line: NDArray[Any] = oaconvolve([1, 2, 3], np.ones(2), memory=2**20)
version: str = __version__
scene: Scene = Scene.from_dict({"optics": {"na": 1.2}}).with_({"grid.size": [8, 16, 16]}, seed=1)
image: NDArray[Any] = simulate(scene, seed=1, progress=lambda done, total, stage: None).image
names: list[str] = simulate(scene, "folder", overwrite=True, truth_layout="ctc").files
counts: NDArray[Any] = Camera.from_dict({"kind": "ccd"}).record(scene.phantom().light[0], 1)
masks: list[NDArray[Any]] = [frame.labels for frame in frames(scene, 3)]
smooth: NDArray[Any] = ndimage.gaussian_filter(stack, (0, 1, 1), output=np.float32, mode="nearest")
half: NDArray[Any] = ndimage.zoom(smooth, 0.5, order=1, output="f8", workers=2)
variance: NDArray[Any] = ndimage.local_mean_variance(stack, [1, 3, 3])[1]
light: NDArray[np.float32] = deconvolve(stack, scene.psf(), background=3, camera={"kind": "ccd"})
likelihoods: list[float] = deconvolve_file("a.tif", stack, "b.tif", resume=True).log_likelihoods
many: list[int] = [done.iterations for done in deconvolve_file(["a.tif"], stack, "out", seed=1)]
model: words.Model = words.train("folder", words=50, bank="lm", patch=(32, 32), memory="1G")
told: list[words.Verdict] = model.classify(["a.tif", stack, "folder"], spacing_um=(1, 0.1, 0.1))
likely: dict[str, float] = {one.class_name: one.distance for one in told[0].ranking}
shares: list[NDArray[Any]] = [model.word_map(stack), model.histogram("a.tif"), model.words.sizes]
energy: float = words.compare("a", "b", model=words.load("model.h5"), permutations=99).energy
functions: list[Callable[..., NDArray[Any]]] = [signal.fftconvolve, signal.oaconvolve]
"""

# What a checker must refuse, and its words.
WRONG = (
    ("signal.fftconvolve([1], [1], 'chips')", 'incompatible type "Literal[\'chips\']"'),
    ("signal.fftconvolve([1], [1], axes='x')", 'Argument "axes"'),
    ("signal.oaconvolve([1], [1], memory=1.5)", 'Argument "memory"'),
    ("signal.oaconvolve([1], [1], wrokers=1)", 'Unexpected keyword argument "wrokers"'),
    ("ndimage.shift([1], 1, mode='chips')", 'Argument "mode"'),
    ("ndimage.uniform_filter([1], size='3')", 'Argument "size"'),
    ("deconvolve([[1]], [[1]], method='gold')", 'Argument "method"'),
    ("deconvolve([[1]], [[1]], background='dark')", 'Argument "background"'),
    ("deconvolve_file('a.tif', 'b.tif', 'c.tif', method='gold')", "No overload variant"),
    ("deconvolve_file(['a.tif'], 'b.tif', 'c', method='gold')", "No overload variant"),
    ("simulate({}, compression='none')", "No overload variant"),
    ("simulate({}, seed='a')", "No overload variant"),
    ("words.train('folder', bank='gabor')", 'Argument "bank"'),
    ("words.load('m.h5').classify('a.tif', chanel=1)", 'Unexpected keyword argument "chanel"'),
    ("text: str = signal.fftconvolve([1], [1])", "Incompatible types in assignment"),
    ("signal.fftconvolvo", 'has no attribute "fftconvolvo"'),
)


def complaints_about(program):
    """What mypy --strict says about the lines of a program: number -> complaints."""
    with tempfile.TemporaryDirectory() as scratch:
        path = os.path.join(scratch, "program.py")
        with open(path, "w", encoding="utf-8") as file:
            file.write(program)
        site = os.path.join(scratch, "site")
        os.mkdir(site)
        os.symlink(os.path.join(FOLDER, "synthoscope"), os.path.join(site, "synthoscope"))
        said = subprocess.run(
            [sys.executable, "-m", "mypy", "--strict", "--cache-dir", os.path.join(FOLDER, ".mypy"),
             "--follow-imports", "silent", path], env=dict(os.environ, MYPYPATH=site),
            capture_output=True, text=True, check=False)
    if not re.search(r"^(Success|Found \d+ error)", said.stdout, re.MULTILINE):
        raise RuntimeError(said.stdout + said.stderr)
    complaints = collections.defaultdict(list)
    for number, words in re.findall(r"program\.py:(\d+): error: (.*)", said.stdout):
        complaints[int(number)].append(words)
    return complaints


class Types(unittest.TestCase):
    def test_follow_right_programs(self):
        self.assertEqual(complaints_about(RIGHT), {})

    def test_refuse_wrong_ones(self):
        imports = ("from synthoscope import deconvolve, deconvolve_file, ndimage, signal, "
                   "simulate, words")
        program = "\n".join([imports, *(line for line, _ in WRONG)])
        complaints = complaints_about(program)
        for number, (line, words) in enumerate(WRONG, 2):
            with self.subTest(line):
                self.assertIn(words, " ".join(complaints[number]))

    def test_of_the_compiled_part_are_written_beside_it(self):
        with open(os.path.join(FOLDER, "synthoscope", "_core.pyi"), encoding="utf-8") as stub:
            self.assertIn("def convolve(image: ", stub.read())
        self.assertTrue(os.path.exists(os.path.join(FOLDER, "synthoscope", "py.typed")))


if __name__ == "__main__":
    with or_skipped():
        import mypy  # noqa: F401
        import synthoscope  # noqa: F401
    unittest.main(argv=sys.argv[:1])
