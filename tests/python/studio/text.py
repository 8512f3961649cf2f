# SPDX-License-Identifier: MIT
# tests/python/studio/text.py — the scene's text, its history, and what is saved and copied.
import os

from page_test import CONTROL, END, ENTER, NULL, SHIFT, SMALL, PageTest, main

BACKSPACE = "\ue003"


class Text(PageTest):
    def wrong_line(self):
        return self.browser.run(
            "return document.querySelector('.line-numbers .wrong')?.textContent ?? ''")

    def test_is_checked_as_it_is_typed_and_its_wrong_line_is_marked(self):
        self.browser.click("#tab-toml")
        asked = self.asked()[0]
        self.browser.type("#toml", CONTROL + END + NULL + "gian = 2")
        self.wait("a mark", lambda: self.wrong_line() == "12")
        self.assertRegex(self.browser.text("#scene-error"), "^Line 12: .*gian")
        self.wait("a note", lambda: "before the error" in self.status())
        self.assertEqual(self.asked()[0], asked)
        self.browser.type("#toml", BACKSPACE * len("gian = 2"))
        self.wait("no mark", lambda: self.wrong_line() == "")
        self.assertEqual(self.toml(), SMALL)

    def test_that_is_no_toml_has_its_line(self):
        for text, line in (("seed = ", "1"), ("seed = 3\n[grid\n", "2"), ("a = 1\n\n\n= 3\n", "4"),
                           (SMALL + "[sweep]\noptics.na = [9]\n", "13")):
            with self.subTest(text):
                self.replace_text(text)
                self.wait("an error", lambda: self.is_shown("#scene-error"))
                self.wait("the line", lambda: self.wrong_line() == line)
                self.replace_text(SMALL)
                self.wait("no error", lambda: not self.is_shown("#scene-error"))

    def test_changes_the_form_and_the_voxels(self):
        size = self.voxels().size
        with self.new_preview():
            self.replace_text(SMALL.replace("48, 40", "48, 80"))
        self.assertEqual(self.value("#key-grid-size"), "12, 48, 80")
        self.assertEqual(self.voxels().size, size * 2)

    def test_may_be_a_sweep_whose_first_data_set_is_shown(self):
        with self.new_preview():
            self.browser.enter("#key-optics-na", "0.7")
        psf = self.voxels("psf").tobytes()
        with self.new_preview():
            self.replace_text(SMALL.replace("na = 1.2\n", "") + "[sweep]\noptics.na = [0.7, 1.1]\n")
        self.assertIn("the first of 2 data sets", self.browser.text("#scene-name"))
        self.assertEqual(self.voxels("psf").tobytes(), psf)

    def test_undo_and_redo_bring_texts_back(self):
        with self.new_preview():
            self.browser.enter("#key-optics-na", "0.7")
        self.wait("undo", lambda: not self.browser.run(
            "return document.querySelector('#undo').disabled"))
        with self.new_preview():
            self.browser.click("#undo")
        self.assertEqual((self.value("#key-optics-na"), self.toml()), ("1.2", SMALL))
        with self.new_preview():
            self.browser.type("body", CONTROL + SHIFT + "z" + NULL)
        self.assertEqual(self.value("#key-optics-na"), "0.7")


class Files(PageTest):
    def test_a_file_is_replaced_only_when_asked_twice(self):
        self.browser.enter("#key-optics-na", "0.7")
        self.assert_line("na = 0.7")
        self.browser.click("#save button")
        self.wait("a question", lambda: "Press Save again" in self.notice())
        self.assertEqual(self.written("small.toml"), SMALL)
        self.browser.type("#search", CONTROL + "s" + NULL)
        self.wait("an answer", lambda: self.notice() == "Saved small.toml.")
        self.assertEqual(self.written("small.toml"), self.toml())
        # The refusal of the first save is logged by the browser, and expected.
        self.assertRegex(" ".join(self.browser.errors()), "409")

    def test_a_wrong_name_is_refused_in_one_sentence(self):
        before = sorted(os.listdir(self.folder))
        for name in ("../a.toml", "a.txt", ".a.toml", ""):
            self.browser.enter("#save-name", name)
            self.browser.type("#save-name", ENTER)
            self.wait(name, lambda: f"'{name}': only a plain file name" in self.notice())
        self.assertEqual(sorted(os.listdir(self.folder)), before)
        self.assertRegex(" ".join(self.browser.errors()), "400")

    def test_the_lines_that_are_copied_run(self):
        self.browser.run("navigator.clipboard.writeText = async (t) => { window.copied = t; }")
        for button, words in (("#copy-command", "synthoscope simulate small.toml"),
                              ("#copy-python", "small.toml")):
            self.browser.click(button)
            self.wait(words, lambda: words in (self.browser.run("return window.copied") or ""))
        self.browser.click("#copy-command")
        self.wait("the command", lambda: self.notice().startswith("Copied the command line"))
        line = self.browser.run("return window.copied").split()
        self.assertEqual(line[0], "synthoscope")
        result = self.run_beside(*line[1:])
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertIn("image.ome.tif", os.listdir(os.path.join(self.folder, line[-1])))

    def test_two_pages_edit_scenes_of_their_own(self):
        with self.new_preview():
            self.browser.enter("#key-optics-na", "0.7")
        self.open_page()
        self.wait_for_preview()
        self.assertEqual(self.value("#key-optics-na"), "1.2")


if __name__ == "__main__":
    main()
