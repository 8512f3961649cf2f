# SPDX-License-Identifier: MIT
# docs/images/compare_tools.py PROGRAM — makes tables and plots of docs/do/compare-tools.md: runs
# all its blocks, also those that the tests leave out; scores what they find, prints the tables, and
# draws compare_nuclei.svg and compare_spots.svg. Needs the packages that the page names, and
# matplotlib.
import json
import os
import pathlib
import subprocess
import sys
import tempfile

import matplotlib
import matplotlib.pyplot as plt

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parent.parent
sys.path.insert(0, str(ROOT / "tests" / "docs"))
import blocks  # noqa: E402
import run_page  # noqa: E402

PAGE = "docs/do/compare-tools.md"
SEGMENT, FIND = ("connected", "watershed", "voronoi_otsu"), ("blob_log", "locate", "fit")


def run_all_blocks():
    names = {"__name__": "page"}
    for block in blocks.blocks_of(PAGE):
        if block.language == "python":
            run_page.run_python(block, names)
        for command in blocks.commands_of(block):
            run_page.run_command(block, command)


def sets_of(truth, results, *options):
    said = subprocess.run(["synthoscope", "score", truth, results, "--json", *options], check=True,
                          stdout=subprocess.PIPE).stdout
    return json.loads(said)["sets"]


def print_table(header, rows):
    for row in (header, ["---"] * len(header), *rows):
        print(f"| {' | '.join(row)} |")


def save(figure, name):
    figure.savefig(HERE / name, metadata={"Date": None})
    plt.close(figure)


def nuclei():
    found = {tool: sets_of("nuclei", f"found/{tool}") for tool in SEGMENT}

    def ap(one):
        return one["labels"]["ap"][one["labels"]["thresholds"].index(0.5)]

    densities = sorted({one["nuclei.density_per_mm3"] for one in found["connected"]})
    print_table(["density", "ratio", *SEGMENT],
                [[f"{sets[0]['nuclei.density_per_mm3']:g} per mm3",
                  f"{sets[0]['illumination.snr']:g}", *(f"{ap(one):.2f}" for one in sets)]
                 for sets in zip(*found.values())])
    for tool, sets in found.items():
        dark = [one["labels"] for one in sets if one["illumination.snr"] == 1]
        half = dark[0]["thresholds"].index(0.5)
        print(tool, "at a ratio of 1:", sum(one["fp"][half] for one in dark), "false",
              sum(one["tp"][half] + one["fn"][half] for one in dark), "true")
    figure, axes = plt.subplots(1, 2, figsize=(8, 3.2), layout="constrained", sharey=True)
    for axis, density in zip(axes, densities):
        for tool, sets in found.items():
            here = [one for one in sets if one["nuclei.density_per_mm3"] == density]
            axis.plot([one["illumination.snr"] for one in here], [ap(one) for one in here], "o-",
                      label=tool)
        axis.set_xscale("log", base=2)
        axis.xaxis.set_major_formatter("{x:g}")
        axis.set(title=f"{density:g} nuclei per mm3", xlabel="signal-to-noise ratio", ylim=(0, 1))
    axes[0].set_ylabel("AP at IoU 0.5")
    axes[1].legend()
    save(figure, "compare_nuclei.svg")


def spots():
    found = {tool: sets_of("spots", f"places/{tool}", "--radius-um", "0.2") for tool in FIND}

    def nm(one, key):
        return 1000 * one["spots"][key][2]

    print_table(["spots", "photons", *(f"{tool}: recall, RMSE" for tool in FIND), "bound"],
                [[f"{sets[0]['beads.count']:g}", f"{sets[0]['beads.photons']:g}",
                  *(f"{one['spots']['recall']:.2f}, {nm(one, 'rmse_um'):.0f} nm" for one in sets),
                  f"{nm(sets[0], 'bound_um'):.0f} nm"] for sets in zip(*found.values())])
    for tool, sets in found.items():
        last = next(one for one in sets
                    if one["beads.count"] == 480 and one["beads.photons"] == 3000)
        print(tool, [f"{s['low']:.2f} to {s['high']:.2f}: {s['recall']:.2f}"
                     for s in last["strata"] if s["by"] == "nearest"],
              "false", sum(one["results"] - one["spots"]["matched"] for one in sets))
    counts = sorted({one["beads.count"] for one in found["fit"]})
    figure, axes = plt.subplots(2, 3, figsize=(9, 5), layout="constrained", sharex=True,
                                sharey="row")
    for (top, bottom), count in zip(axes.T, counts):
        for tool, sets in found.items():
            here = [one for one in sets if one["beads.count"] == count]
            photons = [one["beads.photons"] for one in here]
            top.semilogx(photons, [one["spots"]["recall"] for one in here], "o-", label=tool)
            bottom.loglog(photons, [nm(one, "rmse_um") for one in here], "o-", label=tool)
        bottom.loglog(photons, [nm(one, "bound_um") for one in here], "k--", label="bound")
        top.set(title=f"{count:g} spots", ylim=(0, 1.05))
        bottom.set_xlabel("photons of a spot")
    axes[0, 0].set_ylabel("recall")
    axes[1, 0].set_ylabel("RMSE along x in nm")
    axes[0, 2].legend(axes[1, 2].lines, [line.get_label() for line in axes[1, 2].lines],
                      loc="lower right")
    save(figure, "compare_spots.svg")


def main():
    matplotlib.use("Agg")
    matplotlib.rcParams.update({"svg.hashsalt": "synthoscope", "svg.fonttype": "none"})
    program = os.path.abspath(sys.argv[1])
    with tempfile.TemporaryDirectory() as folder, tempfile.TemporaryDirectory() as programs:
        run_page.prepare(folder, programs, program, os.environ.get("PYTHONPATH", ""))
        run_all_blocks()
        nuclei()
        spots()
        os.chdir(ROOT)


if __name__ == "__main__":
    main()
