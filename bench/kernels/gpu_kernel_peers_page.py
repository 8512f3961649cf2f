# SPDX-License-Identifier: MIT
"""gpu_kernel_peers_page.py PAGE KERNELS_JSON [COORDINATES_JSON] — what gpu_kernel_peers.py and
gpu_coordinates_bench measured, as a page of tables; bilinear_page.py has a page of its own."""
import json
import math
import pathlib
import sys

TITLES = {
    "separable": "Passes along the axes",
    "direct": "Direct sums",
    "banks": "Filter banks",
    "affine": "Affine maps",
    "warp": "Warps",
    "variance": "Local variance",
}
NOTES = {
    "banks": "The 48 filters of Leung and Malik, 49 x 49 pixels each: every one in its cheapest "
             "way, all of them by direct sums, and all by passes. cupyx convolves 48 times.",
    "affine": "Order 3 includes the fit of the spline. Without a strategy, axes that are scaled "
              "and shifted alone are looked up by columns, others pixel by pixel; these and tiles "
              "have the bits of the host. Textures, filled first, weigh with 8 bits.",
    "warp": "Coordinates are made where they are used, with the bits of the host; displacements "
            "are float32 and read there. cupyx' map_coordinates takes coordinates in double "
            "precision, which are ready on the device. Order 3 includes the fit of the spline.",
    "variance": "Scales in one row: mean and variance of each are results. cupyx makes each scale "
                "by itself, as the mean of squares less the square of the mean.",
}


def size(row):
    return "x".join(str(n) for n in row["extent"] if n > 1)


def label(row):
    name = row["name"].split(": ", 1)[1]
    for word in (size(row), row["type"], row["strategy"]):
        if word:
            name = name.replace(word, "")
    return " ".join(name.split())


def ratio(row, peer):
    return f"{row[peer] / row['seconds']:.1f}" if peer in row else ""


def error(row):
    return f"{row['error']:.1e}" if "error" in row else ""


def lines_of(rows, copy):
    lines = ["| operation | image | type | strategy | ms | Gvoxel/s | of copy | TFLOP/s | "
             "cupyx / ours | torch / ours | error | cupyx's |", "|---" * 12 + "|"]
    for row in rows:
        rates = f"{1e3 * row['seconds']:.3f} | "
        rates += f"{math.prod(row['extent']) / row['seconds'] * 1e-9:.0f} | "
        rates += f"{100 * row['bytes'] / row['seconds'] / copy:.0f} % | "
        rates += f"{row['flops'] / row['seconds'] * 1e-12:.1f}" if row["flops"] else ""
        other = f"{row['cupyx_error']:.1e}" if "cupyx_error" in row else ""
        lines.append(f"| {label(row)} | {size(row)} | {row['type']} | {row['strategy']} | {rates} "
                     f"| {ratio(row, 'cupyx')} | {ratio(row, 'torch')} | {error(row)} | {other} |")
    return lines


def making(rows):
    """What is not measured beside warps."""
    of = {label(row).split(",")[0]: row["making"] for row in rows if "making" in row}
    shown = ", ".join(f"{1e3 * seconds:.1f} ({name})" for name, seconds in of.items())
    return ["", f"Not counted: cupy makes the coordinates in {shown} ms."] * bool(of)


def radii(rows):
    """Over radii, a table for each image."""
    lines = ["## Direct, shared, registers, passes over radii", "",
             "The comparison of a write-up on visual words, whose images these are: Gaussian "
             "kernels of 2 r + 1 pixels a side, as direct sums by every thread for itself "
             "(*global*), from a tile in shared memory (*shared*), by a window that slides through "
             "registers (*register*), and as passes, both at once (*fused*) or one after another "
             "(*plain*). Milliseconds; an empty cell: there is no room for so many weights.", ""]
    ways = list(dict.fromkeys(row["strategy"] for row in rows))
    for extent in dict.fromkeys(size(row) for row in rows):
        here = [row for row in rows if size(row) == extent]
        lines += [f"### {extent}", "",
                  "| r | " + " | ".join(ways) + " | global / fused | Gpixel/s of fused | cupyx / "
                  "fused | largest error |", "|---" * (5 + len(ways)) + "|"]
        for radius in dict.fromkeys(row["radius"] for row in here):
            found = {row["strategy"]: row for row in here if row["radius"] == radius}
            fused = found["fused"]
            pixels = math.prod(fused["extent"])
            lines.append(f"| {radius} | " + " | ".join(
                f"{1e3 * found[way]['seconds']:.4f}" if way in found else "" for way in ways)
                + f" | {found['global']['seconds'] / fused['seconds']:.1f} | "
                f"{pixels / fused['seconds'] * 1e-9:.0f} | {ratio(fused, 'cupyx')} | "
                f"{max(row.get('error', 0) for row in found.values()):.1e} |")
        lines.append("")
    return lines


