# SPDX-License-Identifier: MIT
# tests/python/held_run.py — runs that a signal meets at a chosen call, so that no test depends on
# how fast a machine is.
#
# The library of tests/faults is preloaded into the program. It counts the program's writes, reads
# or allocations, and sends the program a signal just before the N-th: SIGKILL or SIGTERM to end it
# there, SIGSTOP to hold it there until the test sends SIGCONT.
import collections
import os
import random
import signal
import subprocess
import sys
import tempfile
import threading
import unittest

from program import PROGRAM, HANG_SECONDS, ProgramTest, taken

FAILING_CALLS = taken("--failing-calls", "")
if FAILING_CALLS:
    FAILING_CALLS = os.path.abspath(FAILING_CALLS)

needs_held_runs = unittest.skipUnless(
    FAILING_CALLS, "there is no library that holds runs (Linux; option --failing-calls)")

# A shell that starts a job in the background lets it ignore SIGINT, and so would each run
if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)

Ended = collections.namedtuple("Ended", "returncode stdout stderr")


def preloaded(folder, how, at, calls="write", name="", count=""):
    """What the environment must hold so that `how` (a signal) meets the at-th of these calls to
    files below `folder` whose paths hold `name`. A file `count` of 8 bytes counts them."""
    variables = {"LD_PRELOAD": FAILING_CALLS, "FAIL_FOLDER": os.path.realpath(folder),
                 "FAIL_HOW": how.name, "FAIL_AT": str(at), "FAIL_CALLS": calls}
    return {**variables, **({"FAIL_NAME": name} if name else {}),
            **({"FAIL_COUNT": count} if count else {})}


def later(seconds):
    """What the environment must hold so that the program finds another time of day."""
    return {"LD_PRELOAD": FAILING_CALLS, "LATER_SECONDS": str(seconds)}


class Run:
    """A program that was started. What it prints goes to files: it never waits for a reader."""

    def __init__(self, words, folder, environment):
        # pylint: disable=consider-using-with
        self._out, self._err = tempfile.TemporaryFile("w+"), tempfile.TemporaryFile("w+")
        self._process = subprocess.Popen(list(map(str, words)), cwd=folder, env=environment,
                                         stdout=self._out, stderr=self._err)
        self.pid = self._process.pid
        self._guard = threading.Timer(HANG_SECONDS, self._process.kill)
        self._guard.daemon = True
        self._guard.start()

    def is_held(self):
        """Waits until the run has held itself, or has ended. @returns whether it is held"""
        _, status = os.waitpid(self.pid, os.WUNTRACED)
        if os.WIFSTOPPED(status):
            return True
        self._process.returncode = os.waitstatus_to_exitcode(status)
        return False

    def send(self, how):
        os.kill(self.pid, how)

    def go_on(self):
        self.send(signal.SIGCONT)

    def end(self, how=None):
        """Sends `how`, lets a held run go on, and waits for its end. @returns an Ended"""
        if self._process.returncode is None:
            if how:
                self.send(how)
            self.go_on()
            self._process.wait()
        self._guard.cancel()
        said = []
        for file in (self._out, self._err):
            file.seek(0)
            said.append(file.read())
            file.close()
        return Ended(self._process.returncode, *said)


    def end_if_it_runs(self):
        """For a test that failed before it saw the end."""
        if self._process.returncode is None:
            self.end(signal.SIGKILL)


class HeldTest(ProgramTest):
    """Starts runs that a signal meets. `at` counts from 1."""

    def start(self, *words, how=signal.SIGSTOP, at=0, **which):
        """A run that is not waited for."""
        environment = self.environment()
        extra = which.pop("environment", {})
        if at:
            environment |= preloaded(self.folder, how, at, **which)
        return Run([PROGRAM, *words], self.folder, {**environment, **extra})

    def hold(self, *words, at=1, **which):
        """A run that is held at this call; it is a mistake of the test if it has ended before."""
        run = self.start(*words, at=at, **which)
        if not run.is_held():
            self.fail(f"the run ended before call {at} ({which}): {run.end()}")
        self.addCleanup(run.end_if_it_runs)
        return run

    def meet(self, how, *words, at=1, **which):
        """A run that `how` meets at this call. @returns an Ended"""
        return self.start(*words, how=how, at=at, **which).end()

    def calls_of(self, *words, calls="write", name=""):
        """How many such calls the run makes that ends by itself, with success."""
        with tempfile.NamedTemporaryFile() as count:
            count.write(bytes(8))
            count.flush()
            environment = self.environment() | preloaded(
                self.folder, signal.SIGKILL, 0, calls, name, count.name)
            ended = Run([PROGRAM, *words], self.folder, environment).end()
            self.assertEqual(ended.returncode, 0, ended.stderr)
            with open(count.name, "rb") as file:
                return int.from_bytes(file.read(), sys.byteorder)


def random_calls(total, count, seed):
    """So many of the calls 1 to `total`, in the order in which they were drawn."""
    draw = random.Random(seed)
    return [draw.randint(1, total) for _ in range(count)]


def spread_calls(total, count):
    """The first of the calls 1 to `total`, the last, and others between; all if count is 0."""
    if count == 0 or total <= count:
        return list(range(1, total + 1))
    return sorted({1 + (total - 1) * i // max(1, count - 1) for i in range(count)})
