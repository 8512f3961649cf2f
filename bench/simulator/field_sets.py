# SPDX-License-Identifier: MIT
"""Makes data sets of a scene that differ in seed, focus and exposure, as fields of a plate do.

usage: field_sets.py PROGRAM SCENE.toml FOLDER [--sets 20] [--first-seed 101] [--focus-um 1.5]
                     [--exposure-spread 0.1]

The focus is moved evenly from -focus-um to +focus-um; the exposure is log-normal. Both are the same
in every run. docs/understand/nuclei-in-fields.md compares such sets with real fields.
"""
import argparse
import math
import pathlib
import statistics
import subprocess


def settings(number, sets, focus_um, exposure_spread):
    """Values of --set for one of the sets: quantiles of both distributions, in different orders."""
    part = (number + 0.5) / sets
    other_part = (number * 7 % sets + 0.5) / sets  # 7 has no factor in common with 20
    dose = math.exp(exposure_spread * statistics.NormalDist().inv_cdf(other_part))
    return [f"optics.shift_nm=[{1000 * focus_um * (2 * part - 1):.0f},0,0]",
            f"illumination.dose={dose:.3f}"]


def main():
    options = argparse.ArgumentParser(description=__doc__,
                                      formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("program")
    options.add_argument("scene", type=pathlib.Path)
    options.add_argument("folder", type=pathlib.Path)
    options.add_argument("--sets", type=int, default=20)
    options.add_argument("--first-seed", type=int, default=101)
    options.add_argument("--focus-um", type=float, default=1.5)
    options.add_argument("--exposure-spread", type=float, default=0.1)
    args = options.parse_args()

    args.folder.mkdir(parents=True, exist_ok=True)
    for number in range(args.sets):
        values = settings(number, args.sets, args.focus_um, args.exposure_spread)
        subprocess.run([args.program, "simulate", args.scene, "-o", args.folder / f"{number:02d}",
                        "--seed", str(args.first_seed + number), "--overwrite", "--quiet",
                        *[word for value in values for word in ("--set", value)]], check=True)


if __name__ == "__main__":
    main()
