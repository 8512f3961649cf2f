# SPDX-License-Identifier: MIT
"""bilinear_page.py PAGE GPU_JSON [HOST_JSON] — ways to look up voxels between others: what
`gpu_kernel_peers.py --rows bilinear` and `kernels.py --rows bilinear` measured, as a page."""
import json
import math
import pathlib
import sys


def size(extent):
    return "x".join(str(n) for n in extent if n > 1)


def cell(row, name, digits=1):
    return f"{row[name] / row['seconds']:.{digits}f}" if name in row else ""


def on_gpu(found):
    copy = found["copy_bytes_per_second"]
    lines = ["## On a GPU", "",
             f"{found['device']}, copy {copy * 1e-12:.2f} TB/s in the same run; commit "
             f"{found.get('commit', 'unknown')}; cupy {found['cupy']}, torch {found['torch']}. "
             "Image, result and working memory in the GPU's memory; the middle of 9 runs. *Of "
             "copy*: the ninth part of the image that counts, read once, and the result, over the "
             "time, as a share of the copy. torch's time is that of `grid_sample` alone: its "
             "coordinates are there already.", "",
             "| image | strategy | coordinates | ms | Gpixel/s | of copy | pixel, fused / it | "
             "cupyx / it | torch / it | error |", "|---" * 10 + "|"]
    rows = [row for row in found["rows"] if row["group"] == "bilinear"]
    absent = dict.fromkeys(row["strategy"] for row in rows if "seconds" not in row)
    rows = [row for row in rows if "seconds" in row]
    plain = {size(row["extent"]): row["seconds"] for row in rows
             if (row["strategy"], row["coordinates"]) == ("pixel", "fused")}
    for row in rows:
        pixels, image = math.prod(row["extent"]), size(row["extent"])
        lines.append(
            f"| {image} | {row['strategy']} | {row['coordinates']} | {1e3 * row['seconds']:.4f} | "
            f"{pixels / row['seconds'] * 1e-9:.1f} | "
            f"{100 * row['bytes'] / row['seconds'] / copy:.0f} % | "
            f"{plain[image] / row['seconds']:.2f} | {cell(row, 'cupyx')} | {cell(row, 'torch')} | "
            f"{row['error']:.1e} |")
    for image in plain:
        row = next(row for row in rows if size(row["extent"]) == image and "cupyx" in row)
        lines.append(f"| {image} | cupyx `affine_transform` | | {1e3 * row['cupyx']:.4f} | "
                     f"{math.prod(row['extent']) / row['cupyx'] * 1e-9:.1f} | | | | | "
                     f"{row.get('cupyx_error', math.nan):.1e} |")
        if "torch" in row:
            lines.append(f"| {image} | torch `grid_sample` | read | {1e3 * row['torch']:.4f} | "
                         f"{math.prod(row['extent']) / row['torch'] * 1e-9:.1f} | | | | | |")
    if absent:
        lines += ["", f"Not measured in this run: {', '.join(absent)}."]
    return [*lines, ""]


def on_host(found):
    at = found["machine"]
    lines = ["## On the host", "",
             f"{at['model']}, two threads; scipy {at['scipy']} with its one, OpenCV {at['opencv']} "
             "with two, in turns in one run. Times are of this machine on that day: the ratios are "
             "the result. OpenCV takes coordinates to the nearest 1/32 of a voxel.", "",
             "| image | strategy | ms | scipy / it | OpenCV / it | error | scipy's | OpenCV's | "
             "commit |", "|---" * 9 + "|"]
    for row in found["rows"]:
        if not row["name"].startswith("bilinear"):
            continue
        lines.append(
            f"| {size(row['shape'])} | {row['name'].rsplit(' ', 1)[1]} | {1e3 * row['ours']:.1f} | "
            f"{row['scipy'] / row['ours']:.1f} | {row['opencv'] / row['ours']:.1f} | "
            f"{row['ours_error']:.1e} | {row['scipy_error']:.1e} | {row['opencv_error']:.1e} | "
            f"{row['commit']} |")
    return [*lines, ""]


def main(page, gpu, host=None):
    def of(path):
        return json.loads(pathlib.Path(path).read_text(encoding="utf-8"))
    lines = ["# Ways to look up voxels between others", "",
             "The comparison of a report on spatial transformers, whose images these are: "
             "1024x1024 and 8054x8054 pixels of float32, every pixel of as large a result looked "
             "up at 0.3 times its place, plus 200, along both axes, between four pixels of the "
             "image.", "",
             "- **pixel**: a thread finds its pixels one by one.",
             "- **column**: a thread finds its columns once and goes down them, and reads each row "
             "of the image once on its way.",
             "- **tile**: a block of threads copies what lies about its tile of the result to "
             "shared memory first.",
             "- **texture**: the texture units do it, with weights of 8 bits behind the point.",
             "- Coordinates are **fused**, made where they are used; or read from memory, where a "
             "product of matrices of float64 put them before: element by element (**naive**), by "
             "tiles in shared memory (**tiled**), by outer products (**summa**). Their time counts "
             "here. [Products alone](kernels-gpu.md) are compared elsewhere.", "",
             "In the report, with coordinates read from memory, column was the fastest at "
             "1024x1024 and pixel the slowest; at 8054x8054 tile was the fastest and column the "
             "slowest.", "",
             "Made by `bench/kernels/gpu_kernel_peers.py gpu_kernel_peers_bench GPU_JSON --rows "
             "bilinear`, `bench/kernels/kernels.py kernels_bench --rows bilinear --json HOST_JSON` "
             "and `bench/kernels/bilinear_page.py`.",
             "", *on_gpu(of(gpu)), *(on_host(of(host)) if host else [])]
    pathlib.Path(page).write_text("\n".join(lines), encoding="utf-8")


if __name__ == "__main__":
    main(*sys.argv[1:])