def coordinates(found):
    lines = ["## Coordinates as a product of matrices", "",
             f"Commit {found.get('commit', 'unknown')}. The 2x3 matrix of a map times the "
             "coordinates (y, x, 1) of all pixels, both in the GPU's memory, in float64; the "
             "comparison of the report on spatial transformers, where tiles of 3x3 were 1.6 to 2 "
             "times as fast as one thread an element, and other tiles and SUMMA 2.6 times. Of the "
             "copy: coordinates in and out; *fused* reads none, as where coordinates are "
             "made in the kernel that uses them, here with the result stored.", "",
             "| side | product | ms | Gpixel/s | of copy | naive / it | error |", "|---" * 7 + "|"]
    naive = {row["side"]: row["seconds"] for row in found["rows"] if row["product"] == "naive"}
    for row in found["rows"]:
        lines.append(f"| {row['side']} | {row['product']} | {1e3 * row['seconds']:.4f} | "
                     f"{row['side'] ** 2 / row['seconds'] * 1e-9:.1f} | "
                     f"{100 * row['share_of_copy']:.0f} % | "
                     f"{naive[row['side']] / row['seconds']:.2f} | {row['error']:.1e} |")
    return [*lines, "", "An inner dimension of three leaves tiles nothing to reuse: each "
            "coordinate is wanted by two elements, which caches serve as well as shared memory, "
            "and every tile costs two barriers. Tiles of two whole rows are as fast as one thread "
            "an element; squares leave most threads without work. SUMMA, where a thread makes both "
            "coordinates of a pixel and reads every value once, runs at the speed of the copy. Not "
            "to make the matrices at all is the fastest.", ""]


def without_code(rows):
    names = dict.fromkeys(f"{row['group']}: {' '.join([label(row), row['strategy']]).strip()}"
                          for row in rows
                          if "seconds" not in row and "room" not in row["why_not"])
    return ["## Without device code yet", "", *(f"- {name}" for name in names), ""] if names else []


def main(page, path, *others):
    found = json.loads(pathlib.Path(path).read_text(encoding="utf-8"))
    rows = [row for row in found["rows"] if "seconds" in row]
    copy = found["copy_bytes_per_second"]
    lines = ["# Image kernels on a GPU: ours, cupyx, torch", "",
             f"{found['device']}, copy {copy * 1e-12:.2f} TB/s, measured in the same run as all "
             f"others; commit {found.get('commit', 'unknown')}; cupy {found['cupy']}, torch "
             f"{found['torch']}. Images of noise, and results, in the GPU's memory; the middle of "
             "9 runs. *Of copy*: the bytes of image and results, once, over the time, as a share "
             "of the copy. Errors: of 4096 voxels against cupyx in double precision, over the "
             "largest magnitude; of integers in steps, where 0.5 is rounding and cupyx cuts off. "
             "torch takes zeros outside.", "",
             "Made by `bench/kernels/gpu_kernel_peers.py gpu_kernel_peers_bench FILE` and "
             "`bench/kernels/gpu_kernel_peers_page.py PAGE FILE`.",
             ""]
    for group, title in TITLES.items():
        here = [row for row in rows if row["group"] == group]
        if here:
            lines += [f"## {title}", "", *([NOTES[group], ""] if group in NOTES else []),
                      *lines_of(here, copy), *making(here), ""]
    if any(row["group"] == "radii" for row in rows):
        lines += radii([row for row in rows if row["group"] == "radii"])
    for other in others:
        lines += coordinates(json.loads(pathlib.Path(other).read_text(encoding="utf-8")))
    lines += without_code(found["rows"])
    pathlib.Path(page).write_text("\n".join(lines), encoding="utf-8")


if __name__ == "__main__":
    main(*sys.argv[1:])
