# SPDX-License-Identifier: MIT
# tests/python/studio/runs.py — the panel Run of the studio's page in a real browser: data sets,
# their reports, sweeps.
import os
import tempfile

from page_test import BrowserTest, main, program_in

SMALL = """seed = 3
[grid]
size = [12, 48, 40]   # voxels
[nuclei]
count = 5
radius_um = 0.6
[optics]
na = 1.2
"""
SLOW = """seed = 3
frames = 400
[grid]
size = [24, 192, 192]
[nuclei]
count = 4
radius_um = 1.5
"""
ESCAPE = "\ue00c"
WORDS = [
    ("bytesText(999)", "999 bytes"), ("bytesText(1440000)", "1.4 MB"),
    ("bytesText(133248924)", "133 MB"), ("bytesText(2.5e9)", "2.5 GB"),
    ("secondsText(0.42)", "0.4 s"), ("secondsText(59.7)", "1 min 00 s"),
    ("secondsText(9.97)", "10 s"), ("secondsText(185)", "3 min 05 s"),
    ("secondsText(7625)", "2 h 07 min"),
    ("progressOf({stage: '', done: 0, total: 0, seconds: 0, sets: null}).share", None),
    ("progressOf({stage: 'blur', done: 1, total: 4, seconds: 2, sets: null})",
     {"share": 0.25, "isWhole": False, "left": None, "text": "blur"}),
    ("progressOf({stage: 'frame 3/4: blur', done: 1, total: 9, seconds: 2, sets: null})",
     {"share": 0.5, "isWhole": True, "left": None, "text": "frame 3 of 4: blur"}),
    ("progressOf({stage: 'blur', done: 1, total: 9, seconds: 6, sets: {done: 3, total: 4}})",
     {"share": 0.75, "isWhole": True, "left": 2, "text": "data set 4 of 4: blur"}),
    ("clashText({name: 'a.toml', output: 'a'}, {name: 'a_2.toml', output: 'a'})",
     {"replace": "Replace a.toml", "rename": "Run as a_2.toml"}),
    ("clashText({name: 'a.toml', output: 'b'}, {name: 'a.toml', output: 'b_2'})",
     {"replace": "Replace the folder b", "rename": "Run in the folder b_2"}),
    ("clashText({name: 'a.toml', output: 'b'}, {name: 'a_2.toml', output: 'b_2'})",
     {"replace": "Replace a.toml and the folder b",
      "rename": "Run as a_2.toml in the folder b_2"}),
    ("warningTexts(['blur: 3 of 40 px', 'no light', 'blur: 5 of 40 px', 'no light', 'dark'])",
     ["blur: 3 of 40 px (2 times, with other numbers)", "no light (2 times)", "dark"]),
    ("sweepText({keys: [{key: 'optics.na', values: ['1', '1.2']}, {key: 'optics.model', "
     "values: ['\"scalar\"', '\"sted\"']}], repeats: 3})",
     "optics.na 1, 1.2; optics.model scalar, sted; 3 repeats"),
    ("sweepText({keys: [{key: 'grid.size', values: ['[8, 9, 9]', '[8, 9, 18]']}], "
     "repeats: null})", "grid.size [8, 9, 9]; [8, 9, 18]"),
    ("sweepText({keys: [{key: 'a', values: ['1', '2', '3', '4', '5', '6', '7', '8', '9']}], "
     "repeats: null})", "a 1, 2, 3, 4 ... 9"),
    ("folderFor(' my cells.toml')", "my cells"),
    ("sweepValues('0.8, 1, ', {kind: 'number'})", [0.8, 1]),
    ("sweepValues('0.8 to 1.4 in 4', {kind: 'number'})", {"from": 0.8, "to": 1.4, "count": 4}),
    ("sweepValues('0.8 to 1.4 by 0.2', {kind: 'number'})", {"from": 0.8, "to": 1.4, "step": 0.2}),
    ("sweepValues('1, 2, 3; 4,5,6', {kind: 'list_of_integers'})", [[1, 2, 3], [4, 5, 6]]),
    ("sweepValues('scalar, sted', {kind: 'choice'})", ["scalar", "sted"]),
    ("sweepValues('true, false', {kind: 'switch'})", [True, False]),
    ("sweepKey('channel.gfp.optics.na', new Map([['optics.na', 1]]))", 1),
    ("sweepKey('optics.nq', new Map([['optics.na', 1]])) ?? null", None),
]


