# SPDX-License-Identifier: MIT
"""Deconvolution: the light that most likely made an image, in memory or from file to file."""
from __future__ import annotations

import json
import os
from collections.abc import Mapping
from dataclasses import dataclass
from typing import (Any, Callable, Concatenate, Literal, ParamSpec, Protocol, Union, cast,
                    overload)

import numpy as np
from numpy.typing import ArrayLike, NDArray

from . import _core, _toml
from ._camera import Camera
from ._given import (OF_IMAGE_FILES, OF_RESULT_FILES, Sliced, kernel_of, named, require_files,
                     require_separate)
from ._parts import Psf, as_memory, as_workers
from ._scene import Scene
from ._simulate import as_scene
from ._types import Keys, Memory, Path, Progress
from ._voxels import STORED, as_read

Level = Union[float, Literal["auto"], None]
Number = Union[int, Literal["auto"], None]
Method = Literal["rl", "shb", "wb", "wiener"]
Place = Union[str, tuple[int, int, int], None]
Recorder = Union[Camera, Path, Keys, None]
Optics = Union[Scene, Path, Keys, None]
_Options = ParamSpec("_Options")

_OF_RUNS_ON_FILES = {"resume": False, "checkpoint_every": 300}
_NOT_CERTIFIED = {"certify": 0, "seed": 0}


@dataclass(frozen=True)
class Deconvolved:
    """The result of `deconvolve_file`."""

    shape: tuple[int, int, int]  #: (z, y, x)
    iterations: int  #: finished ones, with those of a run that was resumed
    log_likelihoods: list[float]  #: before each iteration, apart from what never changes
    noise_to_signal: float  #: of the Wiener filter; 0: of another method
    search: list[tuple[int, int]]  #: of "auto": numbers tried, and the best for what they found
    search_end: str  #: "settled"; "cycle" or "rounds" if it did not settle; "": there was none
    background: float  #: grey level of the image that was taken as dark
    negative_voxels: int  #: of the image: below 0, or the offset of the camera; they became 0
    saturated_voxels: int  #: of the image: at the highest value of its type
    psf_center: tuple[int, int, int]  #: voxel (z, y, x) of the PSF that holds the point
    psf_depths: int  #: number of PSFs that were interpolated between; 1: the same everywhere
    psf_sum: float  #: of the weights of the PSF, before they were divided by it
    psf_negative_voxels: int  #: of the PSF, less its background, which became 0
    in_gpu_memory: bool  #: whether all volumes lay in the memory of a GPU
    scratch_files: bool  #: whether intermediate volumes were in files, for want of memory
    seconds: float  #: of the iterations alone
    wall_seconds: float  #: of the whole call, or of one image of several
    stages: dict[str, float]  #: seconds of each stage of the call, which follow each other
    certificate: dict[str, Any] | None = None  #: what `certify` found
    was_finished: bool = False  #: by an earlier call, whose result `resume` kept


