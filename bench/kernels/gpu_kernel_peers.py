# SPDX-License-Identifier: MIT
"""How fast are the image kernels on a GPU, beside cupyx.scipy.ndimage and torch?

usage: gpu_kernel_peers.py PATH_TO_GPU_KERNEL_PEERS_BENCH JSON [--rows WORD]

Ours and the others' take the same images, which lie in the GPU's memory, in one run. Results are
held against cupyx's in double at some voxels. gpu_kernel_peers_page.py makes a page of the JSON.
"""
import argparse
import json
import pathlib
import statistics
import subprocess
import sys
import tempfile

import cupy
import numpy as np
import torch
import torch.nn.functional as F
from cupyx.scipy import ndimage

sys.dont_write_bytecode = True
sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
from gpu_kernel_peers_rows import rows_of  # noqa: E402

SAMPLES = 4096
WAYS = "strategy", "way", "by"  # what jobs call the way in which they are done
RUNS = 9

NOISE = cupy.ElementwiseKernel("uint64 at", "uint32 bits", """
    unsigned long long hash = (at + 1) * 0x9E3779B97F4A7C15ull;
    hash = (hash ^ (hash >> 30)) * 0xBF58476D1CE4E5B9ull;
    hash = (hash ^ (hash >> 27)) * 0x94D049BB133111EBull;
    bits = (unsigned)(hash >> 40);
""", "noise")


def image_of(shape, kind):
    """As gpu_kernel_peers_bench fills its images."""
    bits = NOISE(cupy.arange(int(np.prod(shape)), dtype="u8"))
    if kind == "float32":
        image = bits.astype("f4") * np.float32(2.0 ** -24)
    else:
        image = (bits >> (24 - 8 * np.dtype(kind).itemsize)).astype(kind)
    return image.reshape(shape)


def samples_of(result):
    flat = result.ravel()
    return cupy.asnumpy(flat[(cupy.arange(SAMPLES) * 2654435761) % flat.size]).astype("f8")


def timed(call):
    """Seconds, the middle of several runs; fewer of what takes long."""
    seconds = []
    for number in range(RUNS + 2):
        start, end = cupy.cuda.Event(), cupy.cuda.Event()
        start.record()
        call()
        end.record()
        end.synchronize()
        one = cupy.cuda.get_elapsed_time(start, end) * 1e-3
        if number >= 2:
            seconds.append(one)
        if one > 0.1 and seconds:
            break
    return statistics.median(seconds)


def peers_of(row, image):
    """What else does the same, by name."""
    job, peers = row["job"], {}
    kind = job["operation"]
    weights = None
    if kind == "correlate":
        weights = cupy.array(job["weights"], "f4").reshape(
            [n for n in job["weights_extent"] if n > 1 or image.ndim == 3])
        peers["cupyx"] = lambda: ndimage.correlate(image, weights)
    elif kind == "gaussian":
        peers["cupyx"] = lambda: ndimage.gaussian_filter(image, job["sigma"],
                                                         truncate=job["truncate"])
    elif kind == "box":
        peers["cupyx"] = lambda: ndimage.uniform_filter(image, job["side"])
    elif kind == "affine":
        matrix, offset = affine_of(job, image.ndim)
        peers["cupyx"] = lambda: ndimage.affine_transform(image, matrix, offset,
                                                          order=job["order"], mode="constant")
    elif kind == "warp":
        at = coordinates_of(job, image.shape)
        peers["cupyx"] = lambda: ndimage.map_coordinates(image, at, order=job["order"],
                                                         mode="constant")
    elif kind == "spline_filter":
        peers["cupyx"] = lambda: ndimage.spline_filter(image, output=np.promote_types(
            image.dtype, np.float32), mode="mirror")
    elif kind == "bank":
        peers["cupyx"] = bank_of(row, image)
    elif kind == "variance":
        peers["cupyx"] = lambda: [moments(job, image, size) for size in job["sizes"]][0]
    if image.dtype == np.float32 and row.get("torch"):
        peers["torch"] = of_torch(row, image, weights)
    return peers


