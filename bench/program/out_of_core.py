# SPDX-License-Identifier: MIT
"""What does it cost to convolve more than memory holds, and does the promise of --memory hold?

usage: out_of_core.py PATH_TO_SYNTHOSCOPE [--folder DIR] [--quick] [--write docs/benchmarks/...md]

Two questions. A stack several times larger than --memory: seconds and memory of the planner's own
choice and of strategies chosen by hand, beside a stack that fits, with the same kernel. And a
kernel as large as its image: in one piece, and in more and more parts. Every result is certified.
"""
import argparse
import dataclasses
import json
import pathlib
import shutil
import subprocess
import sys
import tempfile

import numpy as np
import tifffile

from made_volumes import grainy_ball, texture
from out_of_core_page import chart, page, plan_bytes, seconds_of, size
from process_memory import run_watched

PARTS = [1, 2, 4, 8, 16]
ROUNDS = 3  # of what takes seconds: the middle one counts


@dataclasses.dataclass
class Sizes:
    """The sizes of one run of this benchmark."""
    large: tuple
    kernel: tuple
    small: tuple  # fits without a limit
    deep: int  # side of an image with a kernel as large
    memory: dict  # strategy: budget
    certified: int


FULL = Sizes((2048, 1536, 1024), (61, 127, 127), (512, 512, 512), 300,
             {"auto": "1G", "ring": "2G", "tiles": "1G", "parts": "1G"}, 2000)
QUICK = Sizes((192, 320, 256), (9, 25, 25), (96, 128, 128), 160,
              {"auto": "24M", "ring": "32M", "tiles": "24M", "parts": "24M"}, 100)


def write_stack(path, shape, seed):
    with tifffile.TiffWriter(path, bigtiff=True) as file:
        file.write(texture(shape, seed), shape=shape, dtype="u2", photometric="minisblack",
                   metadata=None)


def write_kernel(path, shape):
    with tifffile.TiffWriter(path) as file:
        file.write(grainy_ball(shape), shape=shape, dtype="f4", photometric="minisblack")


def read_once(path):
    """Into the page cache, as far as it is large enough."""
    with open(path, "rb") as file:
        while file.read(1 << 24):
            pass