def deconvolve(image: Sliced | ArrayLike, psf: Psf | ArrayLike | Path | None = None, *,
               optics: Optics = None,
               method: Method = "shb", iterations: Number = None,
               alpha: float = 0.1, noise_to_signal: float | None = None,
               background: Level = "auto", camera: Recorder = None,
               regularize: str = "none", edge: Literal["extend", "wrap"] = "extend",
               normalize_kernel: Literal["sum", "none"] = "sum",
               kernel_background: Level = None, kernel_center: Place = None,
               strategy: str = "auto", fft: str | None = None, gpus: str = "none",
               scratch: Path | None = None, workers: int | None = None, memory: Memory = None,
               progress: Progress = None) -> NDArray[np.float32]:
    """Finds the light that most likely made an image, from its point spread function.

    Under Poisson noise, no other light makes the image more likely. It is found in iterations [1]_
    [2]_ [3]_, without tiles, and so without seams. Light from outside the image that reaches into
    it is estimated as well [4]_, so that no frame appears along the edges.

    Parameters
    ----------
    image : array_like
        (z, y, x) or (y, x); also an object that is read in pieces, as for `deconvolve_file`.
    psf : Psf, array_like, str or path-like, optional
        The image of a point, of any size, with the voxels of `image`: the result of `Scene.psf`, an
        array of at most three axes, or a file. Its weights below 0 count as 0. None with `optics`.
    optics : Scene, str, path-like or dict, optional
        In place of `psf`, a scene whose optics it is computed from, for the planes of the image.
        If it varies with depth, several PSFs are interpolated, as `simulate` does. Voxels have the
        size that the file of `image` says, otherwise that of the scene.
    method : {"rl", "shb", "wb", "wiener"}
        "rl": the iteration of Richardson and Lucy, in which the likelihood never falls. "shb": the
        same with momentum [5]_, which needs some five times fewer iterations. "wb": the same with
        a back projector by Wiener and Butterworth [7]_, 1 to 3 iterations of bright images.
        "wiener": one linear pass, whose result may be negative.
    iterations : int or "auto", optional
        From 1. More iterations give sharper light, and more noise. "auto" finds their number, for
        which it needs `camera`: simulates images of the light that some iterations found, and
        deconvolves them to see how many come closest to it. Default: 20 for "shb", 60 for "rl", 2
        for "wb".
    alpha : float
        Of "wb": noise over signal. 0.3 suits noisy images; below 0.01 iterations may diverge.
    noise_to_signal : float, optional
        Of "wiener": noise power over signal power, such as 0.1 of noisy images to 0.001 of clean
        ones. Default: found by cross-validation.
    background : float or "auto", optional
        Grey level of the image where there is no object. "auto" estimates it from the darkest
        places. None is 0, or the offset of the camera.
    camera : Camera, str, path-like or dict, optional
        The camera that recorded the image: a `Camera`, what `Camera.from_toml` reads, or keys as
        for `Camera.from_dict`. The noise is then taken as what it is [6]_, and the result is in
        photons. Default: grey levels are counted as light.
    regularize : str
        Of "rl" and "shb". "none", or "tv:L": a penalty for light that changes between neighbours
        [8]_ [9]_ keeps noise out, so that more iterations do not add any. L is from above 0 to 1,
        such as 0.3 divided by the photons of a bright voxel. It is measured in widths of a pixel,
        so that it does not depend on the distance of planes, which is that of the image's file, or
        of the PSF's.
    edge : {"extend", "wrap"}
        What lies beyond the edges of the image. "extend": more light; "wrap": the opposite edge.
    normalize_kernel : {"sum", "none"}
        "sum": the PSF is divided by its sum, so that the result has as much light as the image.
        "none": for a PSF whose planes have the sum 1, as that of `Scene.psf`; the result is then
        the light of each voxel.
    kernel_background : float or "auto", optional
        The value to subtract from every voxel of the PSF; "auto" finds it.
    kernel_center : str or tuple of int, optional
        "scipy", "middle", "peak", "centroid" or a voxel (z, y, x): the voxel of the PSF that holds
        the point. Default: the centre of the Psf or in the PSF's file, otherwise "peak".
    strategy : str
        How each convolution is divided, as for `convolve_file`.
    fft : {"own", "fftw", "fftw-measured", "cufft"}, optional
        The library of the transforms, as for `convolve_file`.
    gpus : str
        "none": use no GPU. "auto": use one if it is faster. "all", or positions or uuids separated
        by commas: use these GPUs.
    scratch : str or path-like, optional
        Folder for temporary files, if the memory is too small. Default: the working folder.
    workers : int, optional
        Threads. Default: all cores. The result does not depend on it.
    memory : int or str, optional
        A hard limit for what the call holds beside image, PSF and result, in bytes or such as "2G".
        Default: 70 % of the free memory.
    progress : callable, optional
        Called as ``progress(done, total, stage)`` in the calling thread, as for `convolve_file`.

    Returns
    -------
    ndarray
        float32, of the shape of `image`: the light of each voxel. Only "wiener" makes it negative.

    Raises
    ------
    ValueError
        An option, the image or the PSF cannot be used; the message says why.
    MemoryError
        More `memory` is needed; the message says how much.
    OSError
        A file cannot be read, or a temporary file cannot be written.
    RuntimeError
        A GPU is asked for, and there is none or it fails.
    KeyboardInterrupt
        Ctrl-C was pressed.

    References
    ----------
    .. [1] Richardson, J. Opt. Soc. Am. 62 (1972) 55, doi:10.1364/JOSA.62.000055
    .. [2] Lucy, Astron. J. 79 (1974) 745, doi:10.1086/111605
    .. [3] Shepp, Vardi, IEEE Trans. Med. Imaging 1 (1982) 113, doi:10.1109/TMI.1982.4307558
    .. [4] Bertero, Boccacci, Astron. Astrophys. 437 (2005) 369, doi:10.1051/0004-6361:20052717
    .. [5] Wang, Miller, IEEE Trans. Image Process. 23 (2014) 848, doi:10.1109/TIP.2013.2291324
    .. [6] Snyder, Hammoud, White, J. Opt. Soc. Am. A 10 (1993) 1014, doi:10.1364/JOSAA.10.001014
    .. [7] Guo et al., Nat. Biotechnol. 38 (2020) 1337, doi:10.1038/s41587-020-0560-x
    .. [8] Dey et al., Microsc. Res. Tech. 69 (2006) 260, doi:10.1002/jemt.20294
    .. [9] De Pierro, IEEE Trans. Med. Imaging 14 (1995) 132, doi:10.1109/42.370409

    Examples
    --------
    A blurred point becomes a point again:

    >>> import numpy as np
    >>> from synthoscope import deconvolve
    >>> y, x = np.ogrid[-6:7, -6:7]
    >>> psf = np.exp(-(y**2 + x**2) / 8)
    >>> image = np.zeros((32, 32))
    >>> image[10:23, 4:17] = 1000 * psf / psf.sum()
    >>> light = deconvolve(image, psf, background=None)
    >>> light.shape, light.dtype.name, np.unravel_index(light.argmax(), light.shape) == (16, 10)
    ((32, 32), 'float32', True)
    >>> bool(light[16, 10] > 5 * image.max())
    True
    """
    if isinstance(image, (str, os.PathLike)):
        raise ValueError(f"deconvolve: the image is {os.fspath(image)!r}; give an array, or call "
                         "deconvolve_file")
    voxels = _array_of(image)
    light = np.empty(voxels.shape, np.float32)
    options = dict(
        optics=optics, method=method, iterations=iterations, alpha=alpha,
        noise_to_signal=noise_to_signal,
        background=background, camera=camera, regularize=regularize, edge=edge,
        normalize_kernel=normalize_kernel, kernel_background=kernel_background,
        kernel_center=kernel_center, strategy=strategy, fft=fft, gpus=gpus, scratch=scratch,
        **OF_IMAGE_FILES, **OF_RESULT_FILES, **_OF_RUNS_ON_FILES, **_NOT_CERTIFIED)
    _run("synthoscope.deconvolve", voxels, psf, light, options, workers, memory, progress)
    return light


