# SPDX-License-Identifier: MIT
"""The samples and widgets that napari.yaml lists. napari reads the annotations of widget functions:
its own types are written as text, which it looks up; other types are not."""
from typing import TYPE_CHECKING, Annotated, Any, Literal

import numpy as np

from ._files import convolve_file
from ._scene import Scene
from ._simulate import Simulated, simulate
from .ndimage import gaussian_filter

if TYPE_CHECKING:
    import napari.layers
    import napari.qt.threading
    import napari.types

_NM = {"nanometer": 1.0, "micrometer": 1e3, "millimeter": 1e6}  # other units are not looked at
LayerData = tuple[Any, dict[str, Any], str]  # voxels, how they are shown, type of layer

_NUCLEI = {
    "seed": 2024, "grid": {"size": [48, 192, 192], "pitch_nm": [250, 115, 115]},
    "nuclei": {"count": 8, "radius_um": 3.4, "radius_spread": 0.12, "roughness": 0.05},
    "background": {"photons_per_pixel": 6},
    "optics": {"na": 1.1, "immersion_index": 1.333, "sample_index": 1.36, "coverslip_um": 0},
}
_CELLS = {
    "seed": 12, "grid": {"size": [32, 320, 320], "pitch_nm": [200, 100, 100]},
    "nuclei": {"count": 0},
    "cells": {"count": 3, "radius_um": 5, "nucleus_radius_um": 2.8, "mitochondria": 40,
              "mitochondria_length_um": 4, "border": "cut"},
    "background": {"photons_per_pixel": 2},
    "optics": {"na": 1.1, "immersion_index": 1.333, "sample_index": 1.36, "coverslip_um": 0},
    "channel": [{"name": "nuclei", "light": {"nuclei": 1}},
                {"name": "mitochondria", "light": {"mitochondria": 1}}],
}
_COLOURS = ("magenta", "green")

Length = Annotated[float, {"min": 0.0, "max": 1e5, "step": 0.1}]
Index = Annotated[float, {"min": 1.0, "max": 4.0, "step": 0.005}]


def nuclei() -> list[LayerData]:
    """Eight nuclei under a wide-field microscope, and the label of every voxel."""
    return layers_of(simulate(_NUCLEI))


def cells() -> list[LayerData]:
    """Cells, their nuclei in one channel and their mitochondria in another, and their labels."""
    return layers_of(simulate(_CELLS))


def layers_of(made: Simulated) -> list[LayerData]:
    """A layer for each channel of a single frame, and one of labels."""
    place = {"scale": made.spacing_um, "units": ("um", "um", "um")}
    images = [(made.image, {"name": "image", **place}, "image")]
    if made.channels:
        over = {"blending": "additive", **place}
        images = [(voxels, {"name": name, "colormap": colour, **over}, "image")
                  for voxels, name, colour in zip(made.image, made.channels, _COLOURS)]
    return [*images, (made.labels, {"name": "labels", "opacity": 0.4, **place}, "labels")]


def blur_by_gaussian(
        image: "napari.layers.Image", sigma_z: Length = 1.0, sigma_xy: Length = 2.0,
) -> "napari.qt.threading.FunctionWorker[napari.types.LayerDataTuple]":
    """Blurs a layer with a Gaussian in the background.

    Parameters
    ----------
    image : napari.layers.Image
        The layer to blur, along its last three axes, or along both of a plane. It is mirrored
        beyond its faces.
    sigma_z : float
        Standard deviation along z, in voxels; 0: each plane separately.
    sigma_xy : float
        The same along y and x.

    Returns
    -------
    napari.qt.threading.FunctionWorker
        Returns the new layer.
    """
    return _beside_the_window(gaussian_layer, image, sigma_z, sigma_xy)


