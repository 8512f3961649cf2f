# SPDX-License-Identifier: MIT
# tests/python/studio/cli_studio_run.py — data sets that the page makes: the same files as by
# simulate, stopped as by Ctrl-C, never outside of the folder.
#
#   cli_studio_run.py PROGRAM [unittest arguments]
import json
import os
import signal
import time

from program import TINY_SCENE, main
from studio_page import PATIENCE, RunTest

INTERRUPTED = 7
SWEEP = TINY_SCENE + "[sweep]\noptics.na = [1.0, 1.2]\n"
# Takes some seconds on every machine
SLOW_SCENE = """seed = 3
frames = 400
[grid]
size = [24, 192, 192]
[nuclei]
count = 4
radius_um = 1.5
"""


class Runs(RunTest):
    def test_make_the_files_of_simulate(self):
        page = self.opened()
        self.assertEqual(self.state(page)["state"], "none")
        state = self.made(page, format="zarr")
        self.assertEqual((state["output"], state["sets"], state["error"]), ("data", None, None))
        self.assertIn("Nyquist", " ".join(state["warnings"]))
        with open(self.path("scene.toml"), encoding="utf-8") as file:
            self.assertEqual(file.read(), TINY_SCENE)
        self.succeed("simulate", "scene.toml", "-o", "other", "--format", "zarr")
        self.assertEqual(self.comparable("data"), self.comparable("other"))
        self.assertEqual(self.listing(), ["data", "other", "scene.toml"])

    def comparable(self, folder):
        files = self.files(folder)
        record = json.loads(files["scene.json"])
        for changing in ("seconds", "stages", "run", "blur"):
            record.pop(changing, None)
        return {**files, "scene.json": record}

    def bytes_of_stacks(self, folder):
        return sum(len(data) for name, data in self.files(folder).items() if ".tif" in name)

    def test_make_the_sets_of_a_sweep(self):
        page = self.opened()
        state = self.made(page, toml=SWEEP)
        self.assertEqual(state["sets"], {"done": 2, "total": 2, "folders": ["na-1", "na-1.2"]})
        self.assertEqual(sorted(os.listdir(self.path("data"))),
                         ["na-1", "na-1.2", "sweep.csv", "sweep.json"])

    def test_are_published_as_events(self):
        page = self.opened()
        with page.raw(f"GET /api/events HTTP/1.1\r\nHost: localhost\r\nCookie: {page.cookie}"
                      "\r\n\r\n".encode()) as events:
            received = events.recv(4096)
            self.made(page)
            while b'"state":"done"' not in received:
                received += events.recv(65536)
        self.assertIn(b'"type":"run"', received)
        self.assertIn(b'"state":"running"', received)

    def test_replace_nothing_unless_asked(self):
        page = self.opened()
        self.made(page)
        status, answer = self.run_scene(page)
        self.assertEqual(status, 409)
        self.assertIn("the folder data exists", answer["error"])
        self.assertEqual(answer["free"], {"name": "scene.toml", "output": "data_2"})
        changed = TINY_SCENE.replace("seed = 7", "seed = 8")
        status, answer = self.run_scene(page, changed, output="data2")
        self.assertEqual(status, 409)
        self.assertIn("the file scene.toml exists and holds another scene;", answer["error"])
        self.assertEqual(answer["free"], {"name": "scene_2.toml", "output": "data2"})
        self.assertEqual(self.listing(), ["data", "scene.toml"])
        self.made(page, toml=changed, overwrite=True)
        self.made(page, toml=changed, output="data2")  # the file has this text already
        self.assertEqual(self.files("data")["image.ome.tif"],
                         self.files("data2")["image.ome.tif"])

    def test_replace_no_folder_that_is_not_a_data_set(self):
        page = self.opened()
        os.mkdir(self.path("mine"))
        self.text("mine/thesis.txt", "kept")
        self.assertEqual(self.run_scene(page, output="mine", overwrite=True)[0], 200)
        state = self.wait(page)
        self.assertEqual(state["state"], "failed")
        self.assertIn("mine", state["error"])
        self.assertEqual(self.files("mine"), {"thesis.txt": b"kept"})
        self.check(page, 404, "/data/mine/thesis.txt")

    def test_are_in_the_folder_and_never_elsewhere(self):
        page = self.opened()
        for output in ("", ".", "..", "../data", "/srv/data", "a/b", ".data", "-o", "data.toml",
                       "a\0b", "a\nb", "a" * 300):
            with self.subTest(output):
                self.assertEqual(self.run_scene(page, output=output)[0], 400)
        for name in ("scene", "../scene.toml", "/srv/scene.toml", ".toml", "a/b.toml"):
            with self.subTest(name):
                self.assertEqual(self.run_scene(page, name=name)[0], 400)
        for asked in ({}, {"toml": 1, "name": "a.toml", "output": "b"},
                      {"toml": "", "name": "a.toml"},
                      {"toml": "", "name": "a.toml", "output": "b", "seed": "7"}):
            self.assertEqual(self.post(page, "/api/run", **asked)[0], 400)
        self.assertEqual(self.listing(), [])
        self.assertEqual(self.state(page)["state"], "none")

    def test_have_any_plain_name(self):
        page = self.opened()
        self.made(page, name="-o.toml", output="my data; $(touch x)")
        self.made(page, name="it's.toml", output="\u00e4")
        self.assertEqual(self.listing(),
                         ["-o.toml", "it's.toml", "my data; $(touch x)", "\u00e4"])

    def test_fail_with_the_sentence_of_the_command_line(self):
        page = self.opened()
        for toml, more in ((TINY_SCENE.replace("count = 2", "count = 4000"), {}),
                           ("[optics]\nna = 99\n", {}), ("[[", {}),
                           (TINY_SCENE, {"format": "bdv"}), (TINY_SCENE, {"truth_layout": "none"})):
            with self.subTest(toml=toml, **more):
                self.assertEqual(self.run_scene(page, toml, overwrite=True, **more)[0], 200)
                state = self.wait(page)
                self.assertEqual(state["state"], "failed")
                words = [word for key, value in more.items()
                         for word in (f"--{key.replace('_', '-')}", value)]
                said = self.command("simulate", "scene.toml", "-o", "data", *words).stderr
                self.assertIn(f"error: {state['error']}\n", said)
        self.assertEqual(self.listing(), ["scene.toml"])


    def test_are_estimated(self):
        page = self.opened()
        for toml, sets in ((TINY_SCENE, 1), (SWEEP, 2)):
            status, answer = self.post(page, "/api/estimate", toml=toml)
            self.assertEqual(status, 200)
            self.assertEqual({**answer, "bytes": 0, "free_bytes": 0}, {
                "frames": 1, "channels": 1, "sets": sets, "image": [12, 48, 40], "bytes": 0,
                "free_bytes": 0})
            self.made(page, toml=toml, output=f"data{sets}", overwrite=True)
            # PSFs of other sets than the first may be larger
            self.assertAlmostEqual(answer["bytes"] / self.bytes_of_stacks(f"data{sets}"), 1,
                                   delta=0.2)
        self.assertEqual(self.post(page, "/api/estimate", toml="[optics]\nna = 99\n")[0], 400)


