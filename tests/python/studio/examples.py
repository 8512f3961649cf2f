# SPDX-License-Identifier: MIT
# tests/python/studio/examples.py — each example of the program, opened by its card.
import json
import os

from page_test import PageTest, main

# They take more than two seconds on two cores: a file of many channels or planes, or a PSF for each
# depth. Their keys and stages are those of others.
SLOW_EXAMPLES = {"adherent_cells", "beads_at_depth", "confluent_monolayer", "hl60_bbbc024"}


class Examples(PageTest):
    def names(self):
        return [row["name"] for row in json.loads(self.program.ask("/api/examples")[2])]

    def choose(self, name):
        self.browser.run("document.querySelector('#tab-examples').click();"
                         "document.querySelector(arguments[0]).click()", f"[data-example='{name}']")

    def test_each_is_previewed_without_an_error(self):
        self.browser.choose("#region-size", "96")
        names = self.names()
        self.assertLess(SLOW_EXAMPLES, set(names))
        for name in names:
            if name in SLOW_EXAMPLES or name == "neuron":  # which needs a file: see below
                continue
            with self.subTest(name):
                with self.new_preview():
                    self.choose(name)
                    self.wait("the scene", lambda: self.browser.text("#scene-name")
                              .startswith(name))
                self.assertGreater(self.voxels().max(), self.voxels().min())
                self.assertFalse(self.is_shown("#scene-error"))
                self.assertEqual(self.value("#save-name"), name.split("/")[-1] + ".toml")
                self.assertEqual(self.browser.errors(), [])

    def test_scenes_of_the_folder_are_opened_as_examples_are(self):
        self.write("mine.toml", "seed = 77\n[grid]\nsize = [4, 16, 16]\n[beads]\ncount = 1\n")
        self.browser.click("#tab-examples")
        self.wait("the list", lambda: "mine.toml" in self.browser.text(".own-scenes"))
        with self.new_preview():
            self.browser.run("[...document.querySelectorAll('.own-scene')].find((each) => "
                             "each.textContent === 'mine.toml').click()")
        self.assertEqual(self.value("#key-seed"), "77")
        self.assertEqual(self.value("#save-name"), "mine.toml")

    def test_one_that_needs_a_file_offers_it(self):
        self.choose("neuron")
        self.wait("the offer", lambda: self.is_shown("#write-needed"))
        self.wait("the error", lambda: "neuron.swc: it cannot be opened" in
                  self.browser.text("#scene-error"))
        self.assertNotIn("neuron.swc", os.listdir(self.folder))
        with self.new_preview():
            self.browser.click("#write-needed")
        self.assertFalse(self.is_shown("#write-needed"))
        self.assertTrue(self.voxels("labels").any())
        with open(f"{self.folder}/neuron.swc", encoding="utf-8") as file:
            self.assertIn("soma", file.read())
        self.choose("neuron")
        self.wait("the tab", lambda: self.is_shown("#key-neuron-file"))
        self.assertFalse(self.is_shown("#write-needed"))


if __name__ == "__main__":
    main()
