# SPDX-License-Identifier: MIT
# tests/fuzz/run.py — runs libFuzzer's programs one after the other and says what they found:
#
#   run.py BUILD_FOLDER SECONDS [TARGET...]
#
# New inputs are kept, minimised, in BUILD_FOLDER/corpus/TARGET for the next run, and findings in
# BUILD_FOLDER/findings. Exit code 1 if there are any.
import glob
import os
import re
import shutil
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
MOST_BYTES = 1 << 16      # of an input
MOST_SECONDS = 10         # for one input
MOST_MEBIBYTES = 2560     # readers believe a file that declares up to 1 GiB
# A process of its own, which may die, tries files for HDF5's library: how much it asks for is no
# finding. What it takes is.
MOST_AT_ONCE = {"hdf5": 16384, "hdf5_tables": 16384, "bdv_xml": 16384, "texture_model": 16384}
KINDS = ("crash", "leak", "oom", "timeout")


def environment(scratch):
    """Files lie in memory; what HDF5's library loses where it gives up is not ours to find."""
    suppressed = os.path.join(HERE, "leaks.txt")
    return {**os.environ, "TMPDIR": scratch,
            "ASAN_OPTIONS": "quarantine_size_mb=16:detect_stack_use_after_return=0",
            "LSAN_OPTIONS": f"suppressions={suppressed}:print_suppressions=0"}


def statistic(text, name):
    found = re.search(rf"stat::{name}:\s+(\d+)", text)
    return int(found.group(1)) if found else 0


def coverage(text):
    found = re.findall(r"cov: (\d+)", text)
    return int(found[-1]) if found else 0


class Target:
    def __init__(self, build, name):
        self.name = name
        self.program = os.path.join(build, "tests", "fuzz", f"fuzz_{name}")
        self.corpus = os.path.join(build, "corpus", name)
        self.findings = os.path.join(build, "findings")
        self.seeds = os.path.join(HERE, "corpus", name)
        for folder in (self.corpus, self.findings):
            os.makedirs(folder, exist_ok=True)

    def run(self, seconds):
        """What libFuzzer says, and the findings of this run."""
        before = set(self.found())
        words = [f"-max_total_time={seconds}", f"-max_len={MOST_BYTES}", f"-timeout={MOST_SECONDS}",
                 f"-rss_limit_mb={MOST_MEBIBYTES}", "-print_final_stats=1",
                 f"-malloc_limit_mb={MOST_AT_ONCE.get(self.name, MOST_MEBIBYTES)}",
                 f"-artifact_prefix={self.findings}/{self.name}-"]
        dictionary = os.path.join(HERE, "dictionaries", f"{self.name}.dict")
        if os.path.exists(dictionary):
            words.append(f"-dict={dictionary}")
        text = self.call(words + [self.corpus, self.seeds])
        new = sorted(set(self.found()) - before)
        if new:
            print(text[-4000:], file=sys.stderr)
        return text, new

    def found(self):
        return [path for kind in KINDS
                for path in glob.glob(os.path.join(self.findings, f"{self.name}-{kind}-*"))]

    def minimise(self):
        """Keeps of the corpus what covers something that no seed and no other input does."""
        small = self.corpus + ".small"
        shutil.rmtree(small, ignore_errors=True)
        os.makedirs(small)
        self.call(["-merge=1", f"-max_len={MOST_BYTES}", f"-timeout={MOST_SECONDS}",
                   f"-rss_limit_mb={MOST_MEBIBYTES}", small, self.seeds, self.corpus])
        shutil.rmtree(self.corpus)
        os.rename(small, self.corpus)

    def call(self, words):
        memory = "/dev/shm" if os.path.isdir("/dev/shm") else None
        with tempfile.TemporaryDirectory(dir=memory) as scratch:
            done = subprocess.run([self.program, *words], env=environment(scratch), text=True,
                                  errors="replace", stdout=subprocess.PIPE,
                                  stderr=subprocess.STDOUT, check=False)
        return done.stdout


def main():
    build, seconds = os.path.abspath(sys.argv[1]), int(sys.argv[2])
    known = sorted(os.listdir(os.path.join(HERE, "corpus")))
    names = sys.argv[3:] or known
    for name in names:
        if name not in known:
            sys.exit(f"there is no target {name}; choose from {', '.join(known)}")
    print(f"{'target':20} {'executions':>12} {'per second':>11} {'coverage':>9} {'findings':>9}")
    findings = []
    for name in names:
        target = Target(build, name)
        text, new = target.run(seconds)
        findings += [(target, path) for path in new]
        if not new:
            target.minimise()
        print(f"{name:20} {statistic(text, 'number_of_executed_units'):12} "
              f"{statistic(text, 'average_exec_per_sec'):11} {coverage(text):9} {len(new):9}",
              flush=True)
    for target, path in findings:
        print(f"to repeat: {target.program} {path}")
    sys.exit(1 if findings else 0)


if __name__ == "__main__":
    main()