class Runs(BrowserTest):
    """Each test has a program, which serves a scene from an empty folder."""

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = folder.name
        self.serve(SMALL)

    def serve(self, scene):
        """Opens the page of a scene, and the panel."""
        with open(os.path.join(self.folder, "cells.toml"), "w", encoding="utf-8") as file:
            file.write(scene)
        program = program_in(self.folder, self.addCleanup, "cells.toml")
        self.browser.open(program.address)
        self.wait("the scene", lambda: self.browser.text("#scene-name") == "cells.toml")
        self.browser.errors()  # of the page before, whose server has ended
        self.browser.click("#run-open")

    def has(self, selector):
        return self.count(selector) > 0

    def run_to_the_end(self, start="#run-start"):
        self.browser.click(start)
        self.wait("the data set", lambda: "complete" in self.browser.text("#run-outcome"))

    def listing(self):
        return sorted(os.listdir(self.folder))

    def test_words_of_runs_and_sweeps(self):
        for expression, expected in WORDS:
            with self.subTest(expression):
                self.assertEqual(expected, self.browser.run_module(
                    f"const m = await import('/run/words.js'); return m.{expression};"))

    def test_a_run_makes_the_data_set_and_opens_its_report(self):
        self.assertEqual([self.value("#run-name"), self.value("#run-output")],
                         ["cells.toml", "cells"])
        self.wait("the size", lambda: "1 frame of 12 × 48 × 40" in self.browser.text("#run-size"))
        self.run_to_the_end()
        self.assertEqual(self.browser.text("#run-folder"), f"{self.folder}/cells")
        self.assertIn("image.ome.tif", os.listdir(os.path.join(self.folder, "cells")))
        self.wait("the picture", lambda: self.browser.run(
            "return document.querySelector('#run-outcome img')?.naturalWidth > 0"))
        self.assertEqual(self.browser.errors(), [])
        before = self.browser.call("GET", self.browser.session + "/window/handles")
        self.browser.click("#run-report")
        self.wait("the report", lambda: self.has("#run-report-link"))
        self.assertFalse(self.is_shown("#run-report"))  # the link is enough
        opened = self.wait("a new tab", lambda: set(self.browser.call(
            "GET", self.browser.session + "/window/handles")) - set(before)).pop()
        self.browser.post("/window", {"handle": opened})
        self.wait("its styles", lambda: self.browser.run(
            "return getComputedStyle(document.body).maxWidth !== 'none'"))
        self.assertTrue(self.browser.run("return document.images[0].naturalWidth > 0"))
        self.assertEqual(self.browser.errors(), [])
        self.browser.call("DELETE", self.browser.session + "/window")
        self.browser.post("/window", {"handle": before[0]})
        self.assertEqual(self.listing(), ["cells", "cells-report.html", "cells.toml"])

    def test_names_and_options_are_those_of_the_command(self):
        self.browser.enter("#run-name", "mine.toml")
        self.assertEqual([self.value("#run-output"), self.value("#save-name")],
                         ["mine", "mine.toml"])
        self.browser.enter("#run-output", "my data")
        self.browser.choose("#run-format", "zarr")
        self.wait("the command", lambda: self.browser.text("#run-command") ==
                  "synthoscope simulate mine.toml -o 'my data' --format zarr")
        self.run_to_the_end()
        self.assertIn("image.ome.zarr", os.listdir(os.path.join(self.folder, "my data")))
        self.assertEqual(self.listing(), ["cells.toml", "mine.toml", "my data"])

    def test_nothing_is_replaced_before_a_second_word(self):
        self.run_to_the_end()
        self.browser.click("#run-start")
        self.wait("a question", lambda: self.is_shown("#run-question"))
        self.assertIn("the folder cells exists already", self.browser.text("#run-question"))
        self.assertEqual(self.choices(), ["Replace the folder cells", "Run in the folder cells_2"])
        self.assertFalse(self.is_shown("#run-outcome"))
        self.browser.click("#run-next")
        self.wait("another data set", lambda: self.browser.text("#run-outcome") and
                  self.browser.text("#run-folder").endswith("/cells_2"))
        self.assertEqual(self.listing(), ["cells", "cells.toml", "cells_2"])
        self.browser.click("#run-start")
        self.wait("a question", lambda: self.is_shown("#run-question"))
        self.browser.errors()  # the browser notes both refusals
        self.run_to_the_end("#run-replace")
        self.assertFalse(self.is_shown("#run-question"))
        self.assertEqual(self.browser.errors(), [])

    def choices(self):
        """Returns what the buttons of the question say."""
        return [self.browser.text(name) for name in ("#run-replace", "#run-next")]

    def test_only_the_name_that_is_taken_changes(self):
        with open(os.path.join(self.folder, "mine.toml"), "w", encoding="utf-8") as file:
            file.write("seed = 4\n")
        self.browser.enter("#run-name", "mine.toml")
        self.browser.click("#run-start")
        self.wait("a question", lambda: self.is_shown("#run-question"))
        self.assertIn("the file mine.toml exists and holds another scene;",
                      self.browser.text("#run-question"))
        self.assertEqual(self.choices(), ["Replace mine.toml", "Run as mine_2.toml"])
        self.run_to_the_end("#run-next")
        self.assertEqual([self.value("#run-name"), self.value("#save-name"),
                          self.value("#run-output")], ["mine_2.toml", "mine_2.toml", "mine"])
        self.assertEqual(self.listing(), ["cells.toml", "mine", "mine.toml", "mine_2.toml"])
        self.browser.errors()  # the browser notes the refusal

    def test_stop_and_reload_and_escape(self):
        self.serve(SLOW)
        self.browser.click("#run-start")
        self.wait("progress", lambda: "cells: " in self.browser.text("#run-progress"))
        self.assertTrue(self.is_shown("#run-stop"))
        self.assertTrue(self.browser.run("return document.querySelector('#run-start').disabled"))
        self.browser.run("location.reload()")
        self.wait("the run after a reload",
                  lambda: self.browser.text("#run-open").startswith("Running"))
        self.browser.click("#run-open")
        self.browser.click("#run-stop")
        self.wait("the stop", lambda: "Stopped" in self.browser.text("#run-outcome"))
        self.assertEqual(self.browser.text("#run-open"), "Run ...")
        self.assertEqual(self.listing(), ["cells.toml"])
        self.browser.type("#run-name", ESCAPE)
        self.assertFalse(self.is_shown("#run-panel"))
        self.assertEqual(self.browser.run("return document.activeElement.id"), "run-open")

    def test_a_failure_has_its_sentence(self):
        os.mkdir(os.path.join(self.folder, "cells"))
        with open(os.path.join(self.folder, "cells", "mine.txt"), "w", encoding="utf-8") as file:
            file.write("kept")
        self.browser.click("#run-start")
        self.wait("a question", lambda: self.is_shown("#run-question"))
        self.browser.click("#run-replace")
        self.wait("the failure", lambda: self.has("#run-error"))
        self.assertIn("mine.txt", self.browser.text("#run-error"))
        self.browser.errors()  # the browser notes the refusal

    def test_the_focus_follows_a_run(self):
        focused = "return document.activeElement.id"
        self.browser.run("document.querySelector('#run-start').focus()")
        self.browser.type("#run-start", "\ue007")
        self.wait("the data set", lambda: "complete" in self.browser.text("#run-outcome"))
        self.wait("the focus", lambda: self.browser.run(focused) == "run-report")
        self.browser.type("body", ESCAPE)
        self.assertEqual(self.browser.run(focused), "run-open")

    def test_a_sweep_is_made_from_fields(self):
        self.browser.click("#run-open")
        self.browser.run("document.querySelector('#key-optics-na').focus()")
        self.browser.click("[data-key='optics.na'] .vary")
        self.assertEqual([self.value("#sweep-key"), self.value("#sweep-values")],
                         ["optics.na", "1.2, "])
        self.browser.enter("#sweep-values", "1.0, 1.2")
        self.browser.click("#sweep-add")
        self.wait("the sweep", lambda: "(2 data sets)" in self.browser.text("#sweep-count"))
        self.browser.enter("#sweep-key", "optics.nq")
        self.browser.click("#sweep-add")
        self.assertIn("no key optics.nq", self.browser.text("#sweep-message"))
        self.browser.enter("#sweep-key", "nuclei.count")
        self.browser.enter("#sweep-values", "2, many")
        self.browser.click("#sweep-add")
        self.wait("the refusal", lambda: "nuclei.count" in self.browser.text("#sweep-message"))
        self.browser.enter("#sweep-values", "2 to 3 in 2")
        self.browser.click("#sweep-add")
        self.wait("the sweep", lambda: "(4 data sets)" in self.browser.text("#sweep-count"))
        self.browser.enter("#sweep-repeats", "3")
        self.wait("the sweep", lambda: "(12 data sets)" in self.browser.text("#sweep-count"))
        self.browser.click("[aria-label='Remove nuclei.count from the sweep']")
        self.wait("the sweep", lambda: "(6 data sets)" in self.browser.text("#sweep-count"))
        self.browser.enter("#sweep-repeats", "")
        self.wait("the sweep", lambda: "(2 data sets)" in self.browser.text("#sweep-count"))
        self.assertEqual(self.value("#toml"), SMALL + "\n[sweep]\noptics.na = [1.0, 1.2]\n"
                         .replace("1.0", "1"))
        self.wait("the size", lambda: self.browser.text("#run-size")
                  .startswith("2 data sets (optics.na 1, 1.2), each 1 frame of"))
        self.browser.click("#run-start")
        self.wait("a question", lambda: self.is_shown("#run-question"))
        self.assertIn("cells.toml exists and holds another scene",
                      self.browser.text("#run-question"))  # it has no sweep
        self.run_to_the_end("#run-replace")
        self.assertIn("2 data sets are complete in the folder cells.", self.browser.text("#notice"))
        self.assertEqual(sorted(os.listdir(os.path.join(self.folder, "cells"))),
                         ["na-1", "na-1.2", "sweep.csv", "sweep.json"])
        self.browser.choose("#run-set", "na-1.2")
        self.browser.click("#run-report")
        self.wait("the report", lambda: self.has("#run-report-link"))
        self.assertIn("cells-na-1.2-report.html", self.listing())
        self.assertFalse(self.is_shown("#run-report"))
        self.browser.choose("#run-set", "na-1")
        self.assertTrue(self.is_shown("#run-report"))
        self.browser.errors()  # the browser notes the refusal

    def open_sweep(self, key, values):
        """Opens the section of the sweep and types into it, and adds nothing."""
        self.browser.run("document.querySelector('#sweep').open = true")
        self.browser.enter("#sweep-key", key)
        self.browser.enter("#sweep-values", values)

    def test_run_adds_what_was_typed_for_the_sweep(self):
        self.browser.enter("#run-output", "swept")
        self.browser.enter("#run-name", "swept.toml")
        self.open_sweep("optics.na", "1, many")
        self.browser.click("#run-start")
        self.wait("the refusal", lambda: "many" in self.browser.text("#sweep-message"))
        self.assertEqual(self.listing(), ["cells.toml"])
        self.browser.enter("#sweep-values", "1, 1.1")
        self.browser.click("#sweep-add")
        self.wait("the sweep", lambda: "(2 data sets)" in self.browser.text("#sweep-count"))
        self.open_sweep("nuclei.count", "2")
        self.run_to_the_end()
        self.assertEqual(sorted(os.listdir(os.path.join(self.folder, "swept"))),
                         ["na-1.1_count-2", "na-1_count-2", "sweep.csv", "sweep.json"])
        self.assertEqual(self.value("#sweep-values"), "")

    def test_what_a_field_offered_is_not_added(self):
        self.browser.click("#run-open")
        self.browser.run("document.querySelector('#key-optics-na').focus()")
        self.browser.click("[data-key='optics.na'] .vary")
        self.run_to_the_end()
        self.assertIn("image.ome.tif", os.listdir(os.path.join(self.folder, "cells")))

    def test_all_data_sets_can_have_the_same_objects(self):
        self.open_sweep("optics.na", "1, 1.2")
        self.browser.choose("#sweep-seed", "shared")
        self.assertEqual(self.value("#toml"), SMALL)  # there is no sweep yet
        self.browser.click("#sweep-add")
        swept = SMALL + "\n[sweep]\noptics.na = [1, 1.2]\n"
        self.wait("the choice", lambda: self.value("#toml") == swept + 'seed = "shared"\n')
        self.browser.choose("#sweep-seed", "own")
        self.wait("the default", lambda: self.value("#toml") == swept)
        self.browser.choose("#sweep-seed", "shared")
        self.wait("the choice", lambda: self.value("#toml") == swept + 'seed = "shared"\n')
        self.browser.click("#sweep-list .swept-key")
        self.assertEqual(self.value("#sweep-values"), "1, 1.2")
        self.browser.click("[aria-label='Remove optics.na from the sweep']")
        self.wait("no sweep", lambda: self.value("#toml") == SMALL)
        self.assertEqual([self.value(f"#sweep-{field}") for field in ("key", "values", "seed")],
                         ["", "", "own"])


if __name__ == "__main__":
    main()
