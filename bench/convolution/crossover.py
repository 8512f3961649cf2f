# SPDX-License-Identifier: MIT
"""crossover.py PROGRAM JSON — direct sums, passes and FFT over the kernel's size on this host.

Runs crossover_bench on a plane and on a volume; crossover_page.py makes a page of the JSON."""
import json
import os
import pathlib
import platform
import subprocess
import sys
import tempfile

THREADS = 2
CASES = {"1,2048,2048": (3, 5, 7, 9, 11, 13, 15, 19, 25, 31, 45, 63, 91, 127, 181),
         "64,192,192": (3, 5, 7, 9, 11, 13, 17, 21, 31, 45, 61)}


def main(program, path):
    cases = []
    for extent, sides in CASES.items():
        with tempfile.TemporaryDirectory() as folder:
            out = pathlib.Path(folder) / "crossover.json"
            subprocess.run([program, out, str(THREADS), extent, *map(str, sides)], check=True)
            cases.append(json.loads(out.read_text(encoding="utf-8")))
    model = next((line.split(":")[1].strip() for line in open("/proc/cpuinfo", encoding="utf-8")
                  if line.startswith("model name")), platform.processor())
    pathlib.Path(path).write_text(json.dumps(
        {"machine": model, "commit": os.environ.get("SYNTHOSCOPE_COMMIT", "unknown"),
         "cases": cases}), encoding="utf-8")


if __name__ == "__main__":
    main(*sys.argv[1:])
