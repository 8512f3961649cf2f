# SPDX-License-Identifier: MIT
"""How fast is a convolution in memory, beside scipy.signal.fftconvolve and FFTW's own 3-D FFT?

usage: fftconv.py PATH_TO_FFTCONV_BENCH [--rounds N] [--write docs/benchmarks/fftconv.md]

Every figure of one row is taken in this run: fresh processes, ours and scipy's in turn, so that
what else the machine does meets both. The kernel's transform is part of every call.
"""
import argparse
import json
import os
import pathlib
import platform
import statistics
import subprocess
import sys
import tempfile

import numpy as np
import scipy
import scipy.fft
import scipy.signal

CASES = [((256, 256, 256), (32, 32, 32)), ((100, 450, 450), (100, 100, 100)),
         ((480, 480, 480), (64, 64, 64))]
THREADS = 2
LATER_CALLS = 4

SCIPY_CALLS = """
import sys, time, json, numpy as np, scipy.fft, scipy.signal
image, kernel = (np.fromfile(p, 'f4').reshape([int(n) for n in s.split(',')])
                 for p, s in (sys.argv[1:3], sys.argv[3:5]))
seconds = []
with scipy.fft.set_workers(int(sys.argv[5])):
    for _ in range(int(sys.argv[6])):
        start = time.perf_counter()
        scipy.signal.fftconvolve(image, kernel, 'same')
        seconds.append(time.perf_counter() - start)
print(json.dumps(seconds))
"""


def joined(shape, mark=","):
    return mark.join(str(n) for n in shape)


def run(*command):
    return json.loads(subprocess.run([str(c) for c in command], check=True, capture_output=True,
                                     text=True).stdout)


def reference(image, kernel):
    """The result in double and the peak of |f| * |g|, which errors are held against."""
    with scipy.fft.set_workers(THREADS):
        exact = scipy.signal.fftconvolve(image.astype("f8"), kernel.astype("f8"), "same")
        peak = scipy.signal.fftconvolve(np.abs(image).astype("f8"),
                                        np.abs(kernel).astype("f8"), "same").max()
    return exact, peak


def measure(bench, image_shape, kernel_shape, rounds, folder):
    random = np.random.default_rng(7)
    image = random.random(image_shape, "f4")
    kernel = random.random(kernel_shape, "f4")
    files = {name: pathlib.Path(folder) / name
             for name in ("image.f32", "kernel.f32", "result.f32")}
    image.tofile(files["image.f32"])
    kernel.tofile(files["kernel.f32"])
    arguments = [files["image.f32"], joined(image_shape), files["kernel.f32"], joined(kernel_shape)]

    ours, peers = [], []
    for _ in range(rounds):
        ours.append(run(bench, *arguments, files["result.f32"], THREADS, 1 + LATER_CALLS))
        peers.append(run(sys.executable, "-c", SCIPY_CALLS, *arguments, THREADS,
                         1 + LATER_CALLS // 2))

    padded = [scipy.fft.next_fast_len(s + k - 1, real=True)
              for s, k in zip(image_shape, kernel_shape)]
    fftw = run(pathlib.Path(bench).parent / "fftw_peer", joined(padded), THREADS, LATER_CALLS)

    exact, peak = reference(image, kernel)
    result = np.fromfile(files["result.f32"], "f4").reshape(image_shape)
    middle = statistics.median
    return {
        "image": joined(image_shape, "x"), "kernel": joined(kernel_shape, "x"),
        "transform": ours[0]["transform"], "instruction_set": ours[0]["instruction_set"],
        "memory_bytes": ours[0]["memory_bytes"],
        "first": middle(o["seconds"][0] for o in ours),
        "later": middle(s for o in ours for s in o["seconds"][1:]),
        "scipy_first": middle(p[0] for p in peers),
        "scipy_later": middle(s for p in peers for s in p[1:]),
        "fftw": middle(fftw["seconds"]), "fftw_padded": joined(padded, "x"),
        "fftw_planning": fftw["planning"],
        "error": float(np.abs(result - exact).max() / peak),
    }


def table(rows):
    machine = next((line.split(":")[1].strip() for line in open("/proc/cpuinfo")
                    if line.startswith("model name")), platform.processor())
    lines = [
        "# Convolution in memory: ours, scipy, FFTW",
        "",
        f"Machine: {machine}, {os.cpu_count()} cores, {THREADS} threads each; "
        f"inner loops {rows[0]['instruction_set']}; "
        f"commit {os.environ.get('SYNTHOSCOPE_COMMIT', 'unknown')}; scipy {scipy.__version__}. "
        "Uniform noise, float32, shape same, boundary zero; in process; planning, the kernel's "
        "transform and the result are part of every call. Times are of this machine on this day: "
        "the ratios are the result.",
        "",
        "Made by `./dev bench fftconv --write docs/benchmarks/fftconv.md`.",
        "",
        "| image | kernel | our transform | memory | ours, first | ours, later | "
        "scipy first / ours | scipy later / ours | FFTW 3-D / ours, later | max error / peak |",
        "|---|---|---|---|---|---|---|---|---|---|",
    ]
    for r in rows:
        lines.append(
            f"| {r['image']} | {r['kernel']} | {r['transform']} | "
            f"{r['memory_bytes'] / 2**20:.0f} MiB | "
            f"{r['first']:.3f} s | {r['later']:.3f} s | {r['scipy_first'] / r['first']:.2f} | "
            f"{r['scipy_later'] / r['later']:.2f} | {r['fftw'] / r['later']:.2f} | "
            f"{r['error']:.1e} |")
    lines += ["", "FFTW runs two forward transforms, a product and an inverse at scipy's padded "
              "size, planned with MEASURE; its planning ("
              + ", ".join(f"{r['fftw_planning']:.0f} s for {r['fftw_padded']}" for r in rows)
              + ") is not counted. The error is the largest difference from scipy's result in "
              "double, over the largest value of |image| * |kernel|.", ""]
    return "\n".join(lines)


def main():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("bench")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--write", type=pathlib.Path)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        rows = [measure(options.bench, image, kernel, options.rounds, folder)
                for image, kernel in CASES]
    text = table(rows)
    print(text)
    if options.write:
        options.write.write_text(text)


if __name__ == "__main__":
    main()