def bank_of(row, image):
    """A plane for each filter."""
    filters = [cupy.array(weights, image.dtype) for weights in row["filters"]]
    made = cupy.empty((len(filters), *image.shape), image.dtype)

    def respond():
        for weights, plane in zip(filters, made):
            ndimage.convolve(image, weights, output=plane)
        return made
    return respond


def affine_of(job, dimensions):
    rows = np.array(job["rows"]).reshape(3, 4)[3 - dimensions:]
    return cupy.array(rows[:, 3 - dimensions:3]), cupy.array(rows[:, 3])


def coordinates_of(job, shape):
    """In double precision; that these are made before is not measured."""
    y, x = cupy.indices(shape, dtype="f8")
    if "homography" in job:
        p = job["homography"]
        divisor = y * p[6] + x * p[7] + p[8]
        return cupy.stack([(y * p[0] + x * p[1] + p[2]) / divisor,
                           (y * p[3] + x * p[4] + p[5]) / divisor])
    if "waves" in job:
        return cupy.stack([y + wave(x + 2 * y, job["waves"]),
                           x + wave(2 * x + y + 300, job["waves"])])
    return bent(np.array(job["landmarks"]), y, x)


def wave(at, most):
    return (abs(at % 1024 - 512) - 256) * most / 256


def bent(landmarks, y, x):
    """By a thin-plate spline, solved in double precision."""
    places, moved = landmarks[:, :2], landmarks[:, 2:]
    count = len(places)
    squares = ((places[:, None] - places[None]) ** 2).sum(-1)
    equations = np.zeros((count + 3, count + 3))
    equations[:count, :count] = squares * np.log(np.where(squares > 0, squares, 1))
    equations[:count, count:] = np.hstack([np.ones((count, 1)), places])
    equations[count:, :count] = equations[:count, count:].T
    solved = np.linalg.solve(equations, np.vstack([moved, np.zeros((3, 2))]))
    at = cupy.stack([a + b * y + c * x for a, b, c in solved[count:].T])
    for (place_y, place_x), weights in zip(places, solved[:count]):
        square = (y - place_y) ** 2 + (x - place_x) ** 2
        square *= cupy.log(cupy.maximum(square, 1e-300))
        for axis in (0, 1):
            at[axis] += weights[axis] * square
    return at


def moments(job, image, size, kind="f4"):
    """Variance as cupyx has it: the mean of squares less the square of the mean."""
    def mean(of):
        if job["window"] == "box":
            return ndimage.uniform_filter(of, size)
        weights = cupy.array(np.convolve(np.ones(size), np.ones(size)) / size ** 2, kind)
        for axis in range(of.ndim):
            of = ndimage.correlate1d(of, weights, axis)
        return of
    real = image.astype(kind)
    average = mean(real)
    return mean(real * real) - average * average


