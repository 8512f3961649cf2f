# SPDX-License-Identifier: MIT
"""Regions of a grid that are worth looking at, as {origin, extent} in z, y, x order."""
import numpy


def region_of(extent, most_planes, most_voxels, widest):
    """Returns the region in the middle of a grid with at most these planes and voxels, which is at
    most `widest` voxels wide along y and x."""
    planes = min(extent[0], most_planes)
    rows, columns = (min(n, widest) for n in extent[1:])
    side = int((most_voxels / planes) ** 0.5)
    if rows > side and columns > side:
        rows = columns = side
    elif rows * columns > side * side:
        rows, columns = ((rows, side * side // rows) if rows < side else
                         (side * side // columns, columns))
    size = [planes, rows, columns]
    return {"origin": [(n - m) // 2 for n, m in zip(extent, size)], "extent": size}


def richest_region(images, origin, size):
    """Returns the region of this size with the planes of most contrast, and most edges in them.

    `images` are those of the channels, of a region with this origin.
    """
    first = numpy.argmax(numpy.convolve(contrasts_of(images), numpy.ones(size[0]), "valid"))
    edges = sum(edges_of(scaled(image)[first:first + size[0]].mean(0)) for image in images)
    inside = window_means(edges, size[1:])
    starts = (first, *numpy.unravel_index(numpy.argmax(inside), inside.shape))
    return {"origin": [int(n + start) for n, start in zip(origin, starts)], "extent": size}


def scaled(image):
    """The image with its darkest and brightest voxels at 0 and 1."""
    low, high = numpy.percentile(image, (1, 99.8))
    return numpy.clip((image.astype(numpy.float32) - low) / max(high - low, 1e-9), 0, 1)


def contrasts_of(images):
    """Returns the variance of each plane, added over the images of the channels."""
    return sum(scaled(image).var((1, 2)) for image in images)


def edges_of(plane):
    """Returns how steep a plane is at each pixel, once the noise has been smoothed."""
    pixels = 4
    smooth = window_means(numpy.pad(plane.astype(float), pixels, "edge"), (2 * pixels + 1,) * 2)
    return sum(numpy.abs(numpy.gradient(smooth, axis=axis)) if smooth.shape[axis] > 1 else 0
               for axis in (0, 1))


def window_means(plane, shape):
    """Means over all windows of this shape that lie in the plane."""
    rows, columns = shape
    sums = numpy.pad(plane.cumsum(0).cumsum(1), ((1, 0), (1, 0)))
    inside = (sums[rows:, columns:] - sums[:-rows, columns:] - sums[rows:, :-columns] +
              sums[:-rows, :-columns])
    return inside / (rows * columns)