class _OfOneOrSeveral(Protocol[_Options]):
    """A function that returns a list if it is given one."""

    @overload
    def __call__(self, image: list[str] | list[os.PathLike[str]], *args: _Options.args,
                 **options: _Options.kwargs) -> list[Deconvolved]: ...
    @overload
    def __call__(self, image: Path | Sliced, *args: _Options.args,
                 **options: _Options.kwargs) -> Deconvolved: ...


def _of_one_or_several(function: Callable[Concatenate[Any, _Options], Any]
                       ) -> _OfOneOrSeveral[_Options]:
    """Returns the function as it is, with types that depend on the image."""
    return cast("_OfOneOrSeveral[_Options]", function)


@_of_one_or_several
def deconvolve_file(image: Any, psf: Psf | ArrayLike | Path | None, result: Path | Sliced, *,
                    optics: Optics = None,
                    method: Method = "shb", iterations: Number = None,
                    alpha: float = 0.1, noise_to_signal: float | None = None,
                    background: Level = "auto", camera: Recorder = None,
                    regularize: str = "none", edge: Literal["extend", "wrap"] = "extend",
                    normalize_kernel: Literal["sum", "none"] = "sum",
                    kernel_background: Level = None, kernel_center: Place = None,
                    strategy: str = "auto", fft: str | None = None,
                    channel: int | None = None, frame: int | None = None,
                    image_number: int | None = None, axes: str | None = None,
                    overwrite: bool = False,
                    format: Literal["auto", "tiff", "hdf5", "zarr", "zarr3", "bdv"] = "auto",
                    tiff_flavor: Literal["ome", "imagej", "plain"] = "ome",
                    compression: Literal["none", "deflate", "lzw", "zstd", "blosc"] = "none",
                    chunks: tuple[int, int, int] | None = None, resume: bool = False,
                    checkpoint_every: float = 300, certify: int = 0, seed: int = 0,
                    gpus: str = "none", scratch: Path | None = None, workers: int | None = None,
                    memory: Memory = None, progress: Progress = None) -> Any:
    """Finds the light of an image of any size, within a limit of memory.

    The options are those of the command `deconvolve`, and files have the same bytes. An array gives
    the same voxels as a file with the same content, to the last bit. If the memory is too small for
    the volumes of an iteration, they are kept in temporary files.

    Parameters
    ----------
    image : str, path-like, array or list
        A file, or an object with shape (z, y, x) or (y, x), dtype and slices, as for
        `convolve_file`. Or a list of files, which are deconvolved one after another.
    psf : Psf, array_like, str or path-like, optional
        As for `deconvolve`. None with `optics`.
    result : str, path-like or array
        A file to make, which appears when it is complete; or an array of float32, whose slices are
        assigned after the last iteration. It must not share memory with image or PSF. For a list of
        files the folder of their results, which is made if it is not there: "cell.tif" becomes
        "cell.ome.tif" in it.
    optics : Scene, str, path-like or dict, optional
        As for `deconvolve`.
    method : {"rl", "shb", "wb", "wiener"}
        As for `deconvolve`.
    iterations : int or "auto", optional
        As for `deconvolve`.
    alpha : float
        As for `deconvolve`.
    noise_to_signal : float, optional
        As for `deconvolve`.
    background : float or "auto", optional
        As for `deconvolve`.
    camera : Camera, str, path-like or dict, optional
        As for `deconvolve`.
    regularize : str
        As for `deconvolve`.
    edge : {"extend", "wrap"}
        As for `deconvolve`.
    normalize_kernel : {"sum", "none"}
        As for `deconvolve`.
    kernel_background : float or "auto", optional
        As for `deconvolve`.
    kernel_center : str or tuple of int, optional
        As for `deconvolve`.
    strategy : str
        As for `convolve_file`.
    fft : {"own", "fftw", "fftw-measured", "cufft"}, optional
        As for `convolve_file`.
    channel : int, optional
        As for `convolve_file`.
    frame : int, optional
        As for `convolve_file`.
    image_number : int, optional
        As for `convolve_file`.
    axes : str, optional
        As for `convolve_file`.
    overwrite : bool
        As for `convolve_file`.
    format : {"auto", "tiff", "hdf5", "zarr", "zarr3", "bdv"}
        As for `convolve_file`.
    tiff_flavor : {"ome", "imagej", "plain"}
        As for `convolve_file`.
    compression : {"none", "deflate", "lzw", "zstd", "blosc"}
        As for `convolve_file`.
    chunks : tuple of int, optional
        As for `convolve_file`.
    resume : bool
        Go on from the last checkpoint of the same call, or of the command `deconvolve`, that was
        stopped, was killed or failed. The result is the same to the last bit. There may be more
        iterations than before. Results that were finished are kept. Image, PSF and result must be
        files.
    checkpoint_every : float
        Shortest time between two checkpoints, in seconds. Each takes as much disk as the result, or
        twice as much with "shb". It is called RESULT.checkpoint, and stays only if the call fails.
        There are none if image, PSF or result is an array.
    certify : int
        Recomputes so many voxels of both convolutions by direct sums in double precision, and
        checks that one is the adjoint of the other. On a GPU, volumes then do not stay in its
        memory. Default: 0.
    seed : int
        The seed of the random choice of voxels to certify.
    gpus : str
        As for `deconvolve`.
    scratch : str or path-like, optional
        Folder for temporary files. Default: the folder of the result.
    workers : int, optional
        Threads. Default: all cores. The result does not depend on it.
    memory : int or str, optional
        A hard limit for everything that is held, in bytes or such as "2G". Default: 70 % of the
        free memory.
    progress : callable, optional
        Called as ``progress(done, total, stage)`` in the calling thread, as for `convolve_file`.

    Returns
    -------
    Deconvolved or list of Deconvolved
        One for each image of a list.

    Raises
    ------
    ValueError
        An option, a file or an array cannot be used; the message says why.
    MemoryError
        More `memory` is needed; the message says how much.
    OSError
        A file cannot be read or written.
    RuntimeError
        A GPU is asked for, and there is none or it fails; or `certify` found something wrong.
    KeyboardInterrupt
        Ctrl-C was pressed. No file remains but the last checkpoint.
    """
    options = dict(
        optics=optics, method=method, iterations=iterations, alpha=alpha,
        noise_to_signal=noise_to_signal,
        background=background, camera=camera, regularize=regularize, edge=edge,
        normalize_kernel=normalize_kernel, kernel_background=kernel_background,
        kernel_center=kernel_center, strategy=strategy, fft=fft, gpus=gpus, scratch=scratch,
        channel=channel, frame=frame, image_number=image_number, axes=axes, overwrite=overwrite,
        format=format, tiff_flavor=tiff_flavor, compression=compression, chunks=chunks,
        resume=resume, checkpoint_every=checkpoint_every, certify=certify, seed=seed)
    is_list = isinstance(image, (list, tuple)) and all(map(_is_name, image))
    images = [os.fspath(one) for one in image] if is_list else named(image)
    done = _run("synthoscope.deconvolve_file", images, psf, named(result), options, workers,
                memory, progress)
    return done if is_list else done[0]


