# SPDX-License-Identifier: MIT
# tests/python/api/package_scipy_ndimage.py — scipy's own tests of scipy.ndimage pass with ours in
# its place.
"""Usage: package_scipy_ndimage.py FOLDER, which holds the package synthoscope. The tests are those
of the scipy that is installed; only those that call one of our functions count. Prints how many
passed, and what did not with the reason given here."""
import collections
import importlib
import json
import os
import re
import subprocess
import sys
import tempfile

from package import FOLDER, or_skipped

MODULES = [f"scipy.ndimage.tests.test_{name}" for name in
           ("filters", "interpolation", "datatypes", "splines")]

# Which of scipy's tests do not pass, how they fail, and why. Any other failure is one.
REASONS = (
    (r"::test_gaussian_filter .*DID NOT RAISE", "float16 is filtered, not refused"),
    (r"::test_zoom_grid_mode_warnings.*(Regex pattern did not match|matching the regex)",
     "the same warning as in scipy, with a sentence of our own"),
)

# Puts ours into scipy's modules, also for those of its functions that call others, and writes down
# what became of each test that called one of them.
PLUGIN = """
import functools
import json
import pytest
import scipy.ndimage
from scipy.ndimage import _filters, _interpolation
import synthoscope.ndimage

called = set()

def noted(name, function):
    @functools.wraps(function)
    def call(*arguments, **named):
        called.add(name)
        return function(*arguments, **named)
    return call

for name in synthoscope.ndimage.__all__:
    for module in (scipy.ndimage, _filters, _interpolation):
        if hasattr(module, name):
            setattr(module, name, noted(name, getattr(synthoscope.ndimage, name)))

@pytest.hookimpl(hookwrapper=True)
def pytest_runtest_makereport(item, call):
    report = (yield).get_result()
    if report.when == "setup":
        called.clear()
    if report.when == "call" and called and report.outcome != "skipped":
        failure = str(call.excinfo and call.excinfo.value)
        with open("outcomes", "a", encoding="utf-8") as file:
            print(json.dumps([report.nodeid, report.passed, failure, sorted(called)]), file=file)
"""


def outcomes():
    """(test, whether it passed, its failure, our functions that it called) of each."""
    with tempfile.TemporaryDirectory() as scratch:
        with open(os.path.join(scratch, "ours_in_scipy.py"), "w", encoding="utf-8") as plugin:
            plugin.write(PLUGIN)
        ran = subprocess.run(
            [sys.executable, "-m", "pytest", "-p", "ours_in_scipy", "-p", "no:cacheprovider", "-q",
             "-m", "not slow", "-W", "ignore", "--pyargs", *MODULES],
            cwd=scratch, env=dict(os.environ, PYTHONPATH=os.pathsep.join([FOLDER, scratch])),
            capture_output=True, text=True, check=False)
        try:
            with open(os.path.join(scratch, "outcomes"), encoding="utf-8") as file:
                return [json.loads(line) for line in file]
        except FileNotFoundError:
            sys.exit(ran.stdout + ran.stderr)


def reason_for(test):
    return next((reason for pattern, reason in REASONS if re.search(pattern, test)), None)


def main():
    with or_skipped():
        for module in ("pytest", "synthoscope.ndimage", *MODULES):
            importlib.import_module(module)
    tests = outcomes()
    failed = [f"{name} {failure}" for name, passed, failure, _ in tests if not passed]
    for function, count in sorted(collections.Counter(
            name for _, passed, _, called in tests if passed for name in called).items()):
        print(f"{function}: called by {count} that passed")
    for reason, count in collections.Counter(map(reason_for, failed)).items():
        print(f"  {count}: {reason or 'WITHOUT A REASON'}")
    print(f"{len(tests) - len(failed)} of scipy's tests passed, {len(failed)} did not")
    unexplained = [test for test in failed if not reason_for(test)]
    for test in unexplained:
        print("not passed:", test)
    sys.exit(1 if unexplained or not tests else 0)


if __name__ == "__main__":
    main()
