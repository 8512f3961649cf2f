# SPDX-License-Identifier: MIT
# tests/python/studio/form.py — fields of the page beside the real program: every kind of key
# changes the text and the preview, and what is wrong is marked.
from page_test import SMALL, PageTest, main

POINTS = "1 1 0 0 0 1.5 -1\n2 3 2 0 0 0.8 1\n"


class Form(PageTest):
    # By the kind of a key: a key, how its field is used, with what, and the line that it makes.
    # Where a scene is given, the page has it at first.
    KINDS = {
        "number": ("optics.na", "enter", "0.8", r"na = 0\.8$"),
        "integer": ("nuclei.count", "enter", "3", r"count = 3$"),
        "choice": ("camera.kind", "choose", "emccd", r'kind = "emccd"$'),
        "switch": ("optics.pixel_integration", "click", None, r"pixel_integration = (true|false)$"),
        "list_of_numbers": ("grid.pitch_nm", "enter", "300, 110, 110",
                            r"pitch_nm = \[300(\.0)?, 110(\.0)?, 110(\.0)?\]$"),
        "list_of_integers": ("grid.size", "enter", "10, 32, 32",
                             r"size = \[10, 32, 32\]   # voxels$"),
        "terms": ("optics.zernike", "enter", "5: 0.1", r'zernike = ("5: 0\.1"|.*5.*0\.1)'),
        "text_or_number": ("optics.axial_origin", "enter", "0.4", r"axial_origin = 0\.4$"),
        "file": ("neuron.file", "enter", "points.swc", r'file = "points\.swc"$'),
    }

    def use(self, field, act, value):
        if act == "click":
            self.browser.click(field)
        else:
            getattr(self.browser, act)(field, value)

    def test_each_kind_of_key_has_a_test(self):
        self.assertEqual({key["kind"] for key in self.keys()}, set(self.KINDS))

    def test_each_kind_of_field_changes_the_text_and_the_voxels(self):
        self.write("points.swc", POINTS)
        with self.new_preview():
            self.replace_text(SMALL.replace("[camera]", 'model = "born-wolf"\n[camera]'))
        for kind, (key, act, value, line) in self.KINDS.items():
            with self.subTest(kind):
                before = self.voxels("light").tobytes() + self.voxels().tobytes()
                with self.new_preview():
                    self.use(self.show_key(key), act, value)
                self.assert_line(line)
                self.assertNotEqual(self.voxels("light").tobytes() + self.voxels().tobytes(),
                                    before)

    def test_a_value_that_is_entered_replaces_a_sweep_of_its_key(self):
        with self.new_preview():
            self.replace_text(SMALL + "[sweep]\ncamera.offset_dn = [7, 8]\n")
        self.browser.click("#tab-form")
        self.assertEqual(self.value("#key-camera-offset_dn"), "7")
        self.assertRegex(self.browser.text("[data-key='camera.offset_dn'] .of-sweep"),
                         "^Sweep: 7, 8. The images show the first value.")
        self.assertRegex(self.browser.text("#scene-name"), "the first of 2 data sets$")
        with self.new_preview():
            self.browser.enter("#key-camera-offset_dn", "9")
        self.assert_line("offset_dn = 9$")
        self.assertNotIn("[7, 8]", self.toml())
        self.assertFalse(self.is_shown("[data-key='camera.offset_dn'] .of-sweep"))

    def test_an_invalid_value_of_each_kind_is_marked_and_the_preview_stays(self):
        voxels = self.voxels().tobytes()
        for key, text, words in [
                ("optics.na", "9", "is 9; give 0.01 to 4"), ("optics.na", "nan", "give a number"),
                ("nuclei.count", "1.5", "give a whole number"),
                ("grid.size", "1, 2", "give three whole numbers"),
                ("grid.size", "-1, 2, 3", "is -1; give 1 to"),
                ("grid.pitch_nm", "1, x, 2", "give three numbers"),
                ("optics.zernike", "99: 1", "has index 99; give 1 to 66"),
                ("optics.axial_origin", "nowhere", 'give "focus", "nominal" or a number'),
                ("neuron.file", "none.swc", "none.swc: it cannot be opened")]:
            with self.subTest(key=key, text=text):
                field = self.show_key(key)
                self.browser.enter(field, text)
                self.wait("a message", lambda: words in self.message_of(key))
                self.assertEqual(self.value(field), text)
                self.assertEqual(self.message_of(key).count("\n"), 0)
                self.wait("a note", lambda: "before the error" in self.status())
                self.assertEqual(self.voxels().tobytes(), voxels)
                self.assertTrue(self.is_shown("#scene-error"))
                self.browser.click(f"[data-key='{key}'] .remove")
                self.wait("no message", lambda: self.message_of(key) == "")
                self.wait("no error", lambda: not self.is_shown("#scene-error"))
                self.wait("a preview", lambda: self.status().startswith("Ready"))
                voxels = self.voxels().tobytes()

    def test_the_message_is_that_of_the_command_line_with_its_line(self):
        self.browser.enter(self.show_key("optics.na"), "9")
        self.wait("a message", lambda: self.message_of("optics.na"))
        self.assertRegex(self.browser.text("#scene-error"), r"^Line 9: optics\.na is 9; give")
        self.browser.enter("#save-name", "wrong.toml")
        self.browser.click("#save button")
        self.wait("a file", lambda: self.notice().startswith("Saved"))
        said = self.run_beside("simulate", "wrong.toml", "-o", "x", "--dry-run").stderr
        self.assertIn(self.message_of("optics.na"), said)

    def test_the_form_shows_the_keys_that_the_scene_gives(self):
        shown = self.browser.run("return [...document.querySelectorAll('.field')]"
                                 ".map((field) => field.dataset.key)")
        self.assertEqual(sorted(shown), ["camera.kind", "grid.size", "nuclei.count",
                                         "nuclei.gap_um", "nuclei.radius_um", "optics.na", "seed"])
        self.assertEqual(self.value("#key-grid-size"), "12, 48, 40")
        self.browser.click("[data-table=optics] .more")
        self.assertEqual(self.value("#key-optics-wavelength_nm"), "520")

    def test_a_slider_changes_number_text_and_voxels(self):
        field, voxels = self.show_key("nuclei.radius_um"), self.voxels("labels").tobytes()
        with self.new_preview():
            self.browser.slide(field + "-slider", 350)
        number = float(self.value(field))
        self.assertNotEqual(number, 0.5)
        self.assert_line(f"radius_um = {self.value(field)}")
        self.assertNotEqual(self.voxels("labels").tobytes(), voxels)

    def test_an_empty_field_and_the_remove_button_take_a_key_out(self):
        with self.new_preview():
            self.browser.enter("#key-optics-na", "")
        self.assertNotIn("na =", self.toml())
        with self.new_preview():
            self.browser.click("[data-key='nuclei.count'] .remove")
        self.assertNotIn("count", self.toml())

    def test_a_search_without_a_match_says_so(self):
        self.browser.type("#search", "zzz")
        self.assertTrue(self.is_shown("#panel-form > .hint"))
        self.assertEqual(self.count(".field"), 0)


if __name__ == "__main__":
    main()