def blur_by_microscope(
        image: "napari.layers.Image",
        model: Literal["gibson-lanni", "born-wolf", "richards-wolf", "confocal",
                       "light-sheet"] = "gibson-lanni",
        na: Annotated[float, {"min": 0.01, "max": 4.0, "step": 0.05}] = 1.2,
        wavelength_nm: Annotated[float, {"min": 100.0, "max": 1e4, "step": 10}] = 520.0,
        immersion_index: Index = 1.333, sample_index: Index = 1.333, pitch_z_nm: Length = 0.0,
        pitch_xy_nm: Length = 0.0, is_volume: bool = True,
) -> "napari.qt.threading.FunctionWorker[napari.types.LayerDataTuple]":
    """Blurs a layer with the point spread function of a microscope in the background.

    Parameters
    ----------
    image : napari.layers.Image
        The layer to blur; its sum does not change.
    model : str
        Of the point spread function.
    na : float
        Numerical aperture, below immersion_index.
    wavelength_nm : float
        Of the emitted light, in vacuum.
    immersion_index : float
        Refractive index of the immersion.
    sample_index : float
        Refractive index of the sample.
    pitch_z_nm : float
        Distance of planes; 0: the scale of the layer, in micrometres.
    pitch_xy_nm : float
        Distance of pixels, the same.
    is_volume : bool
        Whether the third axis from the end is z; otherwise each plane is blurred separately.

    Returns
    -------
    napari.qt.threading.FunctionWorker
        Returns the new layer.
    """
    optics = {"model": model, "na": na, "wavelength_nm": wavelength_nm, "coverslip_um": 0,
              "immersion_index": immersion_index, "sample_index": sample_index}
    return _beside_the_window(microscope_layer, image, optics, (pitch_z_nm, pitch_xy_nm), is_volume)


def gaussian_layer(image: Any, sigma_z: float, sigma_xy: float) -> LayerData:
    """The layer that `blur_by_gaussian` adds."""
    voxels = _voxels_of(image)
    sigma = (0.0,) * (voxels.ndim - 3) + (sigma_z, sigma_xy, sigma_xy)[-voxels.ndim:]
    return _like(image, gaussian_filter(voxels, sigma), "Gaussian")


def microscope_layer(image: Any, optics: dict[str, Any], pitch_nm: tuple[float, float],
                     is_volume: bool) -> LayerData:
    """The layer that `blur_by_microscope` adds."""
    voxels, (z, y, x) = _voxels_of(image), _pitch_nm(image)
    pitch = (pitch_nm[0] or z, pitch_nm[1] or y, pitch_nm[1] or x)
    if voxels.ndim == 2 or not is_volume:
        pitch = (pitch[0] or pitch[1], *pitch[1:])  # planes are alone
    if 0 in pitch:
        raise ValueError(f"blur: layer {image.name} does not give the distance between its voxels; "
                         "give pitch_z_nm and pitch_xy_nm")
    return _like(image, _through(optics, pitch, voxels, 3 if is_volume and voxels.ndim > 2 else 2),
                 optics["model"])


def _through(optics: dict[str, Any], pitch_nm: tuple[float, ...], voxels: Any, axes: int) -> Any:
    """Returns the microscope's image of each image in the last `axes` axes of `voxels`."""
    size = (1,) * (3 - axes) + voxels.shape[-axes:]
    psf = Scene.from_dict({"grid": {"size": size, "pitch_nm": pitch_nm}, "optics": optics}).psf()
    blurred = np.empty_like(voxels)
    for place in np.ndindex(voxels.shape[:-axes]):
        convolve_file(voxels[place], psf.array, blurred[place], boundary="reflect",
                      normalize_kernel="sum", kernel_center=psf.center,
                      precision="double" if voxels.dtype == np.float64 else "single")
    return blurred


def _voxels_of(image: Any) -> Any:
    """The values of a layer in the precision that they are blurred in."""
    if getattr(image, "rgb", False):
        raise ValueError(f"blur: layer {image.name} has colours as its last axis; split its "
                         "channels")
    data = np.asarray(image.data[0] if getattr(image, "multiscale", False) else image.data)
    return data.astype(np.float64 if data.dtype == np.float64 else np.float32, copy=False)


def _pitch_nm(image: Any) -> tuple[float, float, float]:
    """Distances (z, y, x) of a layer's voxels; 0 if it gives none."""
    scale = [float(step) for step in image.scale][-3:]
    units = [str(unit) for unit in getattr(image, "units", ())][-3:] or ["pixel"] * len(scale)
    if set(scale) == {1.0} and set(units) == {"pixel"}:
        return 0, 0, 0
    steps = [step * _NM.get(unit, 1e3) for step, unit in zip(scale, units)]
    return tuple([steps[-1]] * (3 - len(steps)) + steps)


def _like(image: Any, voxels: Any, blur: str) -> LayerData:
    """A layer of new voxels, shown as `image` is. One of the same name is replaced by it."""
    shown = {name: getattr(image, name) for name in ("scale", "translate", "units", "blending")
             if hasattr(image, name)}
    return voxels, {"name": f"{image.name} ({blur})", **shown}, "image"


def _beside_the_window(work: Any, *arguments: Any) -> Any:
    """Returns a worker that starts after napari has connected its result to the window."""
    from napari.qt.threading import create_worker
    from qtpy.QtCore import QTimer
    worker = create_worker(work, *arguments, _progress={"desc": "Blurring"})
    QTimer.singleShot(0, worker.start)
    return worker
