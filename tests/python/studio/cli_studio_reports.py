# SPDX-License-Identifier: MIT
# tests/python/studio/cli_studio_reports.py — reports that the page makes, and files of data sets
# that it shows: those and no others.
#
#   cli_studio_reports.py PROGRAM [unittest arguments]
import os

from program import TINY_SCENE, main
from studio_page import JSON, RunTest

SWEEP = TINY_SCENE + "[sweep]\noptics.na = [1.0, 1.2]\n"


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
