# SPDX-License-Identifier: MIT
# tests/python/simulate/cli_kept_sets.py — --resume keeps what would be made again as it is, nothing
# else.
import json
import os

import numpy

from program import ProgramTest, main

SCENE = """seed = 7
[grid]
size = [4, 10, 64]  # long and thin: previews take time where there is much to paint
pitch_nm = [300, 150, 150]
[nuclei]
count = 1
radius_um = 0.4
gap_um = 0
[illumination]
flat_field = "flat.tif"
[camera]
kind = "ccd"
offset_map = "offset.tif"
[optics]
model = "file"
file = "psf.tif"
file_pitch_nm = [300, 150, 150]
size = [3, 5, 5]
"""
SWEEP = """[sweep]
camera.exposure_seconds = [0.1, 0.2]
"""
SETS = ["exposure_seconds-0.1", "exposure_seconds-0.2"]
FIELD = (10, 64)


class SetsWithInputs(ProgramTest):
    def setUp(self):
        super().setUp()
        self.text("scene.toml", SCENE + SWEEP)
        self.write("flat.tif", numpy.ones(FIELD, "float32"))
        self.write("offset.tif", numpy.full(FIELD, 50, "float32"))
        z, y, x = numpy.indices((3, 5, 5)) - numpy.array([1, 2, 2]).reshape(3, 1, 1, 1)
        self.psf = numpy.exp(-(z * z + y * y + x * x)).astype("float32")
        self.write("psf.tif", self.psf)

    def simulate(self, *options):
        return self.result_of("simulate", "scene.toml", "-o", "out", "--quiet", *options)

    def refused(self, said, *options, code=2):
        result = self.command("simulate", "scene.toml", "-o", "out", *options)
        self.assertEqual(result.returncode, code, result.stderr)
        self.assertIn(said, result.stderr)

    def made_and_kept(self, *options):
        result = self.simulate(*options)
        return result["made"], result["kept"]


class KeptSets(SetsWithInputs):
    def test_are_all_where_nothing_changed(self):
        self.simulate()
        before = self.files("out")
        self.assertEqual(self.made_and_kept("--resume"), (0, 2))
        self.assertEqual(self.files("out"), before)
        with open(self.path(f"out/{SETS[0]}/scene.json"), encoding="utf-8") as file:
            record = json.load(file)
        self.assertEqual(set(record["inputs"]),
                         {"illumination.flat_field", "camera.offset_map", "optics.file"})
        self.assertEqual(record["inputs"]["optics.file"][0]["bytes"],
                         os.path.getsize(self.path("psf.tif")))
        sizes = {name.removeprefix(SETS[0] + "/"): len(content)
                 for name, content in before.items() if name.startswith(SETS[0])}
        del sizes["scene.json"]
        self.assertEqual(record["files"]["bytes"], sizes)

    def test_are_none_of_another_tiff_flavour(self):
        self.simulate("--tiff-flavor", "imagej")
        self.refused('files.flavor was "imagej" and is "plain" now', "--resume", "--tiff-flavor",
                     "plain")
        self.assertEqual(
            self.made_and_kept("--resume", "--tiff-flavor", "plain", "--overwrite"), (2, 0))

    def test_are_none_of_inputs_that_changed(self):
        changed = {"illumination.flat_field": ("flat.tif", numpy.full(FIELD, 0.5, "float32")),
                   "camera.offset_map": ("offset.tif", numpy.full(FIELD, 60, "float32")),
                   "optics.file": ("psf.tif", self.psf * self.psf)}
        self.simulate()
        for key, (name, voxels) in changed.items():
            with self.subTest(key):
                size = os.path.getsize(self.path(name))
                self.write(name, voxels)
                self.assertEqual(os.path.getsize(self.path(name)), size)
                self.refused(f"{key} was another file", "--resume")
                self.assertEqual(self.made_and_kept("--resume", "--overwrite"), (2, 0))

    def test_are_none_whose_files_lost_bytes(self):
        self.simulate()
        before = self.files("out")
        for name in ("photons.ome.tif", "objects.csv", "world.h5", "psf.ome.tif"):
            with self.subTest(name):
                path = self.path(f"out/{SETS[1]}/{name}")
                whole = os.path.getsize(path)
                os.truncate(path, whole - 1)
                self.refused(f"{SETS[1]} is not what would be made now: its {name} has "
                             f"{whole - 1} bytes, and {whole} were written", "--resume")
                self.assertEqual(self.made_and_kept("--resume", "--overwrite"), (1, 1))
                self.assertEqual(self.files("out"), before)
        os.remove(self.path(f"out/{SETS[1]}/image.ome.tif"))
        self.refused("its image.ome.tif is missing", "--resume")

    def test_are_none_whose_files_hold_other_bytes(self):
        self.simulate()
        before = self.files("out")
        for name in ("photons.ome.tif", "objects.csv", "world.h5"):
            with self.subTest(name):
                path = self.path(f"out/{SETS[1]}/{name}")
                with open(path, "r+b") as file:
                    file.seek(-1, os.SEEK_END)
                    byte = file.read(1)
                    file.seek(-1, os.SEEK_END)
                    file.write(bytes([byte[0] ^ 1]))
                self.refused(f"{SETS[1]} is not what would be made now: its {name} is not what "
                             "was written", "--resume")
                self.assertEqual(self.made_and_kept("--resume", "--overwrite"), (1, 1))
                self.assertEqual(self.files("out"), before)

    def test_say_in_which_value_they_differ(self):
        self.simulate()
        self.refused("scene.nuclei.count was 1 and is 2 now", "--resume", "--set",
                     "nuclei.count=2")

    def test_of_a_single_scene_are_judged_so_too(self):
        self.text("scene.toml", SCENE)
        self.simulate()
        self.assertTrue(self.simulate("--resume")["kept"])
        self.write("flat.tif", numpy.full(FIELD, 0.5, "float32"))
        self.refused("illumination.flat_field was another file", "--resume")
        self.simulate("--resume", "--overwrite")
        os.truncate(self.path("out/preview.png"), 10)
        self.refused("its preview.png has 10 bytes", "--resume")


