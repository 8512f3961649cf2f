# SPDX-License-Identifier: MIT
# tests/python/api/package_scene.py — scenes from Python: read, changed, written and refused.
"""Usage: package_scene.py FOLDER PROGRAM; FOLDER holds the package synthoscope."""
import glob
import os
import pickle
import subprocess
import sys
import tempfile
import unittest
import warnings

from package import or_skipped

with or_skipped():
    import numpy as np
    import tifffile
    from synthoscope import Camera, Scene, simulate

PROGRAM = sys.argv[2]
EXAMPLES = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "..", "examples")

TINY = {"seed": 5, "grid": {"size": [8, 32, 36], "pitch_nm": [400, 200, 200]},
        "nuclei": {"count": 2, "radius_um": 1.1, "gap_um": 0.1},
        "optics": {"na": 0.8, "immersion_index": 1.33, "size": [5, 9, 9]}}
CHANNELS = [{"name": "red", "optics": {"wavelength_nm": 610}, "light": {"nuclei": 1}},
            {"name": "green", "light": {"nuclei": 0.5}, "camera": {"kind": "emccd"}}]


def scene_of(more):
    return Scene.from_dict({**TINY, **more})


class InFolder(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = folder.name

    def path(self, name):
        return os.path.join(self.folder, name)

    def file_of(self, text):
        with open(self.path("scene.toml"), "w", encoding="utf-8") as file:
            file.write(text)
        return file.name


class Scenes(InFolder):
    def test_survive_being_written(self):
        for path in sorted(glob.glob(os.path.join(EXAMPLES, "*.toml"))):
            with self.subTest(scene=os.path.basename(path)), warnings.catch_warnings():
                warnings.simplefilter("ignore")
                scene = Scene.from_toml(path)
                self.assertEqual(Scene.from_dict(scene.to_dict()).to_dict(), scene.to_dict())
                self.assertEqual(Scene.from_toml(scene.to_toml()), scene)
                self.assertEqual(pickle.loads(pickle.dumps(scene)), scene)
                self.assertEqual(eval(repr(scene)).to_dict(), scene.to_dict())

    def test_are_written_with_keys_that_their_kind_would_set_otherwise(self):
        for keys in ({"camera": {"kind": "ccd", "bit_depth": 16}},
                     {"nuclei": {"kind": "hl60", "radius_um": 3}}):
            scene = Scene.from_dict(keys)
            self.assertEqual(eval(repr(scene)).to_dict(), scene.to_dict())

    def test_change_as_by_the_option_of_the_program(self):
        scene = scene_of({"channel": CHANNELS})
        for words, keys, tables in (
                (["optics.na=1.1", "seed=9"], {"optics.na": 1.1}, {"seed": 9}),
                (["camera.kind=emccd"], {"camera.kind": "emccd"}, {}),
                (["camera.kind=ccd", "camera.binning=2"], {},
                 {"camera": {"kind": "ccd", "binning": 2}}),
                (["grid.size=8,16,16"], {"grid.size": np.array([8, 16, 16])}, {}),
                (["channel.green.light.nuclei=2"], {"channel.green.light.nuclei": 2}, {}),
                (["optics.zernike=5:0.1"], {"optics.zernike": "5:0.1"}, {})):
            with self.subTest(changes=words):
                options = [word for one in words for word in ("--set", one)]
                file = self.file_of(scene.to_toml())
                theirs = subprocess.run([PROGRAM, "simulate", file, "--print-config", *options],
                                        capture_output=True, text=True, check=True).stdout
                ours = Scene.from_toml(file).with_(keys, **tables)
                self.assertEqual(ours.to_toml().strip(), theirs.strip())

    def test_tell_their_keys(self):
        scene = scene_of({"channel": CHANNELS})
        self.assertEqual(scene["optics.na"], 0.8)
        self.assertEqual(scene["grid"]["size"], [8, 32, 36])
        self.assertEqual((scene.shape, scene.spacing_um), ((8, 32, 36), (0.4, 0.2, 0.2)))
        self.assertEqual((scene.seed, scene.frames, scene.channels), (5, 1, ("red", "green")))
        self.assertRaises(KeyError, lambda: scene["optics.naa"])
        self.assertIn("'na': 0.8", repr(scene))
        self.assertNotIn("exposure_seconds", repr(scene))

    def test_find_files_beside_the_file_that_names_them(self):
        tifffile.imwrite(self.path("offset.tif"), np.full((32, 36), 40, np.float32))
        text = scene_of({}).to_toml().replace("[camera]\n", '[camera]\noffset_map = "offset.tif"\n')
        scene = Scene.from_toml(self.file_of(text))
        self.assertEqual(scene["camera.offset_map"], self.path("offset.tif"))
        self.assertLess(abs(np.median(simulate(scene).image) - 40), 15)

    def test_of_sweeps_say_that_they_are_one_set(self):
        sweep = self.file_of("[sweep]\noptics.na = [0.8, 1.0]\n")
        with self.assertWarnsRegex(UserWarning, r"\[sweep\] is ignored"):
            Scene.from_toml(sweep)

    def test_are_refused_in_a_sentence(self):
        scene = scene_of({})
        for says, error, call in (
                ("did you mean na", ValueError, lambda: scene.with_({"optics.naa": 1})),
                (r"\[optics\]", ValueError, lambda: Scene.from_dict({"optic": {"na": 1}})),
                ("read the dictionary: optics.na", ValueError,
                 lambda: Scene.from_dict({"optics": {"na": "much"}})),
                ("channel is {'name': 'red'}; give a list", ValueError,
                 lambda: Scene.from_dict({"channel": {"name": "red"}})),
                (r"channel is \['x'\]; give a list", ValueError,
                 lambda: Scene.from_dict({"channel": ["x"]})),
                ("channel is 3; give a list", ValueError, lambda: Scene.from_dict({"channel": 3})),
                ("seed is None; give a value", ValueError, lambda: scene.with_(seed=None)),
                ("camera.binning is None; give a value", ValueError,
                 lambda: scene.with_(camera={"binning": None})),
                ("na=1/scene.toml' is the name of a file, give it as a pathlib.Path", ValueError,
                 lambda: Scene.from_toml("runs/na=1/scene.toml")),
                ("is the name of a file, give it as a pathlib.Path", ValueError,
                 lambda: Camera.from_toml("runs/gain=1/camera.toml")),
                ("line 2", ValueError, lambda: Scene.from_toml("seed = 1\n[optics\n")),
                ("no such file", OSError, lambda: Scene.from_toml(self.path("none.toml"))),
                ("cannot be None|cannot be <", ValueError,
                 lambda: scene.with_({"optics.na": object()})),
                ("3 is not a dictionary of keys", ValueError, lambda: simulate(3)),
                ("size is .* give three whole numbers", ValueError,
                 lambda: Scene.from_dict({"grid": {"size": [16, 64]}})),
                ("workers is 1.5; give a whole number", TypeError,
                 lambda: simulate(scene, workers=1.5)),
        ):
            with self.subTest(says=says):
                self.assertRaisesRegex(error, says, call)
        self.assertEqual(os.listdir(self.folder), [])


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