def of_torch(row, image, weights):
    """The same work; what lies outside is zero."""
    job = row["job"]
    tensor = torch.as_tensor(image, device="cuda")[None, None]
    if job["operation"] == "correlate":
        taps = torch.as_tensor(weights, device="cuda")[None, None]
        convolve = F.conv3d if image.ndim == 3 else F.conv2d
        return lambda: convolve(tensor, taps, padding="same")
    if job["operation"] == "box":
        pool = F.avg_pool3d if image.ndim == 3 else F.avg_pool2d
        side = job["side"]
        return lambda: pool(tensor, side, stride=1, padding=side // 2)
    matrix, offset = (cupy.asnumpy(part) for part in affine_of(job, image.ndim))
    # From voxels to -1 ... 1 and from z, y, x to x, y, z
    half = (np.array(image.shape) - 1) / 2
    inner = (matrix * half[None, :] / half[:, None])[::-1, ::-1]
    outer = ((matrix @ half + offset) / half - 1)[::-1]
    theta = torch.tensor(np.concatenate([inner, outer[:, None]], 1), dtype=torch.float32,
                         device="cuda")[None]
    grid = F.affine_grid(theta, tensor.shape, align_corners=True)
    return lambda: F.grid_sample(tensor, grid, align_corners=True)


def exact_of(row, image):
    """By cupyx in double."""
    job, real = row["job"], image.astype("f8")
    if job["operation"] == "variance":
        return moments(job, real, job["sizes"][0], "f8")
    return peers_of({**row, "torch": False}, real)["cupyx"]()


def error_of(found, exact, is_integer):
    """In steps of integers, else over the largest magnitude."""
    return float(np.abs(found - exact).max() / (1 if is_integer else np.abs(exact).max()))


def main():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("bench", type=pathlib.Path)
    parser.add_argument("json", type=pathlib.Path)
    parser.add_argument("--rows", default="", help="only rows whose name begins so")
    options = parser.parse_args()
    torch.backends.cudnn.allow_tf32 = False
    rows = [row for row in rows_of() if row["name"].startswith(options.rows)]
    with tempfile.TemporaryDirectory() as folder:
        jobs, results = pathlib.Path(folder) / "jobs.json", pathlib.Path(folder) / "results.json"
        jobs.write_text(json.dumps([{**row["job"], "name": row["name"]} for row in rows]),
                        encoding="utf-8")
        subprocess.run([options.bench.resolve(), jobs, results], check=True,
                       stdout=subprocess.DEVNULL)
        found = json.loads(results.read_text(encoding="utf-8"))
    exacts, peer_seconds = {}, {}
    for row, ours in zip(rows, found["rows"]):
        samples = np.array(ours.pop("samples", []))
        job = row["job"]
        ours.update({key: job[key] for key in ("extent", "type", "operation")},
                    group=row["group"],
                    strategy=next((job[word] for word in WAYS if word in job), ""),
                    coordinates=job.get("coordinates", ""),
                    bytes=row["bytes"], flops=row.get("flops", 0),
                    radius=round(3 * job["sigma"]) if row["group"] == "radii" else None)
        is_integer = job["type"] != "float32" and job["operation"] not in (
            "variance", "spline_filter")
        image = image_of([n for n in job["extent"] if n > 1], job["type"])
        # Strategies share results and peers
        what = json.dumps({key: value for key, value in job.items()
                           if key not in ("strategy", "coordinates", "way", "by", "name")})
        try:
            if what not in exacts:
                exacts[what] = samples_of(exact_of(row, image))
                for name, call in peers_of(row, image).items():
                    peer_seconds[what, name] = timed(call)
                    if name == "cupyx":
                        ours["cupyx_error"] = error_of(samples_of(call()), exacts[what], is_integer)
                if job["operation"] == "warp":
                    ours["making"] = timed(lambda: coordinates_of(job, image.shape))
            if samples.size:
                ours["error"] = error_of(samples, exacts[what], is_integer)
        except Exception as failure:  # of a peer, such as memory: its cells stay empty
            print(f"{row['name']}: {failure}", flush=True)
        for (other, name), seconds in peer_seconds.items():
            if other == what:
                ours[name] = seconds
        del image
        cupy.get_default_memory_pool().free_all_blocks()
        torch.cuda.empty_cache()
        print(line(ours, found["copy_bytes_per_second"]), flush=True)
    found["cupy"], found["torch"] = cupy.__version__, torch.__version__
    options.json.write_text(json.dumps(found), encoding="utf-8")


def line(row, copy):
    if "seconds" not in row:
        return f"{row['name'][:44]:44} {row['why_not'][:50]}"
    share = row["bytes"] / row["seconds"] / copy
    return (f"{row['name'][:44]:44} {1e3 * row['seconds']:8.3f} ms {100 * share:4.0f}% "
            f"{row['flops'] / row['seconds'] * 1e-12:6.1f} TF "
            + " ".join(f"{name} {row[name] / row['seconds']:.1f}x" for name in ("cupyx", "torch")
                       if name in row) + f" {row.get('error', float('nan')):.1e}")


if __name__ == "__main__":
    main()
