# SPDX-License-Identifier: MIT
# tests/python/studio/previews.py — previews that take their time, fail, are replaced, or whose
# program ends.
import signal
import time

from page_test import SLOW, SMALL, PageTest, main


class Previews(PageTest):
    def is_computing(self):
        return self.browser.run("return !document.querySelector('#progress').hidden")

    def begin_a_slow_one(self):
        self.replace_text(SLOW)
        self.wait("progress", lambda: self.status().startswith("Computing: "))

    def test_a_slow_one_shows_its_progress(self):
        self.begin_a_slow_one()
        said = self.status()
        self.assertRegex(said, r"^Computing: [a-z 0-9/:]+, [0-9.]+ s$")
        self.assertTrue(self.is_computing())
        self.wait("more progress", lambda: self.status().startswith("Computing: ") and
                  self.status() != said)

    def test_the_newest_stops_the_one_at_work(self):
        shown = self.shown_number()
        self.begin_a_slow_one()
        began = time.monotonic()
        with self.new_preview():
            self.replace_text(SMALL)
        self.assertEqual(self.voxels().size, 12 * 48 * 40)
        # The slow one takes longer by far; the bound is generous for machines with other work.
        self.assertLess(time.monotonic() - began, 10)
        self.assertEqual(self.shown_number(), shown + 2)

    def test_of_ten_quick_changes_only_the_last_is_shown(self):
        shown = self.shown_number()
        asked = self.asked()[0]
        self.begin_a_slow_one()
        with self.new_preview():
            for count in range(10):
                self.replace_text(SMALL.replace("count = 5", f"count = {count + 1}"))
                self.browser.run("return null")
            self.wait("the last text", lambda: self.value("#key-nuclei-count") == "10")
        self.assertEqual(set(self.voxels("labels")), set(range(11)))
        shown_since = {path.split("/")[3] for path in self.asked()[1]} - {str(shown)}
        self.assertEqual(len(shown_since), 1, shown_since)
        self.assertLess(self.asked()[0] - asked, 10)

    def test_one_that_fails_says_why_and_the_images_stay(self):
        voxels = self.voxels().tobytes()
        self.browser.enter("#key-nuclei-count", "900")
        self.wait("a message", lambda: self.status().startswith("place nuclei: there is no room"))
        self.assertIn("or a larger grid", self.browser.text("#scene-error"))
        self.assertFalse(self.is_computing())
        self.assertEqual(self.voxels().tobytes(), voxels)
        with self.new_preview():
            self.browser.enter("#key-nuclei-count", "4")

    def test_frames_of_a_movie_differ(self):
        with self.new_preview():
            self.replace_text(SMALL.replace("seed = 3", "seed = 3\nframes = 3"))
        first = self.voxels().tobytes()
        with self.new_preview():
            self.browser.choose("#frame", "2")
        self.assertNotEqual(self.voxels().tobytes(), first)


class End(PageTest):
    def test_of_the_program_is_said_and_the_page_connects_again(self):
        program = self.start("small.toml")
        self.open_page(program)
        self.wait("a preview", lambda: self.status().startswith("Ready"))
        program.end(signal.SIGINT)
        self.wait("a message", lambda: "server does not answer" in self.status())
        self.browser.enter("#key-optics-na", "0.7")
        self.wait("a message", lambda: "does not answer" in self.browser.text("#scene-error"))
        self.assertEqual(self.value("#key-optics-na"), "0.7")
        # The browser logs the connections that failed.
        self.assertRegex(" ".join(self.browser.errors()), "Failed to load")


if __name__ == "__main__":
    main()