class Stop(RunTest):
    def begun(self, page):
        """Begins a run that takes some seconds, and waits until it is at work."""
        self.assertEqual(self.run_scene(page, SLOW_SCENE)[0], 200)
        return self.wait(page, lambda state: state["stage"] or state["state"] != "running")

    def test_leaves_nothing_half_written(self):
        page = self.opened()
        self.assertEqual(self.begun(page)["state"], "running")
        status, answer = self.run_scene(page, name="other.toml", output="other")
        self.assertEqual(status, 409)
        self.assertIn("another one makes data", answer["error"])
        self.assertEqual(self.post(page, "/api/stop")[0], 200)
        self.assertEqual(self.wait(page)["state"], "stopped")
        self.assertEqual(self.listing(), ["scene.toml"])
        self.made(page, overwrite=True)
        self.assertEqual(self.post(page, "/api/stop")[1]["state"], "done")

    def test_comes_with_the_end_of_the_page(self):
        page = self.opened()
        self.begun(page)
        child = self.children(page)
        self.assertEqual(len(child), 1)
        code, said = page.end(signal.SIGINT)
        self.assertEqual(code, INTERRUPTED, said)
        self.assertFalse(os.path.exists(f"/proc/{child[0]}"))
        self.assertEqual(self.listing(), ["scene.toml"])

    def test_comes_if_the_page_is_killed_and_the_next_page_runs_again(self):
        page = self.opened()
        self.made(page, output="kept")
        kept = self.files("kept")
        self.assertEqual(self.run_scene(page, SLOW_SCENE, name="slow.toml")[0], 200)
        self.wait(page, lambda state: state["stage"])
        child = self.children(page)[0]
        page.program.kill()
        page.program.wait()
        end = time.monotonic() + PATIENCE
        while os.path.exists(f"/proc/{child}") and time.monotonic() < end:
            time.sleep(0.01)
        self.assertEqual(self.listing(), ["kept", "scene.toml", "slow.toml"])
        self.assertEqual(self.files("kept"), kept)
        page = self.opened()
        self.assertEqual(self.state(page)["state"], "none")
        self.made(page)

    @staticmethod
    def children(page):
        pid = page.program.pid
        found = []
        for task in os.listdir(f"/proc/{pid}/task"):
            with open(f"/proc/{pid}/task/{task}/children", encoding="ascii") as file:
                found += [int(number) for number in file.read().split()]
        return found


if __name__ == "__main__":
    main()
