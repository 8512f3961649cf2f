# SPDX-License-Identifier: MIT
"""Serves studio/page with the routes of `synthoscope studio`, but with made-up images, for tests of
the page and for work on it:

    python mock_server.py build/release/tools/synthoscope [PORT]

The keys and examples are the program's own; checks and previews are those of mock_scene.py and
mock_preview.py.
"""
import http.server
import json
import mimetypes
import pathlib
import queue
import re
import subprocess
import sys
import tempfile
import threading
import time

from mock_preview import make_preview
from mock_scene import Keys, set_key

SOURCE = pathlib.Path(__file__).resolve().parents[3]
PAGE = SOURCE / "studio" / "page"
POLICY = ("default-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'; "
          "object-src 'none'")


class MockServer(http.server.ThreadingHTTPServer):
    """Keeps every request of the page in `requests`; `preview_seconds` delays the next previews."""

    daemon_threads = True

    def __init__(self, program, port=0):
        super().__init__(("127.0.0.1", port), Handler)
        def listing(*words):
            return json.loads(subprocess.run([program, *words, "--json", "--quiet"], check=True,
                                             capture_output=True).stdout)
        self.program = program
        self.keys = Keys(listing("keys")["keys"])
        self.examples = listing("init")["examples"]
        self.requests, self.listeners, self.previews = [], [], {}
        self.saved, self.finished = {}, set()
        self.opened = {"name": None, "toml": ""}
        self.preview_seconds = 0.0
        self.lock = threading.Lock()

    def handle_error(self, request, client_address):
        # A browser that opens another page drops its connections
        if not isinstance(sys.exc_info()[1], ConnectionError):
            super().handle_error(request, client_address)

    @property
    def address(self):
        return f"http://127.0.0.1:{self.server_address[1]}/"

    def example(self, name):
        with tempfile.TemporaryDirectory() as folder:
            subprocess.run([self.program, "init", name, "-o", folder, "--quiet"], check=True)
            found = pathlib.Path(folder).rglob(f"{pathlib.Path(name).name}.toml")
            return next(found).read_text("utf-8")

    def send_event(self, event):
        for listener in list(self.listeners):
            listener.put(event)

    def start_preview(self, toml, region):
        with self.lock:
            number = len(self.previews) + 1
            self.previews[number] = {}
        checked = self.keys.check(toml)
        region = region or {"origin": [0, 0, 0], "extent": checked["grid"]["extent"]}
        threading.Thread(target=self.finish_preview, daemon=True,
                         args=(number, checked, region, self.preview_seconds)).start()
        return number

    def finish_preview(self, number, checked, region, seconds):
        self.send_event({"type": "progress", "id": number, "stage": "blur", "done": 3, "total": 10})
        event, self.previews[number] = make_preview(checked, region)
        time.sleep(seconds)
        self.send_event({**event, "id": number})
        self.finished.add(number)


class Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def log_message(self, *_):
        pass

    def answer(self, body, status=200, kind="application/json"):
        data = body if isinstance(body, bytes) else json.dumps(body).encode()
        self.send_response(status)
        self.send_header("Content-Type", kind)
        self.send_header("Content-Length", str(len(data)))
        self.send_header("Content-Security-Policy", POLICY)
        self.end_headers()
        self.wfile.write(data)

    def do_GET(self):
        path = self.path.partition("?")[0]
        if path == "/api/keys":
            self.answer(self.server.keys.tables)
        elif path == "/api/scene":
            self.answer(self.server.opened)
        elif path == "/api/examples":
            self.answer(self.server.examples)
        elif path.startswith("/api/examples/"):
            name = path.removeprefix("/api/examples/").replace("%2F", "/")
            self.answer({"toml": self.server.example(name)})
        elif path == "/api/events":
            self.send_events()
        elif path.startswith("/api/preview/"):
            self.answer_voxels(*path.split("/")[3:])
        else:
            self.answer_file(path.lstrip("/") or "index.html")

    def answer_file(self, name):
        file = PAGE / name
        if PAGE not in file.parents or not file.is_file():
            self.answer({"error": f"There is no file {name}."}, 404)
            return
        kind = "text/javascript" if name.endswith(".js") else mimetypes.guess_type(name)[0]
        self.answer(file.read_bytes(), kind=f"{kind}; charset=utf-8")

    def answer_voxels(self, number, name, channel):
        stacks = [stack for (each, _), stack in self.server.previews.get(int(number), {}).items()
                  if each == name]
        if int(channel) >= len(stacks):
            self.answer({"error": "These voxels are gone."}, 404)
            return
        self.answer(stacks[int(channel)].tobytes(), kind="application/octet-stream")

    def send_events(self):
        listener = queue.Queue()
        self.server.listeners.append(listener)
        self.send_response(200)
        self.send_header("Content-Type", "text/event-stream")
        self.end_headers()
        self.close_connection = True
        try:
            self.wfile.write(b": begin\n\n")
            while True:
                self.wfile.write(f"data: {json.dumps(listener.get())}\n\n".encode())
        except OSError:
            self.server.listeners.remove(listener)

    def do_POST(self):
        body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        self.server.requests.append((self.path, body))
        check = self.server.keys.check
        if self.path == "/api/check":
            self.answer(check(body["toml"]))
        elif self.path == "/api/set":
            toml = set_key(body["toml"], body["key"], body["value"])
            self.answer({"toml": toml, **check(toml)})
        elif self.path == "/api/preview":
            self.answer({"id": self.server.start_preview(body["toml"], body["region"])})
        elif self.path == "/api/copy":
            self.answer({"command": f"simulate {body['name']}", "python": f"# {body['name']}"})
        elif self.path == "/api/save":
            self.save(body)
        else:
            self.answer({"error": "There is no such path."}, 404)

    def save(self, body):
        name = body["name"]
        if not re.fullmatch(r"[^/\\]+\.toml", name):
            self.answer({"error": f"{name} is not a file name that ends with .toml."}, 400)
        elif name in self.server.saved and body.get("overwrite") is not True:
            self.answer({"error": f"{name} exists."}, 409)
        else:
            self.server.saved[name] = body["toml"]
            self.answer({"saved": name})


if __name__ == "__main__":
    server = MockServer(sys.argv[1], int(sys.argv[2]) if len(sys.argv) > 2 else 0)
    print(server.address, flush=True)
    server.serve_forever()
