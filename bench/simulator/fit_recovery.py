# SPDX-License-Identifier: MIT
# bench/simulator/fit_recovery.py — does `synthoscope fit` get back the keys of scenes that it has
# not seen?
"""Simulates random scenes, fits their images, and prints truth, estimate and interval of each key:

    python3 bench/simulator/fit_recovery.py PROGRAM FOLDER [--scenes 20] [--first 1] [--time 200]
        [--stages camera,shapes,light,blur,texture]

The fit knows the kind of objects, wavelength and voxel size, and nothing else. Results are kept in
FOLDER, so that a run can be continued.
"""
import argparse
import json
import os
import random
import re
import subprocess

OPTICS = [{"na": 0.5, "immersion_index": 1.0}, {"na": 0.8, "immersion_index": 1.0},
          {"na": 1.3, "immersion_index": 1.515}]
CAMERAS = [
    {"kind": "scmos", "gain_dn_per_electron": 2.1, "read_noise_electrons": 1.4, "offset_dn": 100},
    {"kind": "ccd", "gain_dn_per_electron": 0.45, "read_noise_electrons": 8, "offset_dn": 40,
     "bit_depth": 12, "full_well_electrons": 9000},
    {"kind": "scmos", "gain_dn_per_electron": 0.22, "read_noise_electrons": 1.6, "offset_dn": 8,
     "bit_depth": 8, "full_well_electrons": 30000, "offset_spread_dn": 0.2},
]
KINDS = ["generic", "adherent", "hl60"]

