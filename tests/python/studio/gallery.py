# SPDX-License-Identifier: MIT
# tests/python/studio/gallery.py — the gallery of the site in a real browser, beside a server of
# plain files: stored stacks are those of the program, and the viewer of the studio shows them.
import functools
import http.server
import json
import os
import pathlib
import sys
import tempfile
import threading
import unittest

SKIPPED = 77
SOURCE = pathlib.Path(__file__).resolve().parents[3]
sys.path.insert(0, str(SOURCE / "docs" / "gallery"))

try:
    import numpy
    from browser import MISSING, Browser
except ImportError as missing:
    print(f"skipped: {missing}")
    sys.exit(SKIPPED)

PROGRAM = os.path.abspath(sys.argv[1])
EXAMPLES = ["benchmark", "two_colours"]
STRIDE = 13  # of the voxels that are compared: all take seconds to send


class Quiet(http.server.SimpleHTTPRequestHandler):
    def log_message(self, *_):
        pass


class Gallery(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.TemporaryDirectory()
        site = pathlib.Path(cls.folder.name)
        cls.data = site / "below" / "gallery" / "data"
        site_page.copy_page(site / "below")
        stacks.main(PROGRAM, cls.data, EXAMPLES)
        cls.server = http.server.ThreadingHTTPServer(
            ("127.0.0.1", 0), functools.partial(Quiet, directory=site))
        threading.Thread(target=cls.server.serve_forever, daemon=True).start()
        cls.address = f"http://127.0.0.1:{cls.server.server_address[1]}/below/gallery/"
        cls.browser = Browser()

    @classmethod
    def tearDownClass(cls):
        cls.browser.close()
        cls.server.shutdown()
        cls.server.server_close()
        cls.folder.cleanup()

    def setUp(self):
        self.open("")

    def tearDown(self):
        self.assertEqual(self.browser.errors(), [])

    def open(self, query, title="benchmark"):
        self.browser.open(self.address + query)
        self.wait_for(title)

    def wait_for(self, title):
        self.browser.wait(lambda: self.browser.text("#scene-name") == title, title)

    def test_shows_the_first_example_with_the_viewer_of_the_studio(self):
        shown = self.stored("benchmark")["plane"] + 1
        self.assertEqual(self.browser.text("#plane-bar output"), f"{shown} / 20")
        self.browser.slide("#plane", shown)
        self.browser.wait(
            lambda: self.browser.text("#plane-bar output") == f"{shown + 1} / 20", "a plane")
        for stack in ("labels", "light", "photons", "image"):
            self.browser.click(f"[data-value={stack}]")
            self.browser.wait(lambda: self.bright_pixels() > 500, stack)
        self.assertIn("20 × 128 × 128 of 24 × 128 × 128", self.browser.text("#inspector .region"))

    def stored(self, name):
        return json.loads((self.data / f"{name}.json").read_text("utf-8"))

    def bright_pixels(self):
        return self.browser.run(
            "const c = document.querySelector('#panes canvas');"
            "const copy = new OffscreenCanvas(c.width, c.height).getContext('2d');"
            "copy.drawImage(c, 0, 0);"
            "const d = copy.getImageData(0, 0, c.width, c.height).data;"
            "return d.reduce((sum, v, i) => sum + (i % 4 === 1 && v > 100 ? 1 : 0), 0)")

    def test_shows_the_example_that_the_address_names_and_goes_back(self):
        self.open("?example=two_colours", "two colours")
        self.assertEqual(self.browser.run(
            "return document.querySelector('[aria-current=true]').dataset.example"), "two_colours")
        self.assertEqual(self.browser.run(
            "return document.querySelectorAll('.channel').length"), 2)
        self.browser.click("[data-example=benchmark]")
        self.wait_for("benchmark")
        self.browser.run("history.back()")
        self.wait_for("two colours")

    def test_shows_the_text_of_the_scene_and_copies_it(self):
        self.browser.run("navigator.clipboard.writeText = async (t) => { window.copied = t; }")
        self.browser.click("#tab-scene")
        text = (SOURCE / "examples" / "benchmark.toml").read_text("utf-8")
        for button, copied in (
                ("toml", text),
                ("command", "synthoscope init benchmark\nsynthoscope studio benchmark.toml")):
            self.assertEqual(self.browser.text(f"#{button}"), copied)
            self.browser.click(f"#copy-{button}")
            self.assertEqual(self.browser.run("return window.copied"), copied)

    def test_says_which_file_is_missing(self):
        self.browser.open(self.address + "?example=none")
        self.browser.wait(lambda: "data/none" in self.browser.text("#status"), "a message")
        self.assertIn("404", " ".join(self.browser.errors()))

    def test_stored_voxels_are_those_of_the_program(self):
        stored = self.browser.run_module(
            "const { StoredPreviews } = await import('./stored_previews.js');"
            "const { region, stacks } = await new StoredPreviews('data').read('two_colours');"
            "return { region, stacks: stacks.map(({ name, data }) =>"
            f"[name, [...data.filter((_, i) => i % {STRIDE} === 0)]]) }};")
        self.assertIsInstance(stored, dict, stored)
        with previews.examples_in_a_studio(PROGRAM, ["two_colours"]) as (studio, (example,)):
            _, made = studio.preview(example["toml"], stored["region"])
        self.assertEqual(len(stored["stacks"]), len(made))
        for (name, found), expected in zip(stored["stacks"], made):
            if name == "psf":
                expected = stacks.middle_of(expected)
            largest = float(expected.max())
            some = expected.ravel()[::STRIDE].astype(float)
            with self.subTest(name):
                if name in ("labels", "image"):
                    numpy.testing.assert_array_equal(found, some)
                else:
                    # Half a step of the root
                    numpy.testing.assert_allclose(
                        numpy.sqrt(numpy.array(found) / largest), numpy.sqrt(some / largest),
                        rtol=0, atol=0.501 / stacks.LEVELS)

    def test_the_studio_serves_the_picture_of_every_example(self):
        with previews.examples_in_a_studio(PROGRAM) as (studio, examples):
            for example in examples:
                path = f"{studio.base}pictures/{example['name']}.webp"
                with self.subTest(path), studio.opener.open(path) as answer:
                    self.assertEqual(answer.headers.get_content_type(), "image/webp")
                    self.assertEqual(answer.read()[8:12], b"WEBP")

    def test_cards_are_found_by_their_words(self):
        shown = ("return [...document.querySelectorAll('.card')]"
                 ".filter((card) => card.checkVisibility()).map((card) => card.dataset.example)")
        for words, names in (("beads NUCLEI", ["two_colours"]), ("benchmark", ["benchmark"]),
                             ("no such words", []), ("", EXAMPLES)):
            self.browser.change("#search-examples", words, "input")
            with self.subTest(words):
                self.assertEqual(self.browser.run(shown), names)
                self.assertEqual(self.browser.run(
                    "return document.querySelector('.none').checkVisibility()"), not names)

    def test_every_picture_has_text_and_loads(self):
        self.browser.wait(lambda: self.browser.run(
            "return [...document.images].every((each) => each.complete)"), "the pictures")
        self.assertEqual(self.browser.run(
            "return [...document.images].map((each) => [each.alt, each.naturalWidth])"),
            [["Image of benchmark", 240], ["Image of two colours", 240]])


if __name__ == "__main__":
    if MISSING:
        print(f"skipped: no {' or '.join(MISSING)}; Debian has chromium and chromium-driver")
        sys.exit(SKIPPED)
    # This skips a program without a server
    import studio_page  # noqa: F401
    import previews
    import site_page
    import stacks
    unittest.main(argv=[sys.argv[0], *sys.argv[2:]])
