# SPDX-License-Identifier: MIT
"""What kernels.py measures: an operation, an image, and how scipy and OpenCV do the same."""
import dataclasses
import typing

import numpy as np
from scipy import ndimage

try:
    import cv2
except ImportError:  # its columns stay empty
    cv2 = None

TYPES = ("uint8", "uint16", "float32")
PLANE, VOLUME = (2048, 2048), (96, 256, 256)
# What scipy calls reflect
BORDER = cv2.BORDER_REFLECT if cv2 else None


@dataclasses.dataclass
class Row:
    name: str
    shape: tuple
    type: str
    result_type: str
    operation: str
    job: dict                 # what kernels_bench is told beside the operation
    scipy: typing.Callable    # image, type of the result -> result
    opencv: typing.Callable = None  # image -> result
    out_shape: tuple = None   # where it is not the image's

    def __post_init__(self):
        if not cv2:
            self.opencv = None


def gaussian(sigma, shape, kind):
    side = 2 * int(4 * sigma + 0.5) + 1
    return Row(f"gaussian {sigma}", shape, kind, kind, "gaussian",
               dict(sigma=sigma, truncate=4),
               lambda image, out: ndimage.gaussian_filter(image, sigma, output=out),
               (lambda image: cv2.GaussianBlur(image, (side, side), sigma, sigmaY=sigma,
                                               borderType=BORDER)) if len(shape) == 2 else None)


def box(side, shape, kind):
    return Row(f"box {side}", shape, kind, kind, "box", dict(side=side),
               lambda image, out: ndimage.uniform_filter(image, side, output=out),
               (lambda image: cv2.blur(image, (side, side), borderType=BORDER))
               if len(shape) == 2 else None)


def correlate(side, shape, kind):
    """Of no symmetry and no product of axes, and so measured whole."""
    random = np.random.default_rng(side)
    weights = random.random((side,) * len(shape))
    weights = (weights / weights.sum()).astype("f4").astype("f8")

    return Row(f"correlate {'x'.join([str(side)] * len(shape))}", shape, kind, kind, "correlate",
               {"weights": weights.ravel().tolist(),
                "weights_extent": [side if len(shape) == 3 else 1, side, side]},
               lambda image, out: ndimage.correlate(image, weights, output=out),
               (lambda image: cv2.filter2D(image, -1, weights, borderType=BORDER))
               if len(shape) == 2 else None)


def turn(degrees):
    angle = np.deg2rad(degrees)
    return np.array([[np.cos(angle), np.sin(angle)], [-np.sin(angle), np.cos(angle)]])


def about_centre(matrix, shape):
    middle = (np.array(shape) - 1) / 2
    return middle - matrix @ middle


def affine(name, matrix, offset, order, shape, kind, **how):
    rows = np.zeros((3, 4))
    rows[0, 0] = 1
    first = 3 - len(shape)
    rows[first:, first:3] = matrix
    rows[first:, 3] = offset

    def opencv(image):
        xy = np.array([[matrix[1, 1], matrix[1, 0], offset[1]],
                       [matrix[0, 1], matrix[0, 0], offset[0]]])
        how = {0: cv2.INTER_NEAREST, 1: cv2.INTER_LINEAR}[order]
        return cv2.warpAffine(image, xy, shape[::-1], flags=how | cv2.WARP_INVERSE_MAP,
                              borderMode=cv2.BORDER_CONSTANT)
    return Row(" ".join([f"{name}, order {order}", *how.values()]), shape, kind, kind, "affine",
               dict(rows=rows.ravel().tolist(), order=order, **how),
               lambda image, out: ndimage.affine_transform(image, matrix, offset, order=order,
                                                           output=out, mode="constant"),
               opencv if len(shape) == 2 and order < 2 else None)


def rotation(order, shape, kind):
    if len(shape) == 2:
        matrix = turn(10)
    else:
        matrix = np.eye(3)
        matrix[1:, 1:] = turn(10)
        tilt = np.eye(3)
        tilt[:2, :2] = turn(5)
        matrix = tilt @ matrix
    return affine("rotation", matrix, about_centre(matrix, shape), order, shape, kind)


def shrunk(order, shape, kind):
    return affine("scale 0.3, shift 200", np.diag([0.3, 0.3]), np.array([200.0, 200.0]), order,
                  shape, kind)


def bilinear(side, strategy):
    """What bilinear_page.py compares."""
    return affine("bilinear: scale 0.3, shift 200", np.diag([0.3, 0.3]), np.array([200.0, 200.0]),
                  1, (side, side), "float32", strategy=strategy)


def spline(shape, kind):
    return Row("spline_filter", shape, kind, "float32", "spline_filter", dict(),
               lambda image, out: ndimage.spline_filter(image, 3, output=out, mode="mirror"))


def moments(mean_of):
    def of(image, out):
        real = image.astype("f8")
        mean = mean_of(real)
        return np.maximum(mean_of(real * real) - mean * mean, 0).astype(out)
    return of


def triangle(side):
    return np.convolve(np.ones(side), np.ones(side)) / side ** 2


def variance(shape_of_window, size, shape, kind):
    weights = triangle(size)

    def mean(image):
        if shape_of_window == "box":
            return ndimage.uniform_filter(image, size)
        if shape_of_window == "gaussian":
            return ndimage.gaussian_filter(image, size)
        for axis in range(image.ndim):
            image = ndimage.correlate1d(image, weights, axis)
        return image

    def mean_of_opencv(image):
        if shape_of_window == "box":
            return cv2.blur(image, (size, size), borderType=BORDER)
        if shape_of_window == "gaussian":
            side = 2 * int(4 * size + 0.5) + 1
            return cv2.GaussianBlur(image, (side, side), size, sigmaY=size, borderType=BORDER)
        return cv2.sepFilter2D(image, -1, weights, weights, borderType=BORDER)

    def opencv(image):
        real = image.astype("f4")
        average = mean_of_opencv(real)
        return cv2.subtract(mean_of_opencv(cv2.multiply(real, real)),
                            cv2.multiply(average, average))
    return Row(f"variance {shape_of_window}:{size}", shape, kind, "float32", "variance",
               dict(window=shape_of_window, sizes=[size]), moments(mean),
               opencv if len(shape) == 2 else None)


ROWS = [
    *(gaussian(sigma, PLANE, kind) for sigma in (1, 2, 4, 8) for kind in TYPES),
    *(box(side, PLANE, kind) for side in (3, 7, 31) for kind in TYPES),
    *(correlate(side, PLANE, kind) for side in (3, 5, 7, 15) for kind in TYPES),
    *(rotation(order, PLANE, kind) for order in (0, 1, 3) for kind in TYPES),
    *(shrunk(order, (1024, 1024), kind) for order in (0, 1, 3) for kind in TYPES),
    *(bilinear(side, strategy) for side in (1024, 8054)
      for strategy in ("auto", "pixel", "column", "tile")),
    *(spline(PLANE, kind) for kind in TYPES),
    *(variance(*window, PLANE, kind) for window in (("triangle", 4), ("triangle", 32), ("box", 7),
                                                    ("box", 31), ("gaussian", 4))
      for kind in TYPES),
    *(gaussian(sigma, VOLUME, "float32") for sigma in (1, 2, 4)),
    *(box(side, VOLUME, "float32") for side in (3, 7)),
    *(correlate(side, VOLUME, "float32") for side in (3, 5, 7)),
    *(rotation(order, VOLUME, "float32") for order in (0, 1, 3)),
    spline(VOLUME, "float32"),
    variance("triangle", 4, VOLUME, "float32"),
]
