# SPDX-License-Identifier: MIT
"""How long does one Poisson count take on one core, beside numpy's Generator.poisson?

usage: poisson.py PATH_TO_POISSON_BENCH [--rounds N] [--write docs/benchmarks/poisson.md]

Both sides include the random bits. They take turns in this run, on one thread each; the fastest
round of each counts.
"""
import argparse
import json
import os
import pathlib
import platform
import subprocess
import time

import numpy as np

MEANS = [0.1, 1, 9, 11, 50, 1000, 10000]
DRAWS = 1_000_000


def ours(bench, mean):
    command = [bench, str(mean), str(DRAWS)]
    done = subprocess.run(command, check=True, capture_output=True, text=True)
    return json.loads(done.stdout)


def numpys(mean):
    random = np.random.default_rng(1)
    start = time.perf_counter()
    random.poisson(mean, DRAWS)
    return (time.perf_counter() - start) * 1e9 / DRAWS


def processor():
    for line in pathlib.Path("/proc/cpuinfo").read_text().splitlines():
        if line.startswith("model name"):
            return line.split(":", 1)[1].strip()
    return platform.processor()


def main():
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("bench")
    options.add_argument("--rounds", type=int, default=3)
    options.add_argument("--write", type=pathlib.Path)
    args = options.parse_args()

    lines = [
        "# Poisson counts, nanoseconds per draw on one core",
        "",
        f"{processor()}; commit {os.environ.get('SYNTHOSCOPE_COMMIT', 'unknown')}; "
        f"numpy {np.__version__}; "
        f"{DRAWS} draws, best of {args.rounds} rounds taken in turn; Philox included.",
        "Wrong: counts that differ from the inversion by summation, of a tenth of the draws.",
        "",
        "| mean | synthoscope | numpy | ratio | wrong |",
        "|---|---|---|---|---|",
    ]
    for mean in MEANS:
        rounds = [(ours(args.bench, mean), numpys(mean)) for _ in range(args.rounds)]
        mine, peer = min(r[0]["nanoseconds"] for r in rounds), min(r[1] for r in rounds)
        wrong = rounds[0][0]["wrong"]
        lines.append(f"| {mean:g} | {mine:.1f} | {peer:.1f} | {peer / mine:.1f} | {wrong} |")
    text = "\n".join(lines) + "\n"
    print(text, end="")
    if args.write:
        args.write.write_text(text)


main()
