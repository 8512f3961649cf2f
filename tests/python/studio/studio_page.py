# SPDX-License-Identifier: MIT
# tests/python/studio/studio_page.py — a program that serves its page, and requests to it as a
# browser or an attacker sends them.
import http.client
import json
import socket
import subprocess
import sys
import time
import urllib.parse

from program import PROGRAM, SKIPPED, TINY_SCENE, ProgramTest

USAGE = 2
PATIENCE = 60  # seconds until a request counts as lost: a guard, and never a measurement
JSON = {"Content-Type": "application/json"}


class Page:
    """A program that serves its page to requests of this test."""

    def __init__(self, folder, *arguments, environment=None, opens=False):
        quietly = [] if opens else ["--no-open"]
        self.program = subprocess.Popen(
            [PROGRAM, "studio", *quietly, *arguments], cwd=folder, stdout=subprocess.PIPE,
            stderr=subprocess.PIPE, text=True, env=environment or ProgramTest.environment())
        self.address = self.program.stdout.readline().rstrip("\n")
        parts = urllib.parse.urlsplit(self.address)
        self.port, self.token = parts.port, parts.query.removeprefix("token=")
        self.first = f"{parts.path}?{parts.query}"  # what a browser asks for at that address
        self.cookie = ""

    def ask(self, path, method="GET", body=None, headers=None):
        """Returns status, headers and bytes; a header of None is left out."""
        sent = {"Host": f"127.0.0.1:{self.port}", "Cookie": self.cookie, **(headers or {})}
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=PATIENCE)
        try:
            connection.putrequest(method, path, skip_host=True, skip_accept_encoding=True)
            if body is not None and "Content-Length" not in sent:
                sent["Content-Length"] = str(len(body))
            for name, value in sent.items():
                if value is not None:
                    connection.putheader(name, value)
            connection.endheaders()
            try:
                connection.send(body or b"")
            except OSError:
                pass  # it was refused before all of it was read
            response = connection.getresponse()
            return response.status, response.headers, response.read()
        finally:
            connection.close()

    def open(self):
        """Opens the printed address as a browser does, and keeps its cookie."""
        status, headers, body = self.ask(self.first)
        self.cookie = headers.get("Set-Cookie", "").split(";")[0]
        return status, headers, body

    def save(self, name, toml=TINY_SCENE, **more):
        body = json.dumps({"toml": toml, "name": name, **more}).encode()
        status, _, answer = self.ask("/api/save", "POST", body, JSON)
        return status, json.loads(answer)

    def raw(self, sent=b""):
        """A socket that has sent these bytes."""
        connection = socket.create_connection(("127.0.0.1", self.port), timeout=PATIENCE)
        connection.sendall(sent)
        return connection

    def end(self, how):
        self.program.send_signal(how)
        _, said = self.program.communicate(timeout=PATIENCE)
        return self.program.returncode, said


class StudioTest(ProgramTest):
    def start(self, *arguments, **options):
        page = Page(self.folder, *arguments, **options)
        self.addCleanup(page.program.stdout.close)
        self.addCleanup(page.program.stderr.close)
        self.addCleanup(page.program.wait)
        self.addCleanup(page.program.kill)
        return page

    def opened(self, *arguments):
        page = self.start(*arguments)
        self.assertEqual(page.open()[0], 200)
        return page

    def check(self, page, status, path, *words, **named):
        answer = page.ask(path, *words, **named)
        self.assertEqual(answer[0], status, (path, words, named, answer[2][:300]))
        if status >= 400:
            self.assertTrue(json.loads(answer[2])["error"], path)


class RunTest(StudioTest):
    """Runs of the page: by requests, as the page sends them."""

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


def is_built():
    """Whether the program has a library for HTTP."""
    with socket.create_server(("127.0.0.1", 0)) as taken:
        result = subprocess.run(
            [PROGRAM, "studio", "--no-open", "--port", str(taken.getsockname()[1])], text=True,
            capture_output=True, check=False)
    if "built without cpp-httplib" not in result.stderr:
        return True
    assert result.returncode == USAGE, result.stderr
    return False


if not is_built():
    print("skipped: the program was built without cpp-httplib, and says so")
    sys.exit(SKIPPED)
