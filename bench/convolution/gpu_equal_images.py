# SPDX-License-Identifier: MIT
"""gpu_equal_images.py PROGRAM JSON — two equal images on a GPU, beside torch.

Runs gpu_equal_images_bench, and adds to its JSON what torch takes for the same by FFT (cuFFT), and
for six complex products of matrices of float32 (cuBLAS), in milliseconds by side."""
import json
import pathlib
import statistics
import subprocess
import sys

import torch

SIDES = (64, 128, 256, 512, 1024, 2048, 4096)
RUNS = 9


def milliseconds(call):
    found = []
    for number in range(RUNS + 3):
        start, end = (torch.cuda.Event(enable_timing=True) for _ in range(2))
        start.record()
        call()
        end.record()
        end.synchronize()
        if number >= 3:
            found.append(start.elapsed_time(end))
    return statistics.median(found)


def by_fft(side):
    a, b = (torch.rand(side, side, device="cuda") - 0.5 for _ in range(2))
    return milliseconds(lambda: torch.fft.irfft2(torch.fft.rfft2(a) * torch.fft.rfft2(b),
                                                 s=(side, side)))


def by_products(side):
    w, f = (torch.randn(side, side, device="cuda", dtype=torch.complex64) for _ in range(2))
    return milliseconds(lambda: [(w @ f) @ w for _ in range(3)])


def main(program, path):
    subprocess.run([program, path, *map(str, SIDES)], check=True)
    path = pathlib.Path(path)
    found = json.loads(path.read_text(encoding="utf-8"))
    torch.backends.cuda.matmul.allow_tf32 = False
    found["torch"] = {"FFT": {side: by_fft(side) for side in SIDES},
                      "DFT": {side: by_products(side) for side in SIDES}}
    path.write_text(json.dumps(found), encoding="utf-8")


if __name__ == "__main__":
    main(*sys.argv[1:])
