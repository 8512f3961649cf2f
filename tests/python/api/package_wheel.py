# SPDX-License-Identifier: MIT
# tests/python/api/package_wheel.py — what wheels are tried with works, and what they may not carry
# is kept out. ./dev wheel, which takes minutes and the network, is run by people.
"""Usage: package_wheel.py FOLDER, which holds the package synthoscope."""
import os
import subprocess
import sys
import unittest

from package import FOLDER, or_skipped

HERE = os.path.dirname(os.path.abspath(__file__))
WHEEL = os.path.join(HERE, "..", "..", "..", "python", "wheel")

sys.path.insert(0, WHEEL)
sys.dont_write_bytecode = True
import third_party  # noqa: E402


class Wheels(unittest.TestCase):
    def test_are_tried_by_a_program_that_finds_what_is_wrong(self):
        smoke = os.path.join(WHEEL, "smoke.py")
        spoilt = ("import runpy, sys, numpy, synthoscope.signal as s; right = s.fftconvolve; "
                  "s.fftconvolve = lambda f, g: right(f, g) * 1.01; "
                  "runpy.run_path(sys.argv[1], run_name='__main__')")
        for command, code in (([smoke], 0), (["-c", spoilt, smoke], 1)):
            ran = subprocess.run([sys.executable, *command], capture_output=True, text=True,
                                 env=dict(os.environ, PYTHONPATH=FOLDER), check=False)
            self.assertEqual(ran.returncode, code, ran.stdout + ran.stderr)
            self.assertEqual("WRONG" in ran.stdout, bool(code))

    def test_name_the_libraries_in_them(self):
        names = third_party.names_of(["a/libtbb-4d79fbbd.so.12.8", "a/libfmt-0123abcd.so.9",
                                      "a/libpng16-0123abcd.so.16", "a/libtbb-4d79fbbd.so.12.8"])
        self.assertEqual(names, ["fmt", "png16", "tbb"])

    def test_let_in_no_library_under_the_gpl(self):
        terms = {**third_party.BUNDLED, **third_party.COMPILED_IN}
        self.assertFalse({"fftw3", "fftw3f", "jbig"} & set(terms))
        self.assertFalse([name for name, (licence, _) in terms.items() if "GPL" in licence])
        self.assertEqual(third_party.unknown(["tbb", "jbig", "fftw3f"]), ["jbig", "fftw3f"])


if __name__ == "__main__":
    with or_skipped():
        import synthoscope  # noqa: F401
    unittest.main(argv=sys.argv[:1])