def _run(function: str, image: Any, psf: Any, result: Any, options: dict[str, Any],
         workers: int | None, memory: Memory, progress: Progress) -> list[Deconvolved]:
    """Carries out a deconvolution of names of files or arrays, with every option."""
    psf = "" if psf is None else kernel_of(psf, "deconvolve", "psf")
    if isinstance(image, list):
        _require_several(image, result)
    else:
        require_files("deconvolve", {"image": image}, OF_IMAGE_FILES, options)
    require_files("deconvolve", {"result": result}, OF_RESULT_FILES, options)
    of_runs = {"psf": psf, "result": result}
    if not isinstance(image, list):
        of_runs = {"image": image, **of_runs}
        require_separate("deconvolve", {"image": image, "psf": psf}, result)
    require_files("deconvolve", of_runs, _OF_RUNS_ON_FILES, options)
    scratch = options["scratch"]
    optics = options["optics"]
    known = dict(camera=_camera(options["camera"]),
                 optics=None if optics is None else as_scene(optics)._spec,
                 scratch=None if scratch is None else os.fspath(scratch))
    reports = _core.deconvolve_file(image, psf, result, {**options, **known}, function,
                                    as_workers(workers), as_memory(memory), progress)
    for report in reports:
        found = report["certificate"]
        report["certificate"] = json.loads(found) if found else None
    return [Deconvolved(**report) for report in reports]


