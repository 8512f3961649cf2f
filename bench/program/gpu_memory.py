# SPDX-License-Identifier: MIT
"""What does one request take of a GPU's memory and of time, by each strategy and budget?

usage: gpu_memory.py PATH_TO_SYNTHOSCOPE [--folder DIR] [--quick] [--rounds N] [--json FILE]
                     [--write docs/benchmarks/gpu-memory.md]

A stack with a small kernel, and one with a kernel as large as itself, from file to file, with
--gpus 0 and a --gpu-memory: in core, by ring, tiles and parts. Every result is certified.
"""
import argparse
import dataclasses
import json
import os
import pathlib
import subprocess
import sys
import tempfile

sys.dont_write_bytecode = True
from out_of_core import read_once, write_kernel, write_stack  # noqa: E402
from out_of_core_page import error_of, joined, plan_bytes, size  # noqa: E402
from process_memory import run_watched  # noqa: E402

ALL = ["in-core", "ring", "tiles", "parts"]
BUDGETS = {None: ["in-core", "parts"], "8G": ALL, "2G": ALL}
HEAD = ["--gpu-memory", "strategy", "at once", "seconds", "preparing", "predicted",
        "memory of the GPU, planned", "held", "of the host, planned", "over the link",
        "largest error"]


@dataclasses.dataclass
class Request:
    """A stack, its kernel, and how many voxels of the result are computed again in double."""
    image: tuple
    kernel: tuple
    certified: int


FULL = [Request((768, 768, 768), (127, 127, 127), 50),
        Request((512, 512, 512), (512, 512, 512), 5)]
QUICK = [Request((96, 128, 128), (9, 25, 25), 50), Request((80, 80, 80), (80, 80, 80), 20)]


def chosen(plan):
    return next(c for c in plan["candidates"] if c["verdict"] == "chosen")


def choice(program, inputs, options):
    """The planner's own strategy; none where it refuses."""
    result = subprocess.run([program, "plan", "convolve", *inputs, "--json", "--quiet", *options],
                            capture_output=True, text=True, check=False)
    return json.loads(result.stdout)["strategy"] if result.returncode == 0 else None


def measure(program, folder, request, rounds):
    """Rows of one request: budget, strategy, and what a run said, the fastest of its rounds."""
    image, kernel, output, record = (
        folder / name for name in ("image.tif", "kernel.tif", "out.tif", "out.tif.json"))
    write_stack(image, request.image, 1)
    write_kernel(kernel, request.kernel)
    read_once(image)
    how = ["--gpus", "0", "--normalize-kernel", "sum", "--output-type", "float32"]
    for budget, strategies in BUDGETS.items():
        limit = ["--gpu-memory", budget] if budget else []
        auto = choice(program, (image, kernel), how + limit)
        for strategy in strategies:
            row = {"budget": budget, "strategy": strategy, "is_choice": auto == strategy}
            for i in range(rounds):
                check = ["--certify", str(request.certified)] if i == 0 else []
                run = run_watched([program, "convolve", image, kernel, "-o", output, "--json",
                                   "--quiet", "--overwrite", "--strategy", strategy, *how, *limit,
                                   *check])
                if "refused" in run:
                    row["refused"] = run["refused"].replace(f"{folder}/", "")
                    break
                if i == 0:
                    row["error"] = error_of(run)
                    row["plan"] = json.loads(record.read_text(encoding="utf-8"))["plan"]
                if "run" not in row or run["run"]["seconds"] < row["run"]["seconds"]:
                    row["run"] = run["run"]
                    row["wall_seconds"] = run["wall_seconds"]
            print(" | ".join(cells(row)), flush=True)
            yield row
    for path in (image, kernel, output, record):
        path.unlink(missing_ok=True)


def at_once(plan):
    cut = plan["cut"]
    if plan["strategy"] != "parts":
        return joined(cut["result"])
    return f"R = {cut['parts']}, the {'GPU' if cut['fold_on_device'] else 'host'} folds"


def cells(row):
    budget = row["budget"] or "all"
    name = f"**{row['strategy']}**" if row["is_choice"] else row["strategy"]
    if "refused" in row:
        return [budget, name, row["refused"]] + [""] * (len(HEAD) - 3)
    plan, run = row["plan"], row["run"]
    candidate = chosen(plan)
    device = sum(item["bytes"] for item in plan["device_memory"])
    return [budget, name, at_once(plan), f"{run['seconds']:.2f}",
            f"{run['stages'].get('prepare', 0):.2f}", f"{candidate['seconds']:.2f}",
            size(device), size(run["peak_device_bytes"]), size(plan_bytes(plan)),
            size(candidate["up_bytes"] + candidate["down_bytes"]), f"{row['error']:.1e}"]


def table(request, rows):
    lines = [f"## {joined(request['image'])} uint16 with {joined(request['kernel'])}", "",
             "| " + " | ".join(HEAD) + " |", "|" + "---|" * len(HEAD)]
    lines += ["| " + " | ".join(cells(row)) + " |" for row in rows]
    beyond = [row["strategy"] for row in rows if "run" in row and row["run"]["peak_device_bytes"]
              > sum(item["bytes"] for item in row["plan"]["device_memory"])]
    lines += ["", "**Beyond its plan: " + ", ".join(beyond) + ".**" if beyond
              else "No run held more of the GPU than its plan says."]
    return lines


def page(gpu, results):
    lines = ["# One request, several sizes of a GPU's memory", "",
             f"{gpu}; commit {os.environ.get('SYNTHOSCOPE_COMMIT', 'unknown')}. Made by `./dev "
             "bench gpu-memory`; from file to file, float32 results, `--gpus 0`. *Seconds* are of "
             "the run, with what *preparing* takes of them (memory is taken and pinned, kernels "
             "are compiled or loaded), without the start of the program and without waiting for "
             "the disk; *predicted* by the plan, with the start. The planner's own choice for "
             "each budget is **bold**. Errors: the largest of some voxels against sums in double "
             "precision, over the peak of the sum of absolutes."]
    for request, rows in results:
        lines += [""] + table(request, rows)
    return "\n".join(lines) + "\n"


def main():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program", type=pathlib.Path)
    parser.add_argument("--folder", type=pathlib.Path,
                        help="where to work; 4 GiB of room (default: a temporary folder)")
    parser.add_argument("--quick", action="store_true", help="small sizes, to try this script")
    parser.add_argument("--rounds", type=int, default=2, help="of every run, the fastest counts")
    parser.add_argument("--json", type=pathlib.Path, help="write all that was measured")
    parser.add_argument("--write", type=pathlib.Path)
    options = parser.parse_args()
    program = str(options.program.resolve())
    devices = subprocess.run([program, "devices", "--measure", "--json", "--quiet"], check=True,
                             capture_output=True, text=True)
    gpus = json.loads(devices.stdout)["gpus"]
    if not gpus:
        sys.exit("gpu_memory: there is no GPU here")
    results = []
    with tempfile.TemporaryDirectory(dir=options.folder) as name:
        for request in QUICK if options.quick else FULL:
            rows = list(measure(program, pathlib.Path(name), request, options.rounds))
            results.append((dataclasses.asdict(request), rows))
            if options.json:
                options.json.write_text(json.dumps(results), encoding="utf-8")
    text = page(gpus[0]["name"], results)
    print(text)
    if options.write:
        options.write.write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
