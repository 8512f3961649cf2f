# SPDX-License-Identifier: MIT
"""What gpu_kernel_peers.py measures: jobs of gpu_kernel_peers_bench, in groups that make tables."""
import numpy as np

BYTES = {"uint8": 1, "uint16": 2, "float32": 4}
PLANE, VOLUME = (1, 8192, 8192), (512, 512, 512)
SLIDES = (1, 8262, 9688)  # the image of the slides on local variance
RADII = (1, 2, 4, 8, 16, 32)
SCALES = (2, 4, 8, 16, 32)
DIRECT = ("global", "shared", "register")
LOOKUPS = ("pixel", "column", "tile", "texture")


def row(group, name, extent, kind, operation, results=1, read=1.0, **words):
    voxels = float(np.prod(extent))
    return {"group": group, "name": f"{group}: {name}",
            "job": {"operation": operation, "extent": list(extent), "type": kind, **words},
            # Every voxel that counts read once, every result written once
            "bytes": voxels * (read * BYTES[kind] + results * (
                4 if operation == "variance" else BYTES[kind]))}


def shown(extent):
    return "x".join(str(n) for n in extent if n > 1)


def gaussian(group, sigma, extent, kind="float32", truncate=4, **words):
    made = row(group, f"gaussian {sigma:.3g} {shown(extent)} {kind} {words.get('strategy', '')}",
               extent, kind, "gaussian", sigma=sigma, truncate=truncate, **words)
    dimensions = 2 if extent[0] == 1 else 3
    taps = 2 * int(truncate * sigma + 0.5) + 1
    products = taps ** dimensions if words.get("strategy") in DIRECT else taps * dimensions
    made["flops"] = 2 * products * float(np.prod(extent))
    return made


def box(group, side, extent, kind="float32", **words):
    made = row(group, f"box {side} {shown(extent)} {kind}", extent, kind, "box", side=side, **words)
    made["torch"] = True
    return made


def correlate(group, side, extent, kind="float32", **words):
    flat = extent[0] == 1
    weights = np.random.default_rng(side).random(side ** (2 if flat else 3))
    weights = (weights / weights.sum()).astype("f4").astype("f8")
    made = row(group, f"correlate {side} {shown(extent)} {kind} {words.get('strategy', '')}",
               extent, kind, "correlate", weights=weights.tolist(),
               weights_extent=[1 if flat else side, side, side], **words)
    made["flops"] = 2 * weights.size * float(np.prod(extent))
    made["torch"] = words.get("strategy", "auto") == "auto" and side <= 7
    return made


def affine(group, name, matrix, offset, order, extent, kind="float32", read=1.0, **words):
    rows = np.eye(3, 4)
    first = 3 - len(offset)
    rows[first:, first:3], rows[first:, 3] = matrix, offset
    how = " ".join(words.get(word, "") for word in ("strategy", "coordinates")).strip()
    made = row(group, f"{name}, order {order} {shown(extent)} {kind} {how}",
               extent, kind, "affine", read=read, rows=rows.ravel().tolist(), order=order, **words)
    made["torch"] = order == 1 and np.prod(extent) < 2 ** 28
    return made


def turn(degrees):
    angle = np.deg2rad(degrees)
    return np.array([[np.cos(angle), np.sin(angle)], [-np.sin(angle), np.cos(angle)]])


def rotated(group, order, extent, kind="float32", **words):
    matrix = turn(10)
    if extent[0] > 1:
        matrix = np.eye(3)
        matrix[1:, 1:] = turn(10)
    middle = (np.array(extent[3 - len(matrix):]) - 1) / 2
    return affine(group, "rotation 10", matrix, middle - matrix @ middle, order, extent, kind,
                  **words)


def warped(group, name, order, extent=PLANE, kind="float32", **map_of_it):
    """By a map that is no matrix. A field is read, too."""
    made = row(group, f"{name}, order {order} {shown(extent)} {kind}", extent, kind, "warp",
               order=order, **map_of_it)
    if "waves" in map_of_it:
        made["bytes"] += 8 * float(np.prod(extent))
    return made


def warps(group, order):
    side = PLANE[1]
    aslant = [0.95, 0.1, 30, -0.08, 0.9, 500, -2e-6, 4e-6, 1]
    generator = np.random.default_rng(20)
    places = generator.uniform(0, side, (20, 2))
    moved = places + generator.uniform(-100, 100, places.shape)
    return [warped(group, "homography", order, homography=aslant),
            warped(group, "20 landmarks", order, landmarks=np.hstack([places, moved]).tolist()),
            warped(group, "displacements", order, waves=8)]


def spline_filter(group, extent, kind="float32"):
    made = row(group, f"spline filter {shown(extent)} {kind}", extent, kind, "spline_filter")
    made["bytes"] = float(np.prod(extent)) * (BYTES[kind] + 4)
    return made