def random_scene(seed):
    """Tables of a scene: a plane or a small stack, with nuclei or cells."""
    draw = random.Random(seed)
    is_plane, is_cells = seed % 2 == 0, seed % 5 == 4
    size = [1, 384, 384] if is_plane else [24, 256, 256]
    pitch = draw.choice([200, 250])
    scene = {
        "grid": {"size": size, "pitch_nm": [400 if is_plane else 500, pitch, pitch]},
        "optics": {"model": "born-wolf", "wavelength_nm": 520, **OPTICS[seed % 3]},
        "camera": CAMERAS[seed // 3 % 3],
        "background": {"photons_per_pixel": draw.uniform(10, 60)},
    }
    scene["grid"]["margin_um"] = [4, 4, 4]  # objects go on beyond a field
    if is_plane:
        scene["grid"]["masks"] = "footprint"
    if draw.random() < 0.5:
        scene["background"].update(gradient=draw.uniform(0.1, 0.5),
                                   gradient_degrees=draw.uniform(0, 360))
    objects = {"radius_um": draw.uniform(2.4, 3.6), "radius_spread": draw.uniform(0.05, 0.18),
               "border": "cut", "gap_um": 0.4, "roughness": draw.uniform(0.02, 0.07),
               "density_per_mm3": draw.uniform(6e5, 1.2e6),
               "intensity_spread": draw.uniform(0.1, 0.4)}
    if is_cells:
        objects.update(radius_um=draw.uniform(4, 5), density_per_mm3=draw.uniform(2e5, 4e5),
                       membrane_photons_per_um3=draw.uniform(500, 2000),
                       cytoplasm_photons_per_um3=draw.uniform(100, 400))
        scene["cells"] = objects
    else:
        objects.update(kind=draw.choice(KINDS), photons_per_um3=draw.uniform(500, 3000),
                       texture_contrast=draw.uniform(0.2, 0.6))
        scene["nuclei"] = objects
    if is_plane and not is_cells:
        objects["arrangement"] = "monolayer"  # as a fit of a plane assumes
    return scene


def start_of(scene):
    """What a user would know: the kind of objects and light's wavelength."""
    start = {"optics": {key: scene["optics"][key] for key in ("model", "wavelength_nm",
                                                              "immersion_index")},
             "camera": {"kind": scene["camera"]["kind"]}}
    start["optics"]["na"] = 0.7 * start["optics"]["immersion_index"]
    if "cells" in scene:
        start["cells"] = {"count": 5}
        start["nuclei"] = {"count": 0}
    else:
        start["nuclei"] = {"kind": scene["nuclei"]["kind"]}
    return start


def toml_of(tables):
    def text(value):
        return json.dumps(value)
    return "".join(f"[{table}]\n" + "".join(f"{key} = {text(value)}\n"
                                            for key, value in keys.items()) + "\n"
                   for table, keys in tables.items())


def write(path, text):
    with open(path, "w", encoding="utf-8") as file:
        file.write(text)


def fitted(asked, seed):
    """Truth, and what the program found; from an earlier run if there is one."""
    folder = os.path.join(asked.folder, f"{seed:03}")
    result = os.path.join(folder, "found.json")
    scene = random_scene(seed)
    if not os.path.exists(result):
        os.makedirs(folder, exist_ok=True)
        truth, start = os.path.join(folder, "truth.toml"), os.path.join(folder, "start.toml")
        write(truth, f"seed = {seed}\n" + toml_of(scene))
        write(start, toml_of(start_of(scene)))
        made = os.path.join(folder, "set")
        subprocess.run([asked.program, "simulate", truth, "-o", made, "--overwrite", "--quiet"],
                       check=True)
        known = f"camera.read_noise_electrons={scene['camera']['read_noise_electrons']}"
        printed = subprocess.run(
            [asked.program, "fit", os.path.join(made, "image.ome.tif"), "--labels",
             os.path.join(made, "labels.ome.tif"), "--scene", start, "--set", known, "--evidence",
             "0", "--time", str(asked.time), "--stages", asked.stages, "-o",
             os.path.join(folder, "twin"), "--overwrite", "--json", "--quiet"],
            check=True, stdout=subprocess.PIPE, text=True).stdout
        write(result, printed)
    with open(result, encoding="utf-8") as file:
        return scene, json.load(file)


def true_value(scene, estimate):
    """The truth of an estimate, or nothing if the scene does not name it."""
    table, _, key = estimate["key"].partition(".")
    value = scene.get(table, {}).get(key)
    if estimate["axis"] is not None and value is not None:
        value = value[estimate["axis"]]
    if key == "density_per_mm3" and scene["grid"]["size"][0] == 1:
        value *= depth_mm(scene)
    return value if isinstance(value, (int, float)) else None


def depth_mm(scene):
    """Height of the sample that a plane shows."""
    grid = scene["grid"]
    return (grid["pitch_nm"][0] / 1e6 * grid["size"][0] + 2 * grid["margin_um"][0] / 1e3)


def of_area(scene, estimate):
    """A plane tells the number of objects for its area; their density follows from a height."""
    told = re.search(r"([0-9.e+]+) per mm\^2", estimate["how"])
    if not estimate["key"].endswith("density_per_mm3") or not told:
        return estimate
    factor = float(told.group(1)) / estimate["value"]
    return {**estimate, **{name: estimate[name] * factor for name in ("value", "low", "high")}}


def main():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program")
    parser.add_argument("folder")
    parser.add_argument("--scenes", type=int, default=20)
    parser.add_argument("--first", type=int, default=1)
    parser.add_argument("--time", type=float, default=200)
    parser.add_argument("--stages", default="camera,shapes,light,blur,texture")
    asked = parser.parse_args()
    rows = {}
    for seed in range(asked.first, asked.first + asked.scenes):
        scene, found = fitted(asked, seed)
        for stage in found["stages"]:
            if stage["refusal"]:
                print(f"| {seed} | {stage['stage']} | refused: {stage['refusal']} |")
            for one in stage["estimates"]:
                one = of_area(scene, one)
                truth = true_value(scene, one)
                if truth is None or one["origin"] == "given":
                    continue
                if one["key"].endswith("degrees"):
                    truth = one["value"] + (truth - one["value"] + 180) % 360 - 180
                covered = one["low"] <= truth <= one["high"]
                error = abs(one["value"] - truth) / abs(truth) if truth else float("nan")
                rows.setdefault(one["key"], []).append((covered, error, one["origin"]))
                print(f"| {seed} | {one['key']} | {truth:.4g} | {one['value']:.4g} | "
                      f"{one['low']:.4g} to {one['high']:.4g} | {one['origin']} | "
                      f"{'' if covered else 'missed'} |", flush=True)
    print("\n| key | estimates | measured | covered | median error of the measured |")
    print("|---|---|---|---|---|")
    for key, all_rows in rows.items():
        measured = sorted(error for _, error, origin in all_rows if origin == "measured")
        middle = f"{100 * measured[len(measured) // 2]:.1f} %" if measured else ""
        print(f"| {key} | {len(all_rows)} | {len(measured)} | "
              f"{sum(covered for covered, _, _ in all_rows)} | {middle} |")
    every = [covered for all_rows in rows.values() for covered, _, _ in all_rows]
    if every:
        print(f"\n{sum(every)} of {len(every)} intervals cover the truth: "
              f"{100 * sum(every) / len(every):.0f} %")


if __name__ == "__main__":
    main()
