# SPDX-License-Identifier: MIT
# tests/python/api/package_scipy.py — scipy's own tests of its convolutions pass with ours in its
# place.
"""Usage: package_scipy.py FOLDER, which holds the package synthoscope. The tests are those of the
scipy that is installed. Prints how many passed, and what did not with the reason given here."""
import collections
import os
import re
import subprocess
import sys
import tempfile

from package import FOLDER, or_skipped

# Of scipy's test classes and functions, what is ours. The others compare ours with scipy's.
OURS = {
    "TestFFTConvolve": ["fftconvolve"],
    "TestOAConvolve": ["oaconvolve"],
    "TestAllFreqConvolves": ["fftconvolve", "oaconvolve"],
    "TestConvolve": ["convolve"],
    "TestCorrelateReal": ["correlate"],
    "TestCorrelate": ["correlate"],
    "TestCorrelateComplex": ["correlate"],
    "test_correlation_lags": ["correlate"],
}

# Which of scipy's tests do not pass, how they fail, and why. Any other failure is one.
REASONS = (
    (r"test_(invalid|mismatched)\w+\[.*AssertionError: Regex pattern did not match",
     "ValueError as in scipy, with a sentence of our own"),
)

PLUGIN = """
import scipy.signal
import synthoscope.signal
for name in {names}:
    setattr(scipy.signal, name, getattr(synthoscope.signal, name))
    setattr(scipy.signal._signaltools, name, getattr(synthoscope.signal, name))
"""


def run_tests(test_class, scratch):
    with open(os.path.join(scratch, "ours_in_scipy.py"), "w", encoding="utf-8") as plugin:
        plugin.write(PLUGIN.format(names=OURS[test_class]))
    command = [sys.executable, "-m", "pytest", "-p", "ours_in_scipy", "-p", "no:cacheprovider",
               "-q", "-rA", "--tb=line", "-m", "not slow", "-W", "ignore", "--pyargs",
               "scipy.signal.tests.test_signaltools", "-k", test_class]
    environment = dict(os.environ, PYTHONPATH=os.pathsep.join([FOLDER, scratch]),
                       COLUMNS="1000")
    return subprocess.run(command, cwd=scratch, env=environment, capture_output=True, text=True,
                          check=False).stdout


def reason_for(test):
    return next((reason for pattern, reason in REASONS if re.search(pattern, test)), None)


def report(test_class, output):
    """Says what passed; returns the numbers of passed and failed, and failures without a reason."""
    passed = len(re.findall(rf"^PASSED \S*::{test_class}(?:::|\[)", output, re.MULTILINE))
    failed = re.findall(rf"^(?:FAILED|ERROR) \S*?::{test_class}(?:::|\[)(.+)", output, re.MULTILINE)
    print(f"{test_class}: {passed} passed, {len(failed)} did not")
    for reason, count in collections.Counter(map(reason_for, failed)).items():
        print(f"  {count}: {reason or 'WITHOUT A REASON'}")
    if not passed + len(failed):
        print(output)
    return passed, len(failed), [test for test in failed if not reason_for(test)]


def main():
    with or_skipped():
        import pytest  # noqa: F401
        import scipy.signal.tests.test_signaltools  # noqa: F401
        import synthoscope.signal  # noqa: F401
    passed, failed, unexplained = 0, 0, []
    for test_class in OURS:
        with tempfile.TemporaryDirectory() as scratch:
            counts = report(test_class, run_tests(test_class, scratch))
        passed, failed = passed + counts[0], failed + counts[1]
        unexplained += counts[2] if counts[0] + counts[1] else [test_class]
    print(f"{passed} of scipy's tests passed, {failed} did not")
    for test in unexplained:
        print("not passed:", test)
    sys.exit(1 if unexplained else 0)


if __name__ == "__main__":
    main()
