# SPDX-License-Identifier: MIT
"""equal_images.py PROGRAM [PAGE [DEVICE_JSON...]] — brute force, DFT and FFT of two equal images.

Runs equal_images_bench on the host. A page holds that, and what gpu_equal_images_bench measured,
where its JSON is named."""
import json
import os
import pathlib
import platform
import subprocess
import sys
import tempfile

THREADS, SIDES = 2, (64, 128, 256, 512)
METHODS = ("brute force", "DFT", "FFT")


def measured(program):
    with tempfile.TemporaryDirectory() as folder:
        out = pathlib.Path(folder) / "host.json"
        subprocess.run([program, out, str(THREADS), *map(str, SIDES)], check=True)
        return json.loads(out.read_text(encoding="utf-8"))


def table(result):
    rows = {(row["side"], row["by"]): row for row in result["rows"]}
    lines = ["| side | " + " | ".join(f"{by}, ms" for by in METHODS) + " | brute force / FFT | "
             "DFT / FFT | relative L2 error: brute force | DFT | FFT |",
             "|---" * (6 + len(METHODS)) + "|"]
    for side in sorted({side for side, _ in rows}):
        here = [rows.get((side, by)) for by in METHODS]

        def shown(row, key, form, factor=1):
            return form.format(factor * row[key]) if row else "not run"

        def over(row):
            return f"{row['seconds'] / here[2]['seconds']:.1f}" if row else ""
        lines.append("| " + " | ".join([
            f"{side}", *(shown(row, "seconds", "{:.3f}", 1e3) for row in here), over(here[0]),
            over(here[1]), *(shown(row, "error", "{:.1e}") for row in here)]) + " |")
    return lines


def device_section(path):
    result = json.loads(pathlib.Path(path).read_text(encoding="utf-8"))
    rates = {by: max(row["flops"] / row["seconds"] for row in result["rows"] if row["by"] == by)
             for by in METHODS}
    return [f"## {result['device']}", "",
            f"Commit {result.get('commit', 'unknown')}; images and result in the device's memory, "
            f"the middle of {result['runs']} runs. Brute force reaches "
            f"{rates['brute force'] * 1e-12:.1f} TFLOP/s, the matrix products "
            f"{rates['DFT'] * 1e-12:.1f} TFLOP/s. Brute force is not run where it would take more "
            "than 3 s.", "", *table(result), "", *beside_torch(result)]


def beside_torch(result):
    if "torch" not in result:
        return []
    rows = {(row["side"], row["by"]): row["seconds"] for row in result["rows"]}
    lines = ["torch in the same run, `irfft2(rfft2(a) * rfft2(b))` at the sides themselves "
             "(cuFFT), and six products of complex matrices (cuBLAS, float32):", "",
             "| side | torch FFT, ms | ours / torch | torch DFT, ms | ours / torch |",
             "|---|---|---|---|---|"]
    for side in result["torch"]["FFT"]:
        cells = [side]
        for by in ("FFT", "DFT"):
            there = result["torch"][by][side]
            cells += [f"{there:.3f}", f"{1e3 * rows[int(side), by] / there:.1f}"]
        lines.append("| " + " | ".join(cells) + " |")
    return [*lines, "", "Ours convolves images of any size with any boundary, and transforms rows "
            "of twice as many pixels here.", ""]


def main(program, page=None, *devices):
    host = measured(program)
    if not page:
        return
    model = next((line.split(":")[1].strip() for line in open("/proc/cpuinfo", encoding="utf-8")
                  if line.startswith("model name")), platform.processor())
    pathlib.Path(page).write_text("\n".join([
        "# Two equal images: brute force, DFT, FFT", "",
        "The wrapped convolution of two images of the same side, float32, by sums over all pairs "
        "of pixels, by a DFT as products of matrices along both axes (three transforms, six "
        "products), and by FFT as `convolve --boundary wrap` does it: it plans, transforms both "
        "images, and pads their rows to twice their length, because those are transformed at "
        "half-integer frequencies. Errors: root of the summed squares over 64 pixels against sums "
        "in double precision, of noise around zero, over that of the values.", "",
        "The comparison is that of an article on convolution with OpenCL, which gives its times in "
        "a picture: copies to and from the GPU are part of them, and sides are powers of two.", "",
        "Made by `./dev bench equal-images docs/benchmarks/equal-images.md DEVICE_JSON`, the file "
        "by `gpu_equal_images_bench`.", "",
        "## Host", "",
        f"{model}, {host['threads']} threads, inner loops {host['vector_level']}; commit "
        f"{os.environ.get('SYNTHOSCOPE_COMMIT', 'unknown')}; the best of {host['runs']} runs. "
        "Times are of this machine on that day: the ratios are the result.", "",
        *table(host), "",
        *(line for path in devices for line in device_section(path))]), encoding="utf-8")


if __name__ == "__main__":
    main(*sys.argv[1:])
