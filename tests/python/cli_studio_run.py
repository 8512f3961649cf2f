# SPDX-License-Identifier: MIT
# tests/python/cli_studio_run.py — data sets that the page makes: the same files as by simulate,
# stopped as by Ctrl-C, never outside of the folder.
#
#   cli_studio_run.py PROGRAM [unittest arguments]
import json
import os
import signal
import time

from program import TINY_SCENE, main
from studio_page import JSON, PATIENCE, StudioTest

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


class RunTest(StudioTest):
    def post(self, page, path, **asked):
        status, _, body = page.ask(path, "POST", json.dumps(asked).encode(), JSON)
        return status, json.loads(body)

    def run_scene(self, page, toml=TINY_SCENE, name="scene.toml", output="data", **more):
        return self.post(page, "/api/run", toml=toml, name=name, output=output, **more)

    def state(self, page):
        return json.loads(page.ask("/api/run")[2])

    def wait(self, page, holds=lambda state: state["state"] != "running"):
        """The state of the run, once it holds."""
        end = time.monotonic() + PATIENCE
        while time.monotonic() < end:
            state = self.state(page)
            if holds(state):
                return state
            time.sleep(0.01)
        self.fail(f"the run did not come so far: {state}")

    def made(self, page, **asked):
        status, answer = self.run_scene(page, **asked)
        self.assertEqual((status, answer.get("state")), (200, "running"), answer)
        state = self.wait(page)
        self.assertEqual(state["state"], "done", state)
        return state

    def begun(self, page):
        """Begins a run that takes some seconds, and waits until it is at work."""
        self.assertEqual(self.run_scene(page, SLOW_SCENE)[0], 200)
        return self.wait(page, lambda state: state["stage"] or state["state"] != "running")


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
        changed = TINY_SCENE.replace("seed = 7", "seed = 8")
        status, answer = self.run_scene(page, changed, output="data2")
        self.assertEqual(status, 409)
        self.assertIn("scene.toml has another text", answer["error"])
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


class Stop(RunTest):
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


class Reports(RunTest):
    def test_are_served_with_a_policy_of_their_own(self):
        page = self.opened()
        self.assertEqual(self.post(page, "/api/report", output="data")[0], 404)
        self.made(page)
        self.assertEqual(self.post(page, "/api/report", output="data")[0], 200)
        state = self.wait(page)
        self.assertEqual((state["kind"], state["state"], state["page"]),
                         ("report", "done", "data-report.html"), state)
        status, headers, body = page.ask("/data/data-report.html")
        self.assertEqual((status, headers.get_content_type()), (200, "text/html"))
        self.assertEqual(headers.get_all("Content-Security-Policy"), [
            "default-src 'none'; style-src 'unsafe-inline'; img-src data:; base-uri 'none'; "
            "form-action 'none'; frame-ancestors 'none'; sandbox"])
        with open(self.path("data-report.html"), "rb") as file:
            self.assertEqual(file.read(), body)
        self.check(page, 403, "/data/data-report.html", headers={"Cookie": None})
        self.assertEqual(self.post(page, "/api/report", output="data")[0], 200)  # its own page
        self.assertEqual(self.wait(page)["state"], "done")

    def test_replace_no_page_of_others(self):
        page = self.opened()
        self.made(page)
        self.text("data-report.html", "mine")
        status, answer = self.post(page, "/api/report", output="data")
        self.assertEqual(status, 409)
        self.assertIn("data-report.html", answer["error"])
        self.check(page, 404, "/data/data-report.html")
        self.assertEqual(self.post(page, "/api/report", output="data", overwrite=True)[0], 200)
        self.assertEqual(self.wait(page)["state"], "done")

    def test_of_sets_of_a_sweep(self):
        page = self.opened()
        self.made(page, toml=SWEEP)
        for wrong in ("none", "..", "na-1/..", "/", "."):
            self.assertEqual(self.post(page, "/api/report", output="data", set=wrong)[0], 404)
        self.assertEqual(self.post(page, "/api/report", output="data", set="na-1.2")[0], 200)
        self.assertEqual(self.wait(page)["page"], "data-na-1.2-report.html")
        self.check(page, 200, "/data/data-na-1.2-report.html")
        self.check(page, 200, "/data/data/na-1.2/preview.png")


class Files(RunTest):
    def test_of_data_sets_are_shown_and_no_others(self):
        page = self.opened()
        self.check(page, 404, "/data/data/preview.png")
        self.made(page)
        self.text("secret.txt", "secret")
        os.mkdir(self.path("other"))
        self.text("other/preview.png", "secret")
        os.symlink(self.path("secret.txt"), self.path("data/link.txt"))
        os.symlink(self.path("other"), self.path("data/folder"))
        os.mkfifo(self.path("data/pipe"))
        self.text("data/.hidden", "secret")
        with open(self.path("data/large"), "wb") as file:
            file.truncate(65 << 20)
        for name, kind in (("preview.png", "image/png"), ("objects.csv", "text/plain"),
                           ("scene.json", "application/json"),
                           ("world.h5", "application/octet-stream")):
            status, headers, body = page.ask(f"/data/data/{name}")
            self.assertEqual((status, headers.get_content_type()), (200, kind))
            self.assertEqual(headers["X-Content-Type-Options"], "nosniff")
            with open(self.path(f"data/{name}"), "rb") as file:
                self.assertEqual(file.read(), body)
        for path in ("data", "data/", "secret.txt", "scene.toml", "other/preview.png", "data/none",
                     "data/link.txt", "data/folder/preview.png", "data/pipe", "data/.hidden",
                     "data/../secret.txt", "data/%2e%2e/secret.txt", "data/..%2fsecret.txt",
                     "..%2fsecret.txt", "%2fetc%2fpasswd", "data/%2fetc%2fpasswd", ".", "..",
                     "data/preview.png/.", "data//preview.png", "data/preview.png%00"):
            with self.subTest(path):
                self.check(page, 404, f"/data/{path}")
        self.check(page, 413, "/data/data/large")
        self.check(page, 403, "/data/data/preview.png", headers={"Cookie": None})
        self.check(page, 405, "/data/data/preview.png", "POST", b"{}", JSON)
        for method in ("PUT", "DELETE"):
            self.assertGreaterEqual(page.ask("/data/data/preview.png", method)[0], 400)

    def test_of_a_data_set_that_becomes_a_link_are_not_shown(self):
        page = self.opened()
        self.made(page)
        os.mkdir(self.path("other"))
        self.text("other/secret.txt", "secret")
        os.rename(self.path("data"), self.path("moved"))
        os.symlink(self.path("other"), self.path("data"))
        self.check(page, 404, "/data/data/secret.txt")


if __name__ == "__main__":
    main()