class SingleDataSet(ProgramTest):
    """A scene whose seed is drawn."""

    def setUp(self):
        super().setUp()
        scene = SCENE.replace("seed = 7\n", "").replace('flat_field = "flat.tif"\n', "")
        self.text("scene.toml", scene[:scene.index("[camera]")])

    def simulate(self, *options):
        return self.result_of("simulate", "scene.toml", "-o", "out", "--quiet", *options)

    def test_is_kept_by_resume_when_it_is_whole(self):
        drawn = self.simulate()["seed"]
        made = os.stat(self.path("out")).st_mtime_ns
        again = self.simulate("--resume")
        self.assertEqual((again["seed"], again["kept"]), (drawn, True))
        self.assertEqual(os.stat(self.path("out")).st_mtime_ns, made)
        other = self.command("simulate", "scene.toml", "-o", "out", "--resume", "--seed", 3)
        self.assertEqual(other.returncode, 2)
        self.assertIn(f"scene.seed was {drawn} and is 3 now", other.stderr)

    def test_is_made_again_from_the_seed_that_was_drawn_only_by_resume(self):
        drawn = self.simulate()["seed"]
        before = self.files("out")
        os.truncate(self.path("out/photons.ome.tif"), 100)
        run = ("simulate", "scene.toml", "-o", "out", "--resume", "--overwrite",
               "--verbose")
        again = self.command(*run)
        self.assertEqual(again.returncode, 0, again.stderr)
        self.assertIn(f"uses the seed {drawn} that out/scene.json records", again.stderr)
        self.assertEqual(self.files("out"), before)
        other = self.simulate("--resume", "--overwrite", "--set", "nuclei.count=2")
        self.assertEqual(other["seed"], drawn)
        self.assertNotEqual(self.simulate("--overwrite")["seed"], drawn)
        given = self.command(*run, "--seed", 3)
        self.assertNotIn("uses the seed", given.stderr)


class Inputs(SetsWithInputs):
    def test_that_do_not_serve_are_told_before_any_set_is_made(self):
        sweep = '[sweep]\n{key} = ["{good}", "{bad}"]\n'
        self.write("small.tif", numpy.ones((4, 4), "float32"))
        self.write("dark.tif", numpy.full(FIELD, -1, "float32"))
        cases = (("illumination.flat_field", "flat.tif", "none.tif", 4, "none.tif"),
                 ("illumination.flat_field", "flat.tif", "small.tif", 3, "1x10x64"),
                 ("camera.offset_map", "offset.tif", "none.tif", 4, "none.tif"),
                 ("camera.offset_map", "offset.tif", "dark.tif", 3, "pixel (0, 0) is -1"),
                 ("optics.file", "psf.tif", "none.tif", 4, "none.tif"))
        for key, good, bad, code, said in cases:
            self.text("scene.toml", SCENE + sweep.format(key=key, good=good, bad=bad))
            for options in ([], ["--dry-run"]):
                with self.subTest(key, bad=bad, options=options):
                    self.refused(said, *options, code=code)
                    self.refused(f"-{bad}: ", *options, code=code)
                    self.assertNotIn("out", self.listing())

    def test_of_a_single_scene_are_looked_at_by_a_dry_run(self):
        self.text("scene.toml", SCENE)
        self.succeed("simulate", "scene.toml", "--dry-run")
        os.remove(self.path("offset.tif"))
        self.refused("offset.tif", "--dry-run", code=4)
        self.assertNotIn("out", self.listing())


if __name__ == "__main__":
    main()
