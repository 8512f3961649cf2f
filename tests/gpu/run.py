#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
# tests/gpu/run.py — runs the tests of GPUs, writes what came of each as JSON, and prints a short
# table last. Needs nothing but the program: run.py PROGRAM OUT.json [options of GoogleTest]
import json
import os
import platform
import subprocess
import sys
import tempfile

RESULTS = ("passed", "skipped", "failed")


def result_of(test):
    if test.get("failures"):
        return "failed"
    return "skipped" if test["result"] == "SKIPPED" else "passed"


def tests_of(report):
    for suite in report["testsuites"]:
        for test in suite["testsuite"]:
            yield {"suite": suite["name"], "name": test["name"], "result": result_of(test),
                   "seconds": float(test["time"].rstrip("s")),
                   "failures": [each["failure"] for each in test.get("failures", [])]}


def run(program, options):
    """The exit status of the program, and its tests; none where it ended before it could say."""
    with tempfile.TemporaryDirectory() as folder:
        out = os.path.join(folder, "tests.json")
        status = subprocess.run([program, f"--gtest_output=json:{out}", *options]).returncode
        if not os.path.exists(out):
            return status, []
        with open(out, encoding="utf-8") as file:
            return status, list(tests_of(json.load(file)))


def print_table(tests):
    suites = dict.fromkeys(test["suite"] for test in tests)
    width = max(map(len, [*suites, "all"]), default=0)
    print(f"{'':{width}}  " + "  ".join(f"{result:>7}" for result in RESULTS) + "  seconds")
    for suite in [*suites, "all"]:
        here = [test for test in tests if suite in ("all", test["suite"])]
        counts = [sum(test["result"] == result for test in here) for result in RESULTS]
        print(f"{suite:{width}}  " + "  ".join(f"{count:7}" for count in counts) +
              f"  {sum(test['seconds'] for test in here):7.2f}")


def main(program, out, *options):
    status, tests = run(program, options)
    counts = {result: sum(test["result"] == result for test in tests) for result in RESULTS}
    with open(out, "w", encoding="utf-8") as file:
        json.dump({"commit": os.environ.get("SYNTHOSCOPE_COMMIT", "unknown"),
                   "machine": platform.platform(), "exit_status": status, **counts,
                   "tests": tests}, file, indent=2)
    print_table(tests)
    if not tests:
        print(f"The program ended with status {status} before its tests did.")
    elif counts["skipped"]:
        print(f"{counts['skipped']} tests were skipped and prove nothing; why stands above.")
    return status or not tests


if __name__ == "__main__":
    if len(sys.argv) < 3:
        sys.exit("usage: run.py PROGRAM OUT.json [options of GoogleTest]")
    sys.exit(main(*sys.argv[1:]))
