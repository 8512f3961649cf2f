#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Runs the tests of GPUs under compute-sanitizer, a few at a time, and says what it found.

  sanitize.py PROGRAM --tool memcheck|racecheck|initcheck [--report FILE] [--seconds N] [--jobs N]

Tests that FILE says are clean under the tool are left out: a run that ends after N seconds is gone
on with by the next. Exits 1 where something was found or a test failed, else 0.
"""
import argparse
import json
import os
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from concurrent.futures import ThreadPoolExecutor

TOGETHER = 4  # tests of one process: to start it and load its kernels takes seconds
# What these ask for, nearly all of the GPU, leaves nothing to their neighbours
ALONE = ("*NearlyAll*", "*MoreThanThereIs*", "*BeyondTheDevice*")
OPTIONS = {"memcheck": ["--report-api-errors", "no"],  # failures that tests provoke
           "racecheck": ["--racecheck-report", "analysis"],
           # Copies carry the gaps between results, too
           "initcheck": ["--check-api-memory-access", "no"]}

# Reports that are of no consequence: what they begin with, and why
HARMLESS = {
    "initcheck": {r"Uninitialized __global__ memory read of size 8 bytes; at void "
                  r"synthoscope::fftconv::device::columns<":
                  "columns that fill up the last block; nothing reads what becomes of them"}}


def listed_tests(program):
    """Full names, but those that are for a GPU of their own."""
    text = subprocess.run([program, "--gtest_list_tests", "--gtest_filter=-" + ":".join(ALONE)],
                          capture_output=True, text=True, check=True).stdout
    tests, suite = [], ""
    for line in text.splitlines():
        name = line.split("#")[0].rstrip()
        if name.startswith("  "):
            tests.append(suite + name.strip())
        elif name.endswith("."):
            suite = name
    return tests


def findings_of(text, tool):
    """The first line of each report, without addresses, and where it was; not what is harmless."""
    reports = re.findall(r"^========= ((?:Invalid|Uninit|Error|Warning|Race|Host API|Barrier|Misal"
                         r").*)\n=========\s+(.*)$", text, re.M)
    found = {re.sub(r"0x[0-9a-f]+", "...", f"{what}; {where}") for what, where in reports}
    return sorted(one for one in found if not one.startswith(tuple(HARMLESS.get(tool, ()))))


def output_of(command, seconds):
    """What a command prints within so many seconds, and whether it ended by itself; else it and
    what it started are ended then."""
    ended = True
    with tempfile.TemporaryFile("w+", errors="replace") as out:
        with subprocess.Popen(command, stdout=out, stderr=subprocess.STDOUT,
                              start_new_session=True) as process:
            try:
                process.wait(seconds)
            except subprocess.TimeoutExpired:
                os.killpg(process.pid, signal.SIGKILL)
                ended = False
        out.seek(0)
        return out.read(), ended


class Session:
    def __init__(self, options):
        self.options = options
        self.sanitizer = shutil.which("compute-sanitizer", path=os.environ["PATH"] +
                                      ":/usr/local/cuda/bin")
        if not self.sanitizer:
            sys.exit("run tests under compute-sanitizer: it is not on PATH; install CUDA's tools")
        self.end = time.monotonic() + options.seconds
        self.records, self.has_failed = {}, False
        if options.report and os.path.exists(options.report):
            with open(options.report, encoding="utf-8") as file:
                self.records = json.load(file)
        self.mine = self.records.setdefault(options.tool, {})

    def run(self, tests):
        left = self.end - time.monotonic()
        if left < 5:
            return
        command = [self.sanitizer, "--tool", self.options.tool, *OPTIONS[self.options.tool],
                   self.options.program, "--gtest_filter=" + ":".join(tests)]
        text, ended_itself = output_of(command, left)
        pieces = re.split(r"^\[ RUN      \] (\S+)$", text, flags=re.M)
        for name, piece in zip(pieces[1::2], pieces[2::2]):
            ended = re.search(r"^\[\s+(OK|FAILED|SKIPPED) \] .*\((\d+) ms\)", piece, re.M)
            if ended:
                self.mine[name] = {"result": ended[1].lower(), "seconds": int(ended[2]) / 1000,
                                   "findings": findings_of(piece, self.options.tool)}
            elif ended_itself:
                self.mine[name] = {"result": "failed", "seconds": 0,
                                   "findings": [f"the program ended in it: {piece[-500:].strip()}"]}
        if ended_itself and len(pieces) == 1:
            sys.stderr.write(f"no test was run by {command}: {text[-500:]}\n")
            self.has_failed = True

    def is_clean(self, test):
        record = self.mine.get(test)
        return bool(record) and record["result"] != "failed" and not record["findings"]

    def save(self):
        if self.options.report:
            with open(self.options.report, "w", encoding="utf-8") as file:
                json.dump(self.records, file, indent=1, sort_keys=True)


def main(arguments):
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("program", help="synthoscope_gpu_tests")
    parser.add_argument("--tool", choices=sorted(OPTIONS), required=True)
    parser.add_argument("--report", help="JSON file of what came of each test; gone on with")
    parser.add_argument("--seconds", type=float, default=3600, help="end after so many")
    parser.add_argument("--jobs", type=int, default=max(1, (os.cpu_count() or 1) - 1))
    session = Session(parser.parse_args(arguments))
    options = session.options
    tests = listed_tests(options.program)
    missing = [test for test in tests if not session.is_clean(test)]
    groups = [missing[i:i + TOGETHER] for i in range(0, len(missing), TOGETHER)]
    with ThreadPoolExecutor(options.jobs) as pool:
        list(pool.map(session.run, groups))
    session.save()

    clean = sum(map(session.is_clean, tests))
    bad = [test for test in tests if test in session.mine and not session.is_clean(test)]
    for test in bad:
        print(test, session.mine[test]["result"], *session.mine[test]["findings"], sep="\n  ")
    print(f"{options.tool}: {clean} of {len(tests)} tests are clean, {len(bad)} are not, "
          f"{len(tests) - clean - len(bad)} were not reached")
    return 1 if bad or session.has_failed else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
