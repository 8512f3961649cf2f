# SPDX-License-Identifier: MIT
"""Convolution of images that do not fit in memory: files, and arrays that are read in pieces."""
from __future__ import annotations

import os
from dataclasses import dataclass
from typing import Any, Literal, Union

from numpy.typing import ArrayLike

from . import _core
from ._given import (OF_IMAGE_FILES, OF_RESULT_FILES, Sliced, kernel_of, named, require_files,
                     require_separate)
from ._parts import as_memory, as_workers
from ._types import Memory, Path, Progress

_CERTIFIED = {"certify": 0, "certify_by": None}


@dataclass(frozen=True)
class Convolved:
    """The result of `convolve_file`."""

    shape: tuple[int, int, int]  #: (z, y, x)
    dtype: str  #: of its voxels
    clipped: int  #: voxels that were beyond the range of their type
    strategy: str  #: how it was done
    fft: str | None  #: the library of the transforms and its version; None: there were none
    seconds: float  #: of the convolution alone
    wall_seconds: float  #: of the whole call
    stages: dict[str, float]  #: seconds of each stage of the call, which follow each other
    certificate: dict[str, Any] | None = None  #: what `certify` found
    certified: dict[str, Any] | None = None  #: what `certify_by` found


def convolve_file(image: Path | Sliced, kernel: Path | ArrayLike, result: Path | Sliced, *,
                  shape: Literal["same", "full", "valid"] = "same",
                  boundary: Literal["zero", "nearest", "reflect", "mirror", "wrap"] = "zero",
                  correlate: bool = False,
                  normalize_kernel: Literal["none", "sum", "peak"] = "none",
                  kernel_background: Union[float, Literal["auto"], None] = None,
                  kernel_center: Union[str, tuple[int, int, int], None] = None,
                  output_type: str = "auto", precision: Literal["single", "double"] = "single",
                  nan: Literal["refuse", "zero", "propagate"] = "refuse", strategy: str = "auto",
                  fft: str | None = None,
                  channel: int | None = None, frame: int | None = None,
                  image_number: int | None = None, axes: str | None = None,
                  overwrite: bool = False,
                  format: Literal["auto", "tiff", "hdf5", "zarr", "zarr3", "bdv"] = "auto",
                  tiff_flavor: Literal["ome", "imagej", "plain"] = "ome",
                  compression: Literal["none", "deflate", "lzw", "zstd", "blosc"] = "none",
                  chunks: tuple[int, int, int] | None = None, certify: int = 0, seed: int = 0,
                  certify_by: Literal["fftw", "cufft"] | None = None,
                  resume: bool = False, gpus: str = "none", scratch: Path | None = None,
                  workers: int | None = None, memory: Memory = None,
                  progress: Progress = None) -> Convolved:
    """Convolves an image of any size with a kernel, in pieces that fit in memory.

    The options are those of the command `convolve`, and files have the same bytes. An array gives
    the same voxels as a file with the same content, to the last bit.

    Parameters
    ----------
    image : str, path-like or array
        A TIFF, HDF5 or OME-Zarr file, ``"stack.h5:/data/set"`` of HDF5; or any object with shape
        (z, y, x) or (y, x), dtype and slices: numpy.memmap, arrays of h5py, zarr and dask. It is
        read in pieces; if it has `chunks`, in layers of chunks.
    kernel : str, path-like or array_like
        The same, with at most three axes; an array must be in memory. A `Psf` has a centre.
    result : str, path-like or array
        A file to make, which appears when it is complete; or an array as above, whose slices are
        assigned. Slices assigned before a failure remain. It must not share memory with image or
        kernel, which are still read while it is written.
    shape : {"same", "full", "valid"}
        "same": the size of the image; "full": everything that the kernel reaches; "valid": only
        where the kernel lies entirely inside.
    boundary : {"zero", "nearest", "reflect", "mirror", "wrap"}
        Values outside the image, as in scipy.ndimage.
    correlate : bool
        Correlate instead of convolving.
    normalize_kernel : {"none", "sum", "peak"}
        The value by which the kernel is divided.
    kernel_background : float or "auto", optional
        The value to subtract from every voxel of the kernel; "auto" finds it.
    kernel_center : str or tuple of int, optional
        "scipy", "middle", "peak", "centroid" or a voxel (z, y, x): the voxel of the kernel that is
        placed on the voxel of the result. Default: the centre of the Psf or in the kernel's
        file, otherwise "scipy".
    output_type : str
        The type of the voxels of a file: "auto", "same" or a type, as for the command. An array has
        its own type.
    precision : {"single", "double"}
        Of the arithmetic.
    nan : {"refuse", "zero", "propagate"}
        What to do about NaN and infinity in the image.
    strategy : str
        How the work is divided: "auto", "in-core", "ring", "tiles", "parts", "direct", "separable".
    fft : {"own", "fftw", "fftw-measured", "cufft"}, optional
        Compute by transforms, and by those of this library. FFTW is not in packages, but in a build
        with it; cuFFT is for GPUs. Default: whatever is fastest.
    channel : int, optional
        For image files with several channels, from 0; only for files.
    frame : int, optional
        The same for time points.
    image_number : int, optional
        The same for images: of OME-XML, of tifffile's series or of an OME-Zarr.
    axes : str, optional
        Letters of all axes of the file in storage order, such as "TZYX"; overrides those in the
        file.
    overwrite : bool
        Whether an existing file may be replaced; otherwise it is a ValueError. `overwrite`,
        `format`, `tiff_flavor`, `compression`, `chunks` and `certify` need a result file.
    format : {"auto", "tiff", "hdf5", "zarr", "zarr3", "bdv"}
        The format of a file. Default: by its name. OME-Zarr 0.4 is zarr, 0.5 is zarr3; bdv is
        BigDataViewer's HDF5 with its XML file.
    tiff_flavor : {"ome", "imagej", "plain"}
        The metadata of a TIFF.
    compression : {"none", "deflate", "lzw", "zstd", "blosc"}
        The compression of a file. TIFF does not support blosc, other formats do not support lzw;
        other readers of HDF5 need plug-ins for zstd and blosc.
    chunks : tuple of int, optional
        Voxels (z, y, x) of a chunk of HDF5 or OME-Zarr.
    certify : int
        Voxels of a file to recompute by direct sums before it gets its name: half of them anywhere,
        half among the brightest 1 %. The call fails if one differs by more than 1e-6 (in double
        precision 1e-14) of the largest sum of abs(image) times abs(kernel).
    seed : int
        The seed of the random choice of voxels to certify.
    certify_by : {"fftw", "cufft"}, optional
        Recompute all voxels of a file by the transforms of another library, in double precision and
        in memory, before the file gets its name. The call fails if one differs by more than 2e-6
        (in double precision 2e-14) of the largest sum of abs(image) times abs(kernel).
    resume : bool
        Continue an unfinished result that an earlier call with ``resume=True``, or the command
        `convolve`, left; and keep finished work if this call fails. The result is the same to the
        last bit. Image, kernel and result must be files.
    gpus : str
        "none": use no GPU. "auto": use one if there is one and the plan is faster on it. "all", or
        positions or uuids separated by commas: use these GPUs; the call fails if they cannot do the
        work. The last bits may differ from those of the host.
    scratch : str or path-like, optional
        Folder for temporary files. Default: the folder of the result.
    workers : int, optional
        Threads. Default: all cores. The result does not depend on it.
    memory : int or str, optional
        A hard limit for everything that is held, in bytes or such as "2G". Default: 70 % of the
        free memory.
    progress : callable, optional
        Called as ``progress(done, total, stage)`` in the calling thread, at most about twenty times
        a second. An exception that it raises stops the work.

    Returns
    -------
    Convolved

    Raises
    ------
    ValueError
        An option, a file or an array cannot be used; the message says why.
    MemoryError
        More `memory` is needed; the message says how much.
    OSError
        A file cannot be read or written.
    RuntimeError
        A GPU is asked for, and there is none or it fails; or `certify` found a wrong voxel.
    KeyboardInterrupt
        Ctrl-C was pressed. No file remains, unless `resume` is True.
    """
    options = dict(
        shape=shape, boundary=boundary, correlate=correlate, normalize_kernel=normalize_kernel,
        kernel_background=kernel_background, kernel_center=kernel_center, output_type=output_type,
        precision=precision, nan=nan, strategy=strategy, fft=fft, channel=channel, frame=frame,
        image_number=image_number, axes=axes, overwrite=overwrite, format=format,
        tiff_flavor=tiff_flavor, compression=compression, chunks=chunks, certify=certify,
        certify_by=certify_by, seed=seed,
        resume=resume, gpus=gpus,
        scratch=None if scratch is None else os.fspath(scratch))
    image, result = named(image), named(result)
    kernel = kernel_of(kernel, "convolve", "kernel")
    require_files("convolve", {"image": image}, OF_IMAGE_FILES, options)
    require_files("convolve", {"result": result}, {**OF_RESULT_FILES, **_CERTIFIED}, options)
    require_files("convolve", {"image": image, "kernel": kernel, "result": result},
                  {"resume": False}, options)
    require_separate("convolve", {"image": image, "kernel": kernel}, result)
    report = _core.convolve_file(image, kernel, result, options,
                                 as_workers(workers), as_memory(memory), progress)
    return Convolved(**report)