class Program:
    """Runs `convolve` and asks `plan` what it is going to do."""

    def __init__(self, program, folder):
        self.program, self.folder = program, folder

    def plan(self, image, kernel, *options):
        result = subprocess.run(
            [self.program, "plan", "convolve", image, kernel, "--json", "--quiet",
             *map(str, options)], capture_output=True, text=True, check=False)
        return json.loads(result.stdout) if result.returncode == 0 else None

    def explained(self, image, kernel, *options):
        return subprocess.run([self.program, "plan", "convolve", image, kernel, "--quiet",
                               *map(str, options)], capture_output=True, text=True,
                              check=True).stdout

    def convolve(self, image, kernel, output, *options, reference=None, keep=False):
        """What run_watched returns, with the plan, and with a certificate: of the program, or by
        comparing with a certified `reference`. The output is removed unless it is kept."""
        read_once(image)
        path = self.folder / output
        result = run_watched([self.program, "convolve", image, kernel, "-o", path, "--json",
                              "--quiet", "--overwrite", *options])
        if reference and "refused" not in result:
            result["certificate"] = compared(path, *reference)
        for file in self.folder.glob(f"{output}*"):
            if not keep or "refused" in result:
                file.unlink()
        if "refused" in result:
            result["refused"] = result["refused"].replace(f"{self.folder}/", "")
        result["plan"] = self.plan(image, kernel, *without_certificate(options))
        return result

    def middle(self, *arguments, **settings):
        """The middle one of a few runs, by seconds."""
        runs = [self.convolve(*arguments, **settings) for _ in range(ROUNDS)]
        refused = [run for run in runs if "refused" in run]
        return refused[0] if refused else sorted(runs, key=seconds_of)[ROUNDS // 2]


def compared(path, certified, peak):
    """The largest difference from a result that is certified, as a certificate."""
    with tifffile.TiffFile(path) as ours, tifffile.TiffFile(certified) as theirs:
        largest = max(float(np.abs(a.asarray() - b.asarray()).max())
                      for a, b in zip(ours.pages, theirs.pages))
    return {"largest_error": largest, "peak": peak}


def without_certificate(options):
    words = list(options)
    if "--certify" in words:
        at = words.index("--certify")
        del words[at:at + 2]
    return words


def hdf5_copy(path, shape):
    """The same stack as HDF5, contiguous; None where h5py is not here."""
    try:
        import h5py
    except ImportError:
        return None
    with h5py.File(path, "w") as file:
        data = file.create_dataset("image", shape, "u2")
        for z, plane in enumerate(texture(shape, 1)):
            data[z] = plane
    return path


def large_rows(program, sizes, folder):
    """One row per way of convolving the large stack, after the one that fits."""
    kernel, small, large = (folder / f"{name}.tif" for name in ("kernel", "small", "large"))
    write_kernel(kernel, sizes.kernel)
    write_stack(small, sizes.small, 1)
    check = ("--normalize-kernel", "sum", "--certify", sizes.certified)
    fits = program.middle(small, kernel, "out.tif", "--strategy", "in-core", *check)
    yield "in-core, no limit", sizes.small, None, fits
    small.unlink()

    write_stack(large, sizes.large, 1)
    for strategy, memory in sizes.memory.items():
        options = ("--memory", memory, "--strategy", strategy, *check)
        name = "planner's choice" if strategy == "auto" else strategy
        yield name, sizes.large, memory, program.convolve(large, kernel, "out.tif", *options)
    large.unlink()

    stack = hdf5_copy(folder / "large.h5", sizes.large)
    if stack:
        memory = sizes.memory["auto"]
        yield ("planner's choice, HDF5 to HDF5", sizes.large, memory,
               program.convolve(stack, kernel, "out.h5", "--memory", memory, *check))
        stack.unlink()


def memory_without_parts(plan):
    """A budget in which finished parts have to wait on disk; none where they are smaller than what
    is added for the process itself."""
    for_process = 24 << 20
    memory = plan["memory"] if plan else []
    waiting = sum(item["bytes"] for item in memory if item["what"] == "parts")
    return plan_bytes(plan) - waiting + for_process if waiting > for_process else None


def deep_rows(program, sizes, folder):
    """A kernel as large as its image: in one piece, with a quarter of that, and in parts."""
    shape = (sizes.deep,) * 3
    image, kernel = folder / "image.tif", folder / "kernel.tif"
    write_stack(image, shape, 2)
    write_kernel(kernel, shape)
    how = ("--normalize-kernel", "sum", "--output-type", "float32")
    whole = program.middle(image, kernel, "whole.tif", "--strategy", "in-core", *how, "--certify",
                           max(10, sizes.certified // 20), keep=True)
    certified = (folder / "whole.tif", whole["certificate"]["peak"])
    quarter = plan_bytes(whole["plan"]) // 4
    rows = [("in-core", None, whole),
            ("planner's choice", quarter,
             program.middle(image, kernel, "out.tif", "--memory", quarter, *how,
                            reference=certified))]
    reasons = None
    if "refused" not in rows[-1][2]:
        reasons = program.explained(image, kernel, "--memory", quarter, *how)
    for parts in PARTS:
        how_many = ("--strategy", "parts", "--parts", parts, *how)
        memory = memory_without_parts(program.plan(image, kernel, *how_many))
        limit = ("--memory", memory) if memory else ()
        rows.append((f"parts, R = {parts}", memory, program.middle(
            image, kernel, "out.tif", *how_many, *limit, reference=certified)))
    return shape, rows, reasons


def main():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program", type=pathlib.Path)
    parser.add_argument("--folder", type=pathlib.Path,
                        help="where to work; 30 GiB of room (default: a temporary folder)")
    parser.add_argument("--quick", action="store_true", help="small sizes, to try this script")
    parser.add_argument("--write", type=pathlib.Path)
    options = parser.parse_args()
    sizes = QUICK if options.quick else FULL
    with tempfile.TemporaryDirectory(dir=options.folder) as name:
        folder = pathlib.Path(name)
        needed, free = 16 * int(np.prod(sizes.large)), shutil.disk_usage(folder).free
        if free < needed:
            sys.exit(f"out_of_core: {folder.parent} has {size(free)} free, {size(needed)} are "
                     "needed; name another with --folder")
        program = Program(options.program.resolve(), folder)
        large = list(large_rows(program, sizes, folder))
        deep = deep_rows(program, sizes, folder)
    picture = chart(deep[0], deep[1])
    beside = options.write.with_suffix(".svg") if options.write else None
    text = page(sizes, ROUNDS, large, deep, beside.name if beside and picture else None)
    print(text)
    if options.write:
        options.write.write_text(text, encoding="utf-8")
        if picture:
            beside.write_text(picture, encoding="utf-8")


if __name__ == "__main__":
    main()
