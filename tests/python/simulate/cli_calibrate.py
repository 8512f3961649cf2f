# SPDX-License-Identifier: MIT
# tests/python/simulate/cli_calibrate.py — `calibrate` gives back the camera that `detect` recorded
# with.
import os

import numpy
import tifffile

from program import ProgramTest, main

CAMERA = """kind = "scmos"
gain_dn_per_electron = 2.2
read_noise_electrons = 1.4
offset_dn = 120
dark_current_electrons_per_second = 0
"""
LEVELS = (0, 200, 2000, 12000)


class Calibrate(ProgramTest):
    def setUp(self):
        super().setUp()
        self.text("mine.toml", CAMERA)
        for level in LEVELS:
            self.write(f"light{level}.tif", numpy.full((24, 160, 160), level, "f4"))
            self.succeed("detect", f"light{level}.tif", "-o", f"frames{level}.tif", "--camera",
                         "mine.toml", "--seed", "7", "--exposure", str(level))

    def calibrate(self, *options):
        return ("calibrate", "--darks", "frames0.tif", "--flats",
                *(f"frames{level}.tif" for level in LEVELS[1:]), *options)

    def test_gives_back_gain_read_noise_and_offset(self):
        said = self.result_of(*self.calibrate("-o", "camera.toml"))
        self.assertLess(abs(said["gain_dn_per_electron"]["value"] / 2.2 - 1), 0.01)
        self.assertLess(abs(said["read_noise_electrons"]["value"] / 1.4 - 1), 0.01)
        self.assertLess(abs(said["offset_dn"]["value"] / 120 - 1), 0.01)
        self.assertEqual(len(said["levels"]), 4)
        self.assertEqual(said["warnings"], [])

    def test_maps_are_those_that_detect_writes_and_reads(self):
        os.makedirs(self.path("out"))
        self.succeed(*self.calibrate("-o", "out/camera.toml", "--maps", "out/maps", "--report",
                                     "line.html"))
        self.succeed("detect", "light200.tif", "-o", "again.tif", "--camera", "mine.toml",
                     "--seed", "7", "--maps", "real")
        # By chance 0.954, 0.98 and 0.7: 24 frames of noise 3.1 DN over a spread of 2 DN, of shot
        # noise of 1 % over a spread of 1 %, and 12 pairs that tell noise to 20 %, its spread
        for name, least in (("offset", 0.94), ("gain", 0.96), ("read_noise", 0.6)):
            found = tifffile.imread(self.path(f"out/maps/{name}.tif")).ravel()
            real = tifffile.imread(self.path(f"real/{name}.tif")).ravel()
            self.assertGreater(numpy.corrcoef(found, real)[0, 1], least, name)
        # The camera names its maps from its own folder
        self.succeed("detect", "light200.tif", "-o", "like.tif", "--camera", "out/camera.toml",
                     "--seed", "3")
        like, mine = (tifffile.imread(self.path(name)) for name in ("like.tif", "frames200.tif"))
        self.assertLess(abs(like.mean() / mine.mean() - 1), 0.005)
        self.assertLess(abs(like.std() / mine.std() - 1), 0.02)
        with open(self.path("line.html"), encoding="utf-8") as file:
            self.assertIn("<svg", file.read())

    def test_frames_may_lie_along_time(self):
        for level in LEVELS:
            frames = tifffile.imread(self.path(f"frames{level}.tif"))
            tifffile.imwrite(self.path(f"time{level}.tif"), frames[:, None], imagej=True,
                             metadata={"axes": "TZYX"})
        files = [f"time{level}.tif" for level in LEVELS[1:]]
        by_time = self.result_of("calibrate", "--darks", "time0.tif", "--flats", *files, "-o",
                                 "time.toml")
        by_z = self.result_of(*self.calibrate("-o", "z.toml"))
        self.assertEqual(by_time["gain_dn_per_electron"], by_z["gain_dn_per_electron"])

    def test_never_writes_over_its_frames(self):
        os.makedirs(self.path("maps"))
        os.link(self.path("frames200.tif"), self.path("maps/gain.tif"))
        with open(self.path("frames0.tif"), "rb") as file:
            frames = file.read()
        for options, words in (
                (("-o", "frames0.tif"), "frames0.tif itself"),
                (("-o", "c.toml", "--report", "frames12000.tif"), "frames12000.tif itself"),
                (("-o", "c.toml", "--maps", "maps"), "it is the flat frames200.tif itself"),
                (("-o", "c.toml", "--report", "./c.toml"), "c.toml would be in the same file"),
                (("-o", "new/gain.tif", "--maps", "new"), "would be in the same file")):
            with self.subTest(" ".join(options)):
                result = self.command(*self.calibrate(*options, "--overwrite"))
                self.assertEqual(result.returncode, 2, result.stderr)
                self.assertIn(words, result.stderr)
        with open(self.path("frames0.tif"), "rb") as file:
            self.assertEqual(file.read(), frames)
        self.assertNotIn("c.toml", self.listing())

    def test_detect_never_writes_over_what_it_reads(self):
        self.succeed("detect", "light200.tif", "-o", "a.tif", "--camera", "mine.toml", "--maps",
                     "maps")
        self.text("maps/mapped.toml", 'gain_map = "gain.tif"\n')
        os.makedirs(self.path("light"))
        os.symlink(self.path("light200.tif"), self.path("light/offset.tif"))
        for options, words in (
                (("-o", "light200.tif", "--camera", "mine.toml"), "light200.tif itself"),
                (("-o", "maps/gain.tif", "--camera", "maps/mapped.toml"), "gain.tif itself"),
                (("-o", "b.tif", "--camera", "maps/mapped.toml", "--maps", "maps"),
                 "gain.tif itself"),
                (("-o", "b.tif", "--camera", "mine.toml", "--maps", "light"),
                 "light200.tif itself"),
                (("-o", "maps/gain.tif", "--camera", "mine.toml", "--maps", "maps"),
                 "would be in the same file"),
                (("-o", "mine.toml", "--format", "tiff", "--camera", "mine.toml"),
                 "mine.toml itself")):
            with self.subTest(" ".join(options)):
                before = self.files(".")
                result = self.command("detect", "light200.tif", *options, "--overwrite")
                self.assertEqual(result.returncode, 2, result.stderr)
                self.assertIn(words, result.stderr)
                self.assertEqual(self.files("."), before)

    def test_a_failed_run_leaves_no_maps(self):
        self.succeed("filter", "light200.tif", "--gaussian", "1", "-o", "packed.tif",
                     "--compression", "deflate")
        with open(self.path("packed.tif"), "r+b") as file:
            size = file.seek(0, os.SEEK_END)
            file.seek(size // 2)
            file.write(b"\0" * (size // 4))
        os.makedirs(self.path("there"))
        self.text("there/gain.tif", "an older map")
        before = self.files(".")
        for maps in ("maps", "new/maps", "there"):
            with self.subTest(maps):
                result = self.command("detect", "packed.tif", "-o", "a.tif", "--camera",
                                      "mine.toml", "--maps", maps, "--overwrite")
                self.assertEqual(result.returncode, 3, result.stderr)
                self.assertEqual(self.files("."), before)
                self.assertNotIn("new", self.listing())

    def test_refuses_with_a_sentence(self):
        self.write("one.tif", numpy.zeros((1, 160, 160), "u2"))
        for options, code, words in (
                (("--darks", "one.tif", "--flats", "frames200.tif"), 3, "has 1 frame"),
                (("--darks", "frames0.tif", "--flats", "frames0.tif"), 3, "no flat is noticeably"),
                (("--darks", "frames0.tif", "--flats", "frames200.tif", "--kind", "emccd"), 2,
                 "--em-gain"),
                (("--darks", "frames0.tif", "--flats", "none.tif"), 4, "none.tif"),
                (("--darks", "frames0.tif", "--flats", "frames200.tif", "--dark-exposures",
                  "1,2"), 2, "2 values for 1 stacks")):
            with self.subTest(words):
                result = self.command("calibrate", *options, "-o", "no.toml")
                self.assertEqual(result.returncode, code, result.stderr)
                self.assertIn(words, result.stderr)
        self.assertNotIn("no.toml", self.listing())


if __name__ == "__main__":
    main()
