#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Calls to the system fail one after another, and the program with them: nothing may be lost.

  faults.py PROGRAM FAILING_CALLS [--most N] [--kills N] [--only WORD] [--gpu N]

A run whose n-th allocation, read or write fails (of each kind N at most, spread evenly; 0: all)
either succeeds with the bytes of an undisturbed run, or says in one sentence why not, leaves what
was there before as it was, and is gone on with to the same bytes. So does one that is killed, at
a call that is drawn at random from all its writes.
With --gpu it runs on that GPU, which has no memory left at the n-th call to its driver, or is lost
then; and where --allow-cpu-fallback is given, the bytes are those of the host. Prints a table;
exits 1 where that is not so.
"""
import argparse
import collections
import concurrent.futures
import io
import os
import random
import signal
import subprocess
import sys
import tempfile

try:
    import numpy
    import tifffile
except ImportError as missing:
    print(f"skipped: {missing}")
    sys.exit(77)

sys.path.insert(1, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "python"))
from cases import CASES, FAULTS, FORMATS, GPU_CASES, GPU_FAULTS, write_inputs  # noqa: E402

HANG_SECONDS = 3600  # a guard, and never a measurement
# For want of a few bytes the HDF5 library (1.10.8) ends the program, by exit(-1) in H5I_register or
# on a list that it broke itself; what is on the disk is looked at all the same. Sets hold an HDF5
# file of what is true. The C++ library ends it where an iterator of folders has no memory.
HDF5_CRASHES = {-signal.SIGSEGV, -signal.SIGABRT, 255}
ENDED_ITSELF = "it terminated itself"
ERROR = "synthoscope: error: "
OLDER = b"an older result"
FALLS_BACK = "--allow-cpu-fallback"
FELL_BACK = "the host starts again"


def files_in(path):
    """Bytes by relative name; of a file, under no name, and what BigDataViewer has beside it."""
    if os.path.isfile(path):
        beside = os.path.splitext(path)[0] + ".xml"
        found = {}
        for name, one in (("", path), (".xml", beside)):
            if os.path.exists(one):
                with open(one, "rb") as file:
                    found[name] = file.read()
        return found
    found = {}
    for where, _, names in os.walk(path):
        for name in names:
            full = os.path.join(where, name)
            with open(full, "rb") as file:
                found[os.path.relpath(full, path)] = file.read()
    return found


class Case:
    """A command in a folder of its own, and what it writes when nothing fails."""

    def __init__(self, options, name, case, gpus):
        self.options, self.name = options, name
        self.output, self.words = case[0], [*case[1], "--gpus", gpus]
        # What cannot be gone on with begins anew
        self.going_on = ["--resume"] * (self.words[0] in ("convolve", "simulate"))
        self.uses_hdf5 = self.output.endswith(".h5") or self.output == "set"
        # What was there before, for what takes the place of a file or of a folder
        self.older = {".zgroup": OLDER} if self.output.endswith(".zarr") else {"": OLDER}
        if name.endswith("BDV"):
            self.older[".xml"] = b"<SpimData>" + OLDER + b"</SpimData>"
        self.expected = None
        first, second = (self.undisturbed() for _ in range(2))
        # Times and the like differ from run to run
        self.expected = {file: data for file, data in first.items() if second[file] == data}
        assert self.expected, f"{name}: no file is the same in two runs"

    def undisturbed(self):
        with tempfile.TemporaryDirectory() as folder:
            write_inputs(folder)
            ended = self.run(folder)
            assert ended.returncode == 0, ended.stderr
            return files_in(os.path.join(folder, self.output))

    def run(self, folder, *further, **fault):
        environment = {**os.environ, "XDG_CACHE_HOME": self.options.cache}
        if fault:
            with open(os.path.join(folder, "count"), "wb") as file:
                file.write(bytes(8))
            environment |= {"LD_PRELOAD": self.options.failing_calls, "FAIL_FOLDER": folder,
                            "FAIL_COUNT": os.path.join(folder, "count"),
                            **{f"FAIL_{key}".upper(): str(value) for key, value in fault.items()}}
        quiet = ["--quiet"] * (FALLS_BACK not in further)
        return subprocess.run([self.options.program, *self.words, *quiet, *further], cwd=folder,
                              text=True, env=environment, capture_output=True, timeout=HANG_SECONDS,
                              check=False)

    def calls(self, kind, how=""):
        with tempfile.TemporaryDirectory() as folder:
            write_inputs(folder)
            self.run(folder, calls=kind, at=0, how=how)
            with open(os.path.join(folder, "count"), "rb") as file:
                count = int.from_bytes(file.read(), sys.byteorder)
        assert count > 0, f"no call to {kind} was seen: the preloaded library is not at work"
        return count

    def is_whole(self, folder):
        found = files_in(os.path.join(folder, self.output))
        return all(found.get(file) == data for file, data in self.expected.items())

    def has_voxels(self, folder):
        """Whether a file that was packed in another way (libtiff takes zlib for a strip where
        libdeflate has no memory) holds the voxels of an undisturbed run."""
        if self.output != FORMATS["TIFF"]:
            return False
        return numpy.array_equal(tifffile.imread(os.path.join(folder, self.output)),
                                 tifffile.imread(io.BytesIO(self.expected[""])))

    def leftovers(self, folder):
        return [name for name in os.listdir(folder) if ".partial" in name]

    def place_of(self, output, name):
        if name == ".xml":
            return os.path.splitext(output)[0] + name
        return os.path.join(output, name) if name else output

    def write_older(self, output):
        for name, data in self.older.items():
            path = self.place_of(output, name)
            os.makedirs(os.path.dirname(path), exist_ok=True)
            with open(path, "wb") as file:
                file.write(data)

    def may_crash(self, code, said):
        return (self.uses_hdf5 and code in HDF5_CRASHES
                or code == -signal.SIGABRT and ENDED_ITSELF in said)

    def wrong(self, kind, how, accepted, at):
        """What is wrong after the at-th call failed; nothing as a rule. And how the run ended."""
        with tempfile.TemporaryDirectory() as folder:
            write_inputs(folder)
            output = os.path.join(folder, self.output)
            is_older = at % 2 == 0 and "." in self.output
            if is_older:
                self.write_older(output)
            try:
                ended = self.run(folder, *["--overwrite"] * is_older, calls=kind, at=at, how=how)
            except subprocess.TimeoutExpired:
                return "it hung", "hung"
            code, said = ended.returncode, ended.stderr.strip()
            if code == 0:
                if not (self.is_whole(folder) or kind == "allocate" and self.has_voxels(folder)):
                    return "WRONG SUCCESS: other bytes", code
                return (f"left {self.leftovers(folder)}" if self.leftovers(folder) else None), code
            told = [line for line in said.splitlines() if line.startswith(ERROR)]
            has_crashed = kind == "allocate" and self.may_crash(code, said)
            if not has_crashed and (code not in accepted or len(told) != 1):
                return f"exit {code}: {said or 'nothing said'}", code
            return self.wrong_on_disk(folder, is_older, "".join(told)), code

    def wrong_on_disk(self, folder, is_older, said):
        """What is wrong with what a run left that ended with a sentence."""
        output = os.path.join(folder, self.output)
        found, older = files_in(output), dict(self.older)
        if not said:  # a kill: it gets its name before the file that it tells of
            found.pop(".xml", None)
            older.pop(".xml", None)
        if os.path.exists(output) and found != older:
            # What failed came after the result was whole: its record, or the lines that tell of it
            if not self.is_whole(folder):
                return f"HALF A RESULT under its final name, said: {said}"
            ended = self.run(folder, *self.going_on)
            if ended.returncode == 0 or "--resume" not in said and "exists already" in ended.stderr:
                return None if self.is_whole(folder) else "LOST: going on made other bytes"
            return f"said: {said}; going on said: {ended.stderr.strip()}"
        if is_older and not os.path.exists(output):
            return f"LOST: the older result, said: {said}"
        return self.wrong_later(folder, is_older)

    def wrong_later(self, folder, is_older):
        """What is wrong with going on."""
        further = ["--overwrite"] * is_older
        ended = self.run(folder, *self.going_on, *further)
        if ended.returncode != 0:
            return f"going on ended with {ended.returncode}: {ended.stderr.strip()}"
        if not self.is_whole(folder):
            return "WRONG SUCCESS: gone on with to other bytes"
        return f"going on left {self.leftovers(folder)}" if self.leftovers(folder) else None

    def wrong_on_host(self, host, kind, how, at):
        """As `wrong`, where the host may do what the GPU cannot."""
        with tempfile.TemporaryDirectory() as folder:
            write_inputs(folder)
            ended = self.run(folder, FALLS_BACK, calls=kind, at=at, how=how)
            if ended.returncode != 0:
                return f"exit {ended.returncode}: {ended.stderr.strip()}", ended.returncode
            expected = host if FELL_BACK in ended.stderr else self
            if not expected.is_whole(folder):
                return f"WRONG SUCCESS: other bytes, said: {ended.stderr.strip()}", 0
            return (f"left {self.leftovers(folder)}" if self.leftovers(folder) else None), 0

    def wrong_after_kill(self, at):
        """As `wrong`, of a run that is killed before its at-th write."""
        with tempfile.TemporaryDirectory() as folder:
            write_inputs(folder)
            code = self.run(folder, calls="write", at=at, how="SIGKILL").returncode
            if code == 0:
                return None if self.is_whole(folder) else "WRONG SUCCESS: other bytes", code
            return self.wrong_on_disk(folder, False, ""), code


def spread(calls, most):
    if most == 0 or calls <= most:
        return range(1, calls + 1)
    return sorted({1 + i * calls // most for i in range(most)})


class Tally:
    """Prints a row for each kind of fault, and what went wrong."""

    def __init__(self):
        self.total, self.bad = 0, 0
        print(f"{'case':30} {'fault':25} {'calls':>7} {'failed':>7} {'gone on':>8} {'crashed':>7} "
              f"{'wrong':>6}")

    def add(self, case, fault, calls, results):
        codes = collections.Counter(code for _, _, code in results)
        wrong = [(at, said) for at, said, _ in results if said]
        self.total += len(results)
        self.bad += len(wrong)
        print(f"{case:30} {fault:25} {calls:7} {len(results):7} {codes[0]:8} "
              f"{sum(codes[code] for code in HDF5_CRASHES):7} {len(wrong):6}")
        alike = collections.defaultdict(list)
        for at, said in wrong:
            alike[said].append(at)
        for said, places in list(alike.items())[:12]:
            print(f"    at {', '.join(map(str, places[:6]))}{' ...' * (len(places) > 6)}: {said}")
        sys.stdout.flush()


def injected(case, host, options, pool, tally):
    """Faults of all kinds; `host` is the same case there, where GPUs are what fails."""
    for kind, how, accepted in GPU_FAULTS if host else FAULTS:
        calls = case.calls(kind)
        places = spread(calls, options.most)
        results = pool.map(lambda at: (at, *case.wrong(kind, how, accepted, at)), places)
        tally.add(case.name, f"{kind} {how}", calls, list(results))
        if host:
            results = pool.map(lambda at: (at, *case.wrong_on_host(host, kind, how, at)), places)
            tally.add(case.name, f"{kind} {how}, host", calls, list(results))


def killed(case, options, pool, tally, draw):
    calls = case.calls("write", "SIGKILL")
    places = [draw.randint(1, calls) for _ in range(options.kills)]
    results = pool.map(lambda at: (at, *case.wrong_after_kill(at)), places)
    tally.add(case.name, "killed", calls, list(results))


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("program")
    parser.add_argument("failing_calls", help="the library that is preloaded")
    parser.add_argument("--most", type=int, default=20, help="faults of a kind; 0: at every call")
    parser.add_argument("--kills", type=int, default=5, help="of each case, at random writes")
    parser.add_argument("--only", default="", help="cases whose names hold this word")
    parser.add_argument("--gpu", help="it runs on this one, and calls to its driver fail")
    options = parser.parse_args()
    options.program, options.failing_calls = map(os.path.abspath,
                                                 (options.program, options.failing_calls))
    tally, draw = Tally(), random.Random(1)
    with (tempfile.TemporaryDirectory() as options.cache,
          concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool):
        for name, words in (GPU_CASES if options.gpu else CASES).items():
            if options.only in name:
                case = Case(options, name, words, options.gpu or "none")
                host = Case(options, name, words, "none") if options.gpu else None
                injected(case, host, options, pool, tally)
                killed(case, options, pool, tally, draw)
    print(f"{tally.total} faults, {tally.bad} with something wrong")
    return 1 if tally.bad else 0


if __name__ == "__main__":
    sys.exit(main())
