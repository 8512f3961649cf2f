# SPDX-License-Identifier: MIT
"""Visual words: describes textures by which filter responses occur in them, and how often.

`train` makes a `Model` from folders of images, which classifies other images; `load` reads one;
`compare` tests whether two folders can be distinguished. The command `words` does the same. The
individual steps for arrays are `features` of images, `learn` words from some of them, the
`word_map` of an image, its `histogram`, and the `distance` of two. While they work, the
interpreter's lock is released, and Ctrl-C stops them.
"""
from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from . import _core
from ._ndarguments import as_array, resources
from ._texture_comparison import Comparison, compare
from ._texture_models import Model
from ._texture_training import load, train
from ._texture_verdicts import Nearest, Verdict, accuracy
from ._types import Array, Memory
from ._words import Bank, Distance, Words

__all__ = ["Comparison", "Model", "Nearest", "Verdict", "Words", "accuracy", "assign", "compare",
           "distance", "features", "histogram", "learn", "load", "train", "word_map"]

_MOST_AXES = 3
_MOST_WORDS = 65536


def features(image: ArrayLike, bank: Bank = "mr8", *, standardised: bool = True,
             contrast_normalised: bool = False, depth_ratio: float = 1.0,
             workers: int | None = None, memory: Memory = None) -> Array:
    """Compute the features of every voxel: responses of a filter bank.

    Parameters
    ----------
    image : array_like
        Real, of shape (y, x) or (z, y, x).
    bank : {'lm', 'schmid', 'mr8', 'invariants'}, optional
        Leung and Malik's 48 responses, Schmid's 13, Varma and Zisserman's 8, all for planes; or
        rotation invariants, 11 for planes and 14 for volumes.
    standardised : bool, optional
        Whether responses are divided by the standard deviation of the image.
    contrast_normalised : bool, optional
        Whether responses r of a voxel become r log(1 + |r| / 0.03) / |r|, |r| their length.
    depth_ratio : float, optional
        The voxel size along z divided by that along x, for 'invariants' of volumes.
    workers : int, optional
        Threads, at least 1. Default: all cores. The result does not depend on it.
    memory : int or str, optional
        Bytes for buffers, in addition to the arrays: 2**30 or "1G". Default: 70 % of the free
        memory.

    Returns
    -------
    ndarray
        float32, of shape (features, y, x) or (features, z, y, x).

    Raises
    ------
    ValueError
        The image has other axes, no elements, or NaN or infinity; or the bank is unknown.
    MemoryError
        `memory` is too small for the smallest bricks.

    Notes
    -----
    Edges are mirrored with the edge voxel. Banks: Leung and Malik, Int. J. Comput. Vis. 43 (2001)
    29, doi:10.1023/A:1011126920638; Schmid, CVPR 2001, doi:10.1109/CVPR.2001.990922; Varma and
    Zisserman, Int. J. Comput. Vis. 62 (2005) 61, doi:10.1007/s11263-005-4635-4.
    """
    volume = _volume_of(image)
    count = _core.feature_count(bank, *volume.shape)
    z, y, x = volume.shape
    result = np.empty((z * count, y, x), np.float32)
    _core.texture_features(volume, result, bank, bool(standardised), bool(contrast_normalised),
                           float(depth_ratio), *resources(workers, memory))
    by_feature = np.moveaxis(result.reshape(z, count, y, x), 1, 0)
    return by_feature.reshape((count, *np.shape(image)))


def learn(samples: ArrayLike, count: int = 200, *, start: ArrayLike | None = None, seed: int = 0,
          max_iterations: int = 100, tolerance: float = 1e-4, workers: int | None = None,
          memory: Memory = None) -> Words:
    """Learn words from samples, by k-means.

    Parameters
    ----------
    samples : array_like
        Of shape (samples, features), finite; taken in single precision.
    count : int, optional
        The number of words, at most 65536. Ignored if `start` is given.
    start : array_like, optional
        Initial words, of shape (words, features). Default: chosen by greedy k-means++.
    seed : int, optional
        Of the random numbers.
    max_iterations : int, optional
    tolerance : float, optional
        Words have converged when their squared shifts add up to this times the mean variance of a
        feature.
    workers : int, optional
        Threads, at least 1. Default: all cores. The result does not depend on it.
    memory : int or str, optional
        Bytes for buffers, in addition to the arrays: 2**30 or "1G". Default: 70 % of the free
        memory.

    Returns
    -------
    Words

    Raises
    ------
    ValueError
        Samples are too few, all equal or not finite, or arguments are out of range.
    MemoryError
        `memory` is too small for the squared distances.

    Notes
    -----
    Lloyd, IEEE Trans. Inf. Theory 28 (1982) 129, doi:10.1109/TIT.1982.1056489; Arthur and
    Vassilvitskii, SODA 2007, 1027.
    """
    block = _block_of(samples)
    if start is None:
        if not 1 <= count <= _MOST_WORDS:
            raise ValueError(f"count is {count}; give 1 to {_MOST_WORDS} words")
        words = np.zeros((1, count, block.shape[1]), np.float32)
    else:
        words = _words_of(start).copy()
    sizes = np.zeros(words.shape[1], np.int64)
    inertia, iterations, converged = _core.learn_words(
        block, words, sizes, start is not None, seed, max_iterations, float(tolerance),
        *resources(workers, memory))
    return Words(words[0], sizes, inertia, iterations, converged)


