# SPDX-License-Identifier: MIT
# tests/python/api/package_napari.py — the plug-in for napari, called without it.
"""Usage: package_napari.py FOLDER, which holds the package synthoscope. The manifest needs npe2."""
import importlib.util
import inspect
import os
import subprocess
import sys
import types
import unittest

from package import FOLDER, or_skipped

with or_skipped():
    import numpy as np
    from synthoscope import Scene, _napari

MANIFEST = os.path.join(os.path.dirname(_napari.__file__), "napari.yaml")
UM = ("micrometer",) * 3
WATER = {"model": "gibson-lanni", "na": 1.0, "immersion_index": 1.333, "sample_index": 1.333,
         "coverslip_um": 0}


def layer(data, scale=None, units=None, **more):
    """What a blur looks at of a layer of napari."""
    return types.SimpleNamespace(data=data, name="seen", scale=scale or (1.0,) * data.ndim,
                                 units=units or ("pixel",) * data.ndim, **more)


def point(shape, at, dtype=np.float32):
    image = np.zeros(shape, dtype)
    image[at] = 100
    return image


class Samples(unittest.TestCase):
    def test_are_images_with_the_labels_of_what_is_in_them(self):
        for make, names in ((_napari.nuclei, ["image", "labels"]),
                            (_napari.cells, ["nuclei", "mitochondria", "labels"])):
            layers = make()
            self.assertEqual([shown["name"] for _, shown, _ in layers], names)
            self.assertEqual({kind for _, _, kind in layers[:-1]}, {"image"})
            self.assertEqual(layers[-1][2], "labels")
            labels = layers[-1][0]
            for voxels, shown, _ in layers[:-1]:
                self.assertEqual(voxels.shape, labels.shape)
                self.assertEqual(shown["scale"], layers[-1][1]["scale"])
                self.assertGreater(voxels[labels > 0].mean(), 1.05 * voxels[labels == 0].mean())
        self.assertEqual(len(np.unique(_napari.nuclei()[1][0])) - 1, 8)


class Blurs(unittest.TestCase):
    def test_by_a_gaussian_of_its_width(self):
        voxels, shown, kind = _napari.gaussian_layer(layer(point((21, 31, 33), (10, 15, 16))), 1, 2)
        self.assertEqual((shown["name"], kind), ("seen (Gaussian)", "image"))
        self.assertEqual(voxels.dtype, np.float32)
        for axis, sigma in enumerate((1, 2, 2)):
            line = voxels.sum(tuple({0, 1, 2} - {axis}))
            at = np.arange(line.size)
            spread = (line * (at - (line * at).sum() / 100) ** 2).sum() / 100
            self.assertAlmostEqual(spread, sigma ** 2, delta=0.01 * sigma ** 2)

    def test_by_the_point_spread_function_of_a_microscope(self):
        image = point((17, 33, 35), (8, 16, 17))
        voxels, shown, _ = _napari.microscope_layer(
            layer(image, (0.25, 0.1, 0.1), UM), WATER, (0, 0), True)
        scene = Scene.from_dict({"grid": {"size": [17, 33, 35], "pitch_nm": [250, 100, 100]},
                                 "optics": WATER})
        psf = scene.psf()
        self.assertEqual(shown["name"], "seen (gibson-lanni)")
        peak = psf.array[psf.center] / psf.array.sum()
        self.assertAlmostEqual(voxels[8, 16, 17] / 100, peak, delta=0.2 * peak)  # mirrored light
        self.assertEqual(np.unravel_index(voxels.argmax(), voxels.shape), (8, 16, 17))

    def test_each_plane_alone_where_there_is_no_z(self):
        film = np.stack([point((40, 42), (20, 21)), np.zeros((40, 42), np.float32)])
        seen = layer(film, (1, 0.1, 0.1), ("pixel", *UM[:2]))
        for voxels in (_napari.microscope_layer(seen, WATER, (0, 0), False)[0],
                       _napari.gaussian_layer(seen, 0, 2)[0]):
            self.assertAlmostEqual(voxels[0].sum(), 100, places=2)
            self.assertLess(voxels[0].max(), 50)
            self.assertLess(np.abs(voxels[1]).max(), 1e-4)

    def test_keep_the_mean_of_images_that_go_on_mirrored(self):
        for shape in ((20, 24, 26), (2, 30, 31), (2, 2, 9, 20, 22), (40, 42)):
            image = np.random.default_rng(1).random(shape)
            for made in (_napari.microscope_layer(layer(image), WATER, (300, 100), True),
                         _napari.gaussian_layer(layer(image), 1, 2)):
                self.assertEqual((made[0].shape, made[0].dtype), (shape, image.dtype))
                self.assertAlmostEqual(made[0].mean(), image.mean(), places=12)
                self.assertLess(made[0].std(), 0.5 * image.std())

    def test_of_planes_colours_and_many_scales(self):
        plane = point((30, 31), (15, 16))
        self.assertEqual(_napari.gaussian_layer(layer(plane), 5, 1)[0].shape, (30, 31))
        pyramid = layer(plane, multiscale=True)
        pyramid.data = [plane, plane[::2, ::2]]
        self.assertEqual(_napari.gaussian_layer(pyramid, 0, 1)[0].shape, (30, 31))
        self.assertEqual(_napari.microscope_layer(layer(plane), WATER, (0, 100), True)[0].ndim, 2)
        with self.assertRaisesRegex(ValueError, "seen has colours"):
            _napari.gaussian_layer(layer(plane, rgb=True), 0, 1)
        with self.assertRaisesRegex(ValueError, "seen does not give the distance"):
            _napari.microscope_layer(layer(plane), WATER, (0, 0), True)


class Manifest(unittest.TestCase):
    def setUp(self):
        if importlib.util.find_spec("npe2") is None:
            self.skipTest("no module npe2")
        from npe2 import PluginManifest
        self.manifest = PluginManifest.from_file(MANIFEST)

    def test_is_valid_and_names_functions_that_are_there(self):
        self.manifest.validate_imports()
        given = self.manifest.contributions
        commands = {command.id: command.python_name for command in given.commands}
        self.assertEqual(self.manifest.name, "synthoscope")
        self.assertEqual(len(given.sample_data), 2)
        for row in [*given.sample_data, *given.widgets]:
            module, name = commands[row.command].split(":")
            self.assertEqual(module, "synthoscope._napari")
            self.assertTrue(callable(getattr(_napari, name)), name)

    def test_of_widgets_whose_arguments_have_types_and_defaults(self):
        for row in self.manifest.contributions.widgets:
            function = getattr(_napari, row.command.split(".")[1])
            image, *others = inspect.signature(function).parameters.values()
            self.assertEqual(image.annotation, "napari.layers.Image")
            for parameter in others:
                self.assertNotIsInstance(parameter.annotation, str, parameter.name)
                self.assertIsNot(parameter.default, inspect.Parameter.empty)


class Plugin(unittest.TestCase):
    def test_does_not_import_napari_before_it_is_used(self):
        without = ("import sys; sys.modules['napari'] = None; from synthoscope import _napari; "
                   "assert _napari.nuclei()")
        ran = subprocess.run([sys.executable, "-c", without], capture_output=True, text=True,
                             env=dict(os.environ, PYTHONPATH=FOLDER), check=False)
        self.assertEqual(ran.returncode, 0, ran.stderr)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
