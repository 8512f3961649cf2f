# SPDX-License-Identifier: MIT
# docs/images/napari_window.py — the picture of docs/do/napari.md, a window with the plug-in.
"""Usage: napari_window.py, with napari and synthoscope installed and a screen, such as Xvfb's."""
import os
import sys
import time

import napari
from PIL import Image
from qtpy.QtWidgets import QApplication

PICTURE = os.path.join(os.path.dirname(os.path.abspath(__file__)), "napari.png")


def wait_for(layers, count, seconds=60):
    end = time.monotonic() + seconds
    while len(layers) < count:
        if time.monotonic() > end:
            sys.exit(f"{len(layers)} of {count} layers came within {seconds} s")
        QApplication.processEvents()
        time.sleep(0.02)


def main():
    viewer = napari.Viewer()
    viewer.open_sample("synthoscope", "nuclei")
    _, blur = viewer.window.add_plugin_dock_widget("synthoscope", "Blur by a microscope")
    blur.image.value = viewer.layers["image"]
    blur.na.value = 0.5
    blur()
    wait_for(viewer.layers, 3)
    viewer.layers.move(viewer.layers.index(viewer.layers["labels"]), 3)
    viewer.layers["labels"].contour = 2
    viewer.layers["labels"].opacity = 1
    grid = viewer.canvas.grid
    grid.enabled, grid.shape, grid.stride = True, (1, 2), -1
    viewer.window._qt_window.resize(1200, 560)
    viewer.dims.set_point(0, 6.0)
    for _ in range(40):
        QApplication.processEvents()
        time.sleep(0.05)
    viewer.reset_view()
    window = Image.fromarray(viewer.screenshot(canvas_only=False)).convert("RGB")
    window.quantize(128).save(PICTURE, optimize=True)
    viewer.close()


if __name__ == "__main__":
    main()