def assign(samples: ArrayLike, words: ArrayLike | Words, *, workers: int | None = None,
           memory: Memory = None) -> Array:
    """Find the nearest word of every sample.

    Parameters
    ----------
    samples : array_like
        Of shape (samples, features); taken in single precision.
    words : Words or array_like
        Array of shape (words, features).
    workers : int, optional
        Threads, at least 1. Default: all cores.
    memory : int or str, optional
        As in `learn`.

    Returns
    -------
    ndarray
        uint16, of shape (samples,). Distances are sums in double precision; the first of equally
        near words is taken. A sample with a value that is not finite has word 0.

    Raises
    ------
    ValueError
        Words of another number of features.
    """
    block = _block_of(samples)
    result = np.empty((1, 1, block.shape[2]), np.uint16)
    if result.size:
        _core.assign_words(block, _words_of(words), result, *resources(workers, memory))
    return result.reshape(-1)


def word_map(image: ArrayLike, words: ArrayLike | Words, bank: Bank = "mr8", *,
             standardised: bool = True, contrast_normalised: bool = False,
             depth_ratio: float = 1.0, workers: int | None = None,
             memory: Memory = None) -> Array:
    """Find the nearest word of every voxel of an image. Features are not kept.

    Parameters
    ----------
    image : array_like
        As in `features`.
    words : Words or array_like
        Array of shape (words, features), learned with the same bank and the same arguments.
    bank, standardised, contrast_normalised, depth_ratio, workers, memory
        As in `features`.

    Returns
    -------
    ndarray
        Of the image's shape, uint8 for up to 256 words, else uint16.

    Raises
    ------
    ValueError, MemoryError
        As `features` and `assign`.
    """
    volume, dictionary = _volume_of(image), _words_of(words)
    result = np.empty(volume.shape, np.uint8 if dictionary.shape[1] <= 256 else np.uint16)
    _core.word_map(volume, result, dictionary, bank, bool(standardised), bool(contrast_normalised),
                   float(depth_ratio), *resources(workers, memory))
    return result.reshape(np.shape(image))


def histogram(word_map: ArrayLike, count: int, levels: int = 0) -> Array:
    """Count how often each word occurs, in the image and in the cells of a spatial pyramid.

    Parameters
    ----------
    word_map : array_like
        Of uint8 or uint16, of shape (y, x) or (z, y, x).
    count : int
        Of words.
    levels : int, optional
        0 to 5: in addition to the whole image, cells of a half, a quarter ... of it along every
        axis.

    Returns
    -------
    ndarray
        float32: shares of all voxels, coarsest level first, weighted so that their sum is 1.

    Raises
    ------
    ValueError
        A word is not less than `count`, or there are more cells than voxels.

    Notes
    -----
    Lazebnik, Schmid and Ponce, CVPR 2006, doi:10.1109/CVPR.2006.68.
    """
    array = np.ascontiguousarray(word_map)
    if array.dtype not in (np.uint8, np.uint16) or not 1 <= array.ndim <= _MOST_AXES:
        raise ValueError(f"word_map is of type {array.dtype} and has {array.ndim} axes; give what "
                         "word_map makes: uint8 or uint16, of 1 to 3 axes")
    return np.array(_core.word_histogram(_three(array), count, levels), np.float32)


def distance(a: ArrayLike, b: ArrayLike, how: Distance = "chi-square") -> float:
    """Compute how different two histograms are.

    Parameters
    ----------
    a, b : array_like
        Histograms with the same number of values, none negative.
    how : {'euclidean', 'chi-square', 'intersection'}, optional
        'euclidean': the root of the sum of squared differences; 'chi-square': half the sum of (a -
        b)^2 / (a + b); 'intersection': 1 minus the sum of the smaller values.

    Returns
    -------
    float
        0 for equal histograms; for histograms with a sum of 1 at most 1, or the root of 2 if
        euclidean.

    Raises
    ------
    ValueError
        The distance is unknown, or the numbers of values differ.
    """
    one, other = (np.ascontiguousarray(x, np.float32).reshape(-1) for x in (a, b))
    return float(_core.histogram_distance(how, one, other))


def _volume_of(image):
    array = np.asarray(image)
    if array.dtype.kind == "c" or array.ndim not in (2, 3) or array.size == 0:
        raise ValueError(f"image is of type {array.dtype} and shape {array.shape}; give reals of 2 "
                         "or 3 axes")
    return _three(as_array(array))


def _three(array):
    return array.reshape((1,) * (_MOST_AXES - array.ndim) + array.shape)


def _block_of(samples):
    """Features contiguously one after another, as the library reads samples: (1, features,
    samples)."""
    array = np.asarray(samples)
    if array.ndim != 2 or array.shape[1] == 0:
        raise ValueError(f"samples has the shape {array.shape}; give (samples, features)")
    return np.ascontiguousarray(array.T, np.float32)[None]


def _words_of(words):
    array = np.ascontiguousarray(words, np.float32)
    if array.ndim != 2 or array.size == 0:
        raise ValueError(f"words has the shape {array.shape}; give (words, features)")
    return array[None]
