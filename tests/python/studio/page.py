# SPDX-License-Identifier: MIT
# tests/python/studio/page.py — the page of the studio in a real browser, beside a mock server.
import os
import sys
import threading
import unittest

SKIPPED = 77

try:
    from browser import MISSING, Browser
    from mock_server import MockServer
except ImportError as missing:
    print(f"skipped: {missing}")
    sys.exit(SKIPPED)

PROGRAM = os.path.abspath(sys.argv[1])
SMALL = """seed = 3
[grid]
size = [12, 48, 40]   # voxels
[nuclei]
count = 5
[optics]
na = 1.2
[camera]
kind = "scmos"
"""
RIGHT, END, CONTROL, SHIFT, NULL = "\ue014", "\ue010", "\ue009", "\ue008", "\ue000"


class Page(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.server = MockServer(PROGRAM)
        cls.server.example = lambda name: SMALL
        threading.Thread(target=cls.server.serve_forever, daemon=True).start()
        cls.browser = Browser()

    @classmethod
    def tearDownClass(cls):
        cls.browser.close()
        cls.server.shutdown()

    def setUp(self):
        self.server.requests.clear()
        self.server.preview_seconds = 0.0
        self.browser.open(self.server.address + "?token=none")
        self.wait("an example", lambda: self.browser.run("return document.querySelector('.card')"))
        self.browser.click("[data-example=first]")
        self.wait_for_preview()

    def tearDown(self):
        self.assertEqual(self.browser.errors(), [])

    def wait(self, what, holds):
        return self.browser.wait(holds, what)

    def wait_for_preview(self):
        self.wait("a preview", lambda: self.browser.text("#status").startswith("Ready"))

    def sent(self, path):
        """The bodies of the requests of one route, oldest first."""
        return [body for each, body in self.server.requests if each == path]

    def wait_for_set(self):
        body = self.wait("an edit", lambda: self.sent("/api/set"))[-1]
        self.server.requests.clear()
        return body["key"], body["value"]

    def value(self, selector):
        return self.browser.run("return document.querySelector(arguments[0]).value", selector)

    def show_key(self, key):
        """Searches for a key, so that its field is shown."""
        self.browser.enter("#search", key)
        return "#key-" + key.replace(".", "-")

    def test_an_example_fills_the_form_with_the_keys_that_it_gives(self):
        self.assertEqual(self.value("#key-optics-na"), "1.2")
        self.assertEqual(self.value("#key-grid-size"), "12, 48, 40")
        shown = self.browser.run("return [...document.querySelectorAll('.field')]"
                                 ".map((field) => field.dataset.key)")
        self.assertEqual(sorted(shown),
                         ["camera.kind", "grid.size", "nuclei.count", "optics.na", "seed"])
        self.assertEqual(self.value("#save-name"), "first.toml")

    def test_the_scene_of_the_command_line_is_open_at_first(self):
        self.server.opened = {"name": "mine.toml", "toml": "seed = 5\n"}
        self.addCleanup(setattr, self.server, "opened", {"name": None, "toml": ""})
        self.browser.open(self.server.address)
        self.wait("the scene", lambda: self.browser.run(
            "return document.querySelector('#key-seed')?.value") == "5")
        self.assertEqual(self.value("#save-name"), "mine.toml")
        self.wait_for_preview()

    def test_without_a_scene_an_example_is_shown_beside_the_cards(self):
        self.server.opened = {"name": None, "toml": SMALL}
        self.addCleanup(setattr, self.server, "opened", {"name": None, "toml": ""})
        self.browser.open(self.server.address)
        self.wait_for_preview()
        self.assertTrue(self.browser.run(
            "return document.querySelector('#panel-examples').checkVisibility()"))

    def test_more_shows_the_other_keys_of_a_table(self):
        self.browser.click("[data-table=optics] .more")
        self.assertEqual(self.value("#key-optics-wavelength_nm"), "520")

    def test_each_kind_of_field_sends_its_value(self):
        for key, act, text, value in [
                ("optics.na", self.browser.enter, "0.8", 0.8),
                ("nuclei.count", self.browser.enter, "9", 9),
                ("camera.kind", self.browser.choose, "emccd", "emccd"),
                ("grid.pitch_nm", self.browser.enter, "300, 110, 110", [300, 110, 110]),
                ("optics.zernike", self.browser.enter, "5: 0.1", "5: 0.1"),
                ("optics.depth_varying", lambda field, _: self.browser.click(field), "", True)]:
            with self.subTest(key=key):
                field = self.show_key(key)
                act(field, text)
                self.assertEqual(self.wait_for_set(), (key, value))

    def test_a_slider_moves_the_number_and_a_wide_range_is_logarithmic(self):
        field = self.show_key("optics.na")
        self.browser.slide(field + "-slider", 1000)
        self.assertEqual(self.wait_for_set(), ("optics.na", 4))
        self.wait("the number", lambda: self.value(field) == "4")
        self.browser.slide(field + "-slider", 500)
        key, value = self.wait_for_set()
        self.assertEqual((key, value), ("optics.na", 0.2))

    def test_an_empty_field_and_the_remove_button_take_a_key_out(self):
        self.browser.enter("#key-optics-na", "")
        self.assertEqual(self.wait_for_set(), ("optics.na", None))
        self.browser.click("[data-key='nuclei.count'] .remove")
        self.assertEqual(self.wait_for_set(), ("nuclei.count", None))

    def test_a_wrong_value_is_marked_with_the_servers_message_until_it_is_right(self):
        self.browser.enter("#key-optics-na", "9")
        message = "[data-key='optics.na'] .message"
        self.wait("a message", lambda: "out of range" in self.browser.text(message))
        self.assertEqual(self.value("#key-optics-na"), "9")
        self.assertIn("Line 7: optics.na", self.browser.text("#scene-error"))
        self.wait("a note", lambda: "before the error" in self.browser.text("#status"))
        self.browser.enter("#key-optics-na", "1.1")
        self.wait("no message", lambda: self.browser.text(message) == "")
        self.assertTrue(self.browser.run("return document.querySelector('#scene-error').hidden"))

    def test_undo_and_redo_bring_texts_back(self):
        self.browser.enter("#key-optics-na", "0.7")
        self.wait_for_set()
        disabled = "return document.querySelector('#undo').disabled"
        self.wait("undo", lambda: not self.browser.run(disabled))
        self.browser.type("#search", CONTROL + "z" + NULL)
        self.wait("the old value", lambda: self.value("#key-optics-na") == "1.2")
        self.browser.type("#search", CONTROL + SHIFT + "z" + NULL)
        self.wait("the new value", lambda: self.value("#key-optics-na") == "0.7")

    def test_edits_keep_comments(self):
        self.browser.enter("#key-grid-size", "10, 32, 32")
        self.wait_for_set()
        self.wait("the text", lambda: "size = [10, 32, 32]   # voxels" in self.value("#toml"))

    def test_the_text_is_checked_as_it_is_typed_and_its_wrong_line_is_marked(self):
        self.browser.click("#tab-toml")
        self.browser.type("#toml", CONTROL + END + NULL + "gian = 2")
        self.wait("a mark", lambda: self.browser.run(
            "return document.querySelector('.line-numbers .wrong')?.textContent") == "10")
        self.assertIn("Line 10: camera.gian", self.browser.text("#scene-error"))
        self.assertEqual(len(self.sent("/api/preview")), 1)
        self.browser.type("#toml", "\ue003" * len("gian = 2"))
        self.wait("no mark", lambda: not self.browser.run(
            "return document.querySelector('.line-numbers .wrong')"))

    def test_the_map_chooses_the_region(self):
        self.browser.click("#tab-toml")
        self.browser.run("const toml = document.querySelector('#toml');"
                         "toml.value = toml.value.replace('[12, 48, 40]', '[60, 200, 300]');"
                         "toml.dispatchEvent(new Event('input'))")
        self.wait("a preview", lambda: len(self.sent("/api/preview")) == 2)
        self.assertEqual(self.sent("/api/preview")[-1]["region"],
                         {"origin": [6, 4, 54], "extent": [48, 192, 192]})
        self.browser.choose("#region-size", "96")
        self.browser.type(".map", RIGHT)
        self.wait("a preview", lambda: len(self.sent("/api/preview")) >= 3)
        self.wait("the region", lambda: self.sent("/api/preview")[-1]["region"] ==
                  {"origin": [6, 52, 121], "extent": [48, 96, 96]})
        self.wait_for_preview()

    def test_the_newest_preview_wins(self):
        self.server.preview_seconds = 2.0
        self.browser.enter("#key-optics-na", "0.5")
        self.wait("a slow preview", lambda: len(self.sent("/api/preview")) == 2)
        self.server.preview_seconds = 0.0
        old = len(self.server.previews)
        self.browser.enter("#key-optics-na", "1.3")
        self.wait("a quick preview", lambda: len(self.sent("/api/preview")) == 3)
        self.wait_for_preview()
        widths = self.browser.text("[aria-label=PSF] .hint")
        self.wait("the slow preview's end", lambda: old in self.server.finished)
        self.server.send_event(
            {"type": "progress", "id": old, "stage": "old", "done": 1, "total": 2})
        self.server.send_event({"type": "failed", "id": old, "error": "the old one"})
        self.assertNotIn("old", self.browser.text("#status"))
        self.assertEqual(self.browser.text("[aria-label=PSF] .hint"), widths)
        self.assertIn("204 nm", widths)

    def test_a_failed_preview_says_why(self):
        newest = len(self.server.previews)
        self.server.send_event({"type": "failed", "id": newest, "error": "The PSF does not fit."})
        self.wait("a message", lambda: self.browser.text("#status") == "The PSF does not fit.")

    def test_keys_change_the_plane(self):
        self.assertEqual(self.browser.text("#plane-bar output"), "7 / 12")
        for keys, plane in [(".", 8), (",,", 6), (END, 12)]:
            self.browser.type("#panes canvas", keys)
            self.wait("a plane", lambda: self.browser.text("#plane-bar output") == f"{plane} / 12")
        self.assertIn("plane 12 of 12", self.browser.run(
            "return document.querySelector('#panes canvas').ariaValueText"))

    def test_a_pinned_preview_stays_beside_the_newest(self):
        self.browser.click("#pin")
        self.browser.enter("#key-nuclei-count", "0")
        self.wait("a preview", lambda: len(self.sent("/api/preview")) == 2)
        self.wait_for_preview()
        count = "return document.querySelectorAll('#panes canvas').length"
        self.assertEqual(self.browser.run(count), 2)
        self.assertEqual(self.browser.text(".pane-caption"), "Pinned: first")
        self.browser.click("#pin")
        self.assertEqual(self.browser.run(count), 1)

    def test_the_images_have_light_where_the_cells_are(self):
        bright = ("const c = document.querySelector('#panes canvas');"
                  "const copy = new OffscreenCanvas(c.width, c.height).getContext('2d');"
                  "copy.drawImage(c, 0, 0);"
                  "const d = copy.getImageData(0, 0, c.width, c.height).data;"
                  "return d.reduce((sum, v, i) => sum + (i % 4 === 1 && v > 100 ? 1 : 0), 0)")
        self.browser.click("#outlines")
        for stack in ("labels", "light", "photons", "image"):
            self.browser.click(f"[data-value={stack}]")
            self.wait(stack, lambda: self.browser.run(bright) > 500)

    def test_saving_asks_before_it_replaces(self):
        self.server.saved["first.toml"] = "old"
        self.browser.click("#save button")
        self.wait("a question", lambda: "Press Save again" in self.browser.text("#status"))
        self.assertEqual(self.server.saved["first.toml"], "old")
        self.browser.type("#search", CONTROL + "s" + NULL)
        self.wait("an answer", lambda: self.browser.text("#status") == "Saved first.toml.")
        self.assertEqual(self.server.saved.pop("first.toml"), SMALL)
        # The refusal of the first save is logged by the browser, and expected.
        self.assertRegex(" ".join(self.browser.errors()), "409")

    def test_no_text_is_below_13_px_and_the_page_does_not_scroll(self):
        self.browser.click("[data-table=optics] .more")
        for tab in ("examples", "form", "toml"):
            self.browser.click(f"#tab-{tab}")
            small = self.browser.run(
                "return [...document.querySelectorAll('body *')].filter((each) =>"
                "each.checkVisibility() && parseFloat(getComputedStyle(each).fontSize) < 13)"
                ".map((each) => each.outerHTML.slice(0, 80))")
            self.assertEqual(small, [])
        self.assertEqual(self.browser.run(
            "const e = document.documentElement;"
            "return [e.scrollWidth, e.scrollHeight]"), [1280, 800])

    def test_the_lines_of_the_server_are_copied(self):
        self.browser.run("navigator.clipboard.writeText = async (t) => { window.copied = t; }")
        for button, text in (("#copy-command", "simulate first.toml"),
                             ("#copy-python", "# first.toml")):
            self.browser.click(button)
            self.wait(text, lambda: self.browser.run("return window.copied") == text)

    def test_every_input_has_a_label(self):
        self.browser.click("[data-table=camera] .more")
        unlabelled = self.browser.run(
            "return [...document.querySelectorAll('input, select, textarea')].filter((each) =>"
            "each.labels.length === 0 && !each.ariaLabel).map((each) => each.id)")
        self.assertEqual(unlabelled, [])


if __name__ == "__main__":
    if MISSING:
        print(f"skipped: no {' or '.join(MISSING)}; Debian has chromium and chromium-driver")
        sys.exit(SKIPPED)
    unittest.main(argv=[sys.argv[0], *sys.argv[2:]])