def variance(group, window, sizes, extent, kind, with_mean=False, **words):
    name = f"{window} {','.join(map(str, sizes))} {shown(extent)} {kind} {words.get('way', '')}"
    return row(group, name, extent, kind, "variance", results=len(sizes) * (1 + with_mean),
               window=window, sizes=list(sizes), with_mean=with_mean, **words)


def leung_malik():
    """The 48 filters of kernels/banks/filter_banks.hpp."""
    y, x = np.mgrid[24:-25:-1, -24:25].astype("f8")

    def scaled(weights):
        weights = weights - weights.mean()
        return weights / np.abs(weights).sum()

    def oriented(sigma, derivative, angle):
        along = (np.cos(angle) * x - np.sin(angle) * y) / (3 * sigma)
        across = (np.sin(angle) * x + np.cos(angle) * y) / sigma
        factor = -across if derivative == 1 else across ** 2 - 1
        return scaled(factor * np.exp(-(along ** 2 + across ** 2) / 2))

    def round_gaussian(sigma):
        return scaled(np.exp(-(x ** 2 + y ** 2) / (2 * sigma ** 2)))

    def round_laplacian(sigma):
        square = (x ** 2 + y ** 2) / sigma ** 2
        return scaled((square - 2) * np.exp(-square / 2))

    scales = [2 ** (0.5 * halves) for halves in (1, 2, 3, 4)]
    return [*(oriented(sigma, derivative, np.pi * i / 6) for derivative in (1, 2)
              for sigma in scales[:3] for i in range(6)),
            *(make(sigma) for sigma in scales
              for make in (round_gaussian, round_laplacian, lambda s: round_laplacian(3 * s)))]


def bank(extent, kind="float32", **words):
    """All responses of Leung and Malik's filters."""
    made = row("banks", f"lm {shown(extent)} {kind} {words.get('by', '')}", extent, kind, "bank",
               results=48, bank="lm", **words)
    made["filters"] = [weights.tolist() for weights in leung_malik()]
    made["flops"] = 2 * 48 * 49 ** 2 * float(np.prod(extent)) if words.get("by") == "direct" else 0
    return made


def rows_of():
    """Order is that of the tables; what shares a peer follows each other."""
    shrunk = np.diag([0.3, 0.3])
    return [
        *(gaussian("separable", sigma, PLANE, strategy="fused") for sigma in (1, 1.75, 4, 8)),
        *(gaussian("separable", sigma, PLANE, kind, strategy="fused")
          for kind in ("uint8", "uint16") for sigma in (1, 1.75, 4)),
        *(box("separable", side, PLANE, strategy="fused") for side in (7, 31)),
        *(gaussian("separable", sigma, VOLUME, strategy="fused") for sigma in (1, 1.75, 2, 4)),
        *(gaussian("separable", sigma, VOLUME, kind, strategy="fused")
          for kind in ("uint8", "uint16") for sigma in (1, 1.75)),
        *(box("separable", side, VOLUME, strategy="fused") for side in (3, 7)),
        *(correlate("direct", side, PLANE, strategy="auto") for side in (3, 5, 7, 15)),
        *(correlate("direct", side, PLANE, kind, strategy="auto")
          for kind in ("uint8", "uint16") for side in (5,)),
        *(correlate("direct", side, VOLUME, strategy="auto") for side in (3, 5, 7)),
        *(gaussian("radii", radius / 3, (1, side, side), truncate=3, strategy=strategy)
          for side in (512, 1024, 3072) for radius in RADII
          for strategy in (*DIRECT, "fused", "plain")),
        *(rotated("affine", order, extent) for extent in (PLANE, VOLUME) for order in (0, 1, 3)),
        *(rotated("affine", 1, extent, strategy=strategy) for extent in (PLANE, VOLUME)
          for strategy in ("tile", "texture")),
        *(rotated("affine", 1, PLANE, kind) for kind in ("uint8", "uint16")),
        *(spline_filter("affine", extent) for extent in (PLANE, VOLUME)),
        spline_filter("affine", (1, 8191, 8191)), spline_filter("affine", PLANE, "uint16"),
        *(affine("bilinear", "scale 0.3, shift 200", shrunk, [200.0, 200.0], 1, (1, side, side),
                 read=0.09, strategy=strategy, coordinates=coordinates)
          for side in (1024, 8054)
          for strategy, coordinates in (*((way, "fused") for way in LOOKUPS),
                                        *(("pixel", way) for way in ("naive", "tiled", "summa")))),
        *(made for order in (1, 3) for made in warps("warp", order)),
        *(bank((1, 2048, 2048), **by) for by in ({}, {"by": "direct"}, {"by": "separable"})),
        *(variance("variance", "triangle", SCALES, SLIDES, kind, with_mean=True)
          for kind in ("float32", "uint8")),
        *(variance("variance", "box", (15,), SLIDES, kind, way=way)
          for kind in ("uint8",)
          for way in ("threewise", "two-pass", "online", "pairwise", "koenig", "integral")),
    ]
