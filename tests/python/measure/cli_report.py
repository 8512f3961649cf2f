# SPDX-License-Identifier: MIT
# tests/python/measure/cli_report.py — `report` shows a data set on one page that needs nothing
# else.
import base64
import html.parser
import json
import os
import re
import shutil

from program import TINY_SCENE, ProgramTest, main

VOID = {"meta", "img", "line", "rect", "circle", "polyline"}


class Page(html.parser.HTMLParser):
    """Checks that elements close in order; keeps what they refer to."""

    def __init__(self, text):
        super().__init__()
        self.open, self.sources, self.titles = [], [], []
        self.feed(text)
        self.close()

    def handle_starttag(self, tag, attributes):
        self.sources += [v for k, v in attributes if k in ("src", "href", "data")]
        if tag not in VOID:
            self.open.append(tag)

    def handle_endtag(self, tag):
        if tag not in VOID:
            assert self.open.pop() == tag, f"</{tag}> closes something else"

    def handle_data(self, data):
        if self.open and self.open[-1] == "h2":
            self.titles.append(data)


class Report(ProgramTest):
    def setUp(self):
        super().setUp()
        self.text("scene.toml", TINY_SCENE)

    def report(self, *options, folder="set"):
        words = ("report", folder, "-o", "report.html", "--json", "--overwrite", *options)
        figures = json.loads(self.succeed(*words))
        with open(self.path("report.html"), encoding="utf-8") as file:
            return file.read(), figures

    def test_is_one_whole_page(self):
        self.succeed("simulate", "scene.toml", "-o", "set", "--quiet")
        text, figures = self.report()
        page = Page(text)
        self.assertEqual(page.open, [])
        self.assertEqual(page.titles, ["Slices", "Maximum projections", "Point spread function",
                                       "Histogram of counts", "Photon transfer", "Objects",
                                       "Parameters"])
        self.assertEqual(len(page.sources), 3)
        for source in page.sources:
            self.assertTrue(source.startswith("data:image/png;base64,"), source[:40])
            png = base64.b64decode(source.split(",")[1], validate=True)
            self.assertEqual(png[:8], b"\x89PNG\r\n\x1a\n")
            self.assertEqual(png[-8:-4], b"IEND")
        self.assertNotIn("http", re.sub("data:[^']*", "", text))
        self.assertEqual(figures["objects"], 2)

    def test_finds_the_noise_that_the_camera_was_given(self):
        for kind in ("scmos", "ccd", "emccd"):
            self.succeed("simulate", "scene.toml", "-o", "set", "--quiet", "--overwrite",
                         "--set", f"camera.kind={kind}", "--set", "grid.size=[24,96,96]")
            _, figures = self.report()
            self.assertAlmostEqual(figures["variance_ratio"], 1, delta=0.03, msg=kind)

    def test_shows_every_layout_and_frame(self):
        for layout in ("native", "ctc", "stardist", "cellpose"):
            self.succeed("simulate", "scene.toml", "-o", layout, "--quiet", "--set", "frames=2",
                         "--truth-layout", layout)
            text, figures = self.report("--frame", "1", folder=layout)
            self.assertIn("Frame 2 of 2", text)
            self.assertEqual(figures["objects"], 2)
        self.succeed("simulate", "scene.toml", "-o", "h5", "--quiet", "--format", "hdf5",
                     "--set", "camera.binning=2")
        text, _ = self.report(folder="h5/")
        self.assertIn("12x24x20 voxels", text)
        self.assertIn("<h1>h5</h1>", text)

    def test_does_not_judge_noise_that_is_cut(self):
        self.succeed("simulate", "scene.toml", "-o", "set", "--quiet", "--set",
                     "grid.size=[24,96,96]", "--set", "camera.offset_dn=0", "--set",
                     "camera.offset_spread_dn=0")
        _, figures = self.report()
        if figures["variance_ratio"] is not None:
            self.assertAlmostEqual(figures["variance_ratio"], 1, delta=0.03)

    def test_refuses_a_set_that_is_not_of_one_piece(self):
        self.succeed("simulate", "scene.toml", "-o", "set", "--quiet")
        image = self.path("set/image.ome.tif")
        os.replace(image, self.path("kept.tif"))
        shutil.copy(self.path("set/photons.ome.tif"), image)
        result = self.command("report", "set", "-o", "a.html")
        self.assertEqual(result.returncode, 3, result.stderr)
        self.assertIn("holds float32 voxels instead of uint16", result.stderr)
        os.replace(self.path("kept.tif"), image)
        with open(self.path("set/scene.json"), encoding="utf-8") as file:
            good = file.read()
        for key, value in (("frames", '"two"'), ("frames", "-3"), ("bit_depth", "-5"),
                           ("ending", '"/../../x.tif"'), ("layout", "3"), ("version", "1")):
            bad = re.sub(f'"{key}": [^,\n]*', f'"{key}": {value}', good, count=1)
            self.assertNotEqual(bad, good)
            self.text("set/scene.json", bad)
            result = self.command("report", "set", "-o", "a.html")
            self.assertEqual(result.returncode, 3, (key, value, result.stderr))
            self.assertIn("not a record of a simulation", result.stderr)

    def test_says_what_is_wrong(self):
        self.succeed("simulate", "scene.toml", "-o", "set", "--quiet")
        os.makedirs(self.path("empty"))
        for words, code, message in (
                (("report", "empty", "-o", "a.html"), 3, "it holds no scene.json"),
                (("report", "set", "-o", "a.html", "--frame", "1"), 2, "there is no frame 1"),
                (("report", "set", "-o", "scene.toml"), 2, "scene.toml")):
            result = self.command(*words)
            self.assertEqual(result.returncode, code, result.stderr)
            self.assertIn(message, result.stderr)
        self.assertEqual(self.listing(), ["empty", "scene.toml", "set"])


if __name__ == "__main__":
    main()