def _is_name(given: Any) -> bool:
    return isinstance(given, (str, os.PathLike))


def _require_several(images: list[str], result: Any) -> None:
    """Raises ValueError unless a list of images and the place of their results can be meant."""
    if not images:
        raise ValueError("deconvolve: the list of images is empty; give the name of at least one "
                         "file")
    if not isinstance(result, str):
        raise ValueError("deconvolve: the images are a list of files, and the result is an array; "
                         "give the name of a folder")


def _array_of(image: Any) -> Any:
    """An array whose voxels the library reads; what is not in memory stays as it is."""
    is_array = hasattr(image, "shape") and hasattr(image, "dtype")
    if is_array and not isinstance(image, np.ndarray):
        return image
    voxels = np.asanyarray(image)
    return voxels if voxels.dtype.newbyteorder("=") in STORED else as_read(voxels)


def _camera(given: Any) -> Any:
    """The name of a camera's file, or a camera for the library."""
    if isinstance(given, Mapping):
        given = Camera.from_dict(given)
    elif _toml.is_text(given):
        given = Camera.from_toml(given)
    if given is None:
        return None
    if isinstance(given, Camera):
        return given._spec
    if isinstance(given, (str, os.PathLike)):
        return os.fsdecode(given)
    raise ValueError(f"deconvolve: camera is {given!r}; give a Camera, the name of a file, TOML "
                     "text or a dictionary of keys")
