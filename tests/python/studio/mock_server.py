# SPDX-License-Identifier: MIT
"""Serves studio/page with the routes of `synthoscope studio`, but with made-up images, for tests of
the page and for work on it:

    python mock_server.py build/release/tools/synthoscope [PORT]

The keys and examples are the program's own. Scenes are only checked for their syntax, their names
and their ranges, and a preview is a few balls, blurred by a Gaussian.
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
import tomllib

import numpy

SOURCE = pathlib.Path(__file__).resolve().parents[3]
PAGE = SOURCE / "studio" / "page"
POLICY = ("default-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'; "
          "object-src 'none'")
NUMBER = r"-?[0-9.]+(?:e[0-9]+)?"
ALWAYS_USED = {"", "grid", "optics", "background", "camera"}
STAGES = {"optics": "optics", "camera": "camera", "background": "background", "light": "dose",
          "illumination": "dose", "grid": "phantom", "nuclei": "phantom"}


# --- keys -------------------------------------------------------------------------------------


def key_row(row):
    """Returns a row of `synthoscope keys --json` as the page's server gives it."""
    table, _, name = row["key"].rpartition(".")
    kind = kind_of(row["type"])
    low, high, low_open = range_of(row["range"])
    default = default_of(row["default"], kind)
    return {"name": name, "full": row["key"], "kind": kind, "unit": row["unit"], "low": low,
            "high": high, "low_open": low_open, "high_open": False,
            "choices": re.findall(r'"([^"]*)"', row["type"]) if kind == "choice" else [],
            "default": default, "optional": default is None,
            "absent": row["default"] if default is None else None, "help": row["help"],
            "stage": STAGES.get(table, "other")}


def kind_of(words):
    if words.startswith("["):
        return "list_of_integers" if "whole" in words else "list_of_numbers"
    if words.startswith('"'):
        return "choice"
    kinds = {"number": "number", "whole number": "integer", "true or false": "switch",
             "file name": "file", "name or number": "text_or_number"}
    return kinds.get(words, "terms")


def range_of(words):
    words = words or ""
    low_open = words.startswith("above")
    found = re.fullmatch(f"(?:above )?({NUMBER}) (?:up to|to) ({NUMBER})", words)
    if found:
        return float(found[1]), float(found[2]), low_open
    found = re.fullmatch(f"({NUMBER}) or more", words)
    return (float(found[1]), None, False) if found else (None, None, False)


def default_of(words, kind):
    try:
        value = json.loads(words)
    except ValueError:
        return None
    return value if not kind.startswith("list") or isinstance(value, list) else None


# --- scenes -----------------------------------------------------------------------------------


def flat(table, above=""):
    """Yields every key of a scene with its full name."""
    for name, value in table.items():
        if isinstance(value, dict):
            yield from flat(value, f"{above}{name}.")
        else:
            yield above + name, value


def line_of(toml, key):
    """Returns the line, from 1, that gives a key, or None."""
    table, _, name = key.rpartition(".")
    at = ""
    for number, line in enumerate(toml.split("\n"), 1):
        if header := re.match(r"\s*\[([\w.]+)\]", line):
            at = header[1]
        elif at == table and re.match(rf"\s*{name}\s*=", line):
            return number
    return None


def set_key(toml, key, value):
    """Returns the text with a key changed, added, or removed where the value is None."""
    table, _, name = key.rpartition(".")
    lines = toml.split("\n")
    at = line_of(toml, key)
    if value is None:
        return "\n".join(lines[:at - 1] + lines[at:]) if at else toml
    text = f"{name} = {json.dumps(value)}"
    if at:
        comment = re.search(r"\s+#.*$", lines[at - 1])
        lines[at - 1] = text + (comment[0] if comment else "")
        return "\n".join(lines)
    if not table:
        return "\n".join([text, *lines])
    for number, line in enumerate(lines):
        if re.match(rf"\s*\[{re.escape(table)}\]", line):
            return "\n".join([*lines[:number + 1], text, *lines[number + 1:]])
    return toml.rstrip("\n") + f"\n\n[{table}]\n{text}\n"


class Keys:
    def __init__(self, rows):
        self.rows = {row["key"]: key_row(row) for row in rows}
        tables = {}
        for full, row in self.rows.items():
            tables.setdefault(full.rpartition(".")[0], []).append(row)
        self.tables = [{"table": table, "keys": keys} for table, keys in tables.items()]

    def check(self, toml):
        """Returns what /api/check answers."""
        try:
            given = dict(flat(tomllib.loads(toml)))
        except tomllib.TOMLDecodeError as wrong:
            found = re.search(r"at line (\d+)", str(wrong))
            return refused(f"The scene cannot be read: {wrong}.", int(found[1]) if found else None)
        values = {full: row["default"] for full, row in self.rows.items()}
        for key, value in given.items():
            if key == "channel" or key.startswith("sweep."):
                continue
            if problem := self.problem(key, value):
                return refused(problem, line_of(toml, key))
            values[key] = value
        size, pitch = values["grid.size"], values["grid.pitch_nm"]
        used = sorted(ALWAYS_USED | {key.rpartition(".")[0] for key in given})
        return {"ok": True, "values": values, "given": list(given), "used_tables": used,
                "channels": channels_of(toml),
                "grid": {"extent": size, "voxel_um": [nm / 1000 for nm in pitch]}}

    def problem(self, key, value):
        """Returns what is wrong with a value, or None."""
        row = self.rows.get(key)
        if row is None:
            return f"{key}: there is no such key; see the list of keys."
        if row["kind"] == "choice" and value not in row["choices"]:
            return f"{key} = {value!r}: choose one of {', '.join(row['choices'])}."
        if row["kind"] in ("number", "integer"):
            if not isinstance(value, (int, float)):
                return f"{key} = {value!r} is not a number; give one."
            if ((row["low"] is not None and value < row["low"])
                    or (row["high"] is not None and value > row["high"])):
                return f"{key} = {value} is out of range; give {row['low']} to {row['high']}."
        return None


def refused(sentence, line):
    return {"ok": False, "error": sentence, "line": line}


def channels_of(toml):
    return [each.get("name", "") for each in tomllib.loads(toml).get("channel", [])] or [""]


# --- previews ---------------------------------------------------------------------------------


def blurred(volume, sigmas):
    """Returns a volume blurred by a Gaussian with these standard deviations in voxels."""
    spectrum = numpy.fft.rfftn(volume)
    frequencies = numpy.ix_(*(numpy.fft.fftfreq(n) for n in volume.shape[:2]),
                            numpy.fft.rfftfreq(volume.shape[2]))
    for frequency, sigma in zip(frequencies, sigmas):
        spectrum *= numpy.exp(-2 * (numpy.pi * frequency * sigma) ** 2)
    return numpy.fft.irfftn(spectrum, s=volume.shape).clip(min=0)


def balls(extent, voxel_um, count, radius_um, random):
    """Returns labels of balls that may cut each other; later ones win."""
    labels = numpy.zeros(extent, numpy.uint16)
    axes = numpy.ix_(*(numpy.arange(n) * um for n, um in zip(extent, voxel_um)))
    for label in range(1, count + 1):
        centre = [random.uniform(0.1, 0.9) * n * um for n, um in zip(extent, voxel_um)]
        shape = [0.8, random.uniform(0.85, 1.1), random.uniform(0.9, 1.2)]
        distance = sum(((axis - at) / (radius_um * ratio)) ** 2
                       for axis, at, ratio in zip(axes, centre, shape))
        labels[distance < 1] = label
    return labels


def make_preview(checked, region):
    """Returns the event of a preview, without its number, and its stacks as arrays."""
    values, grid = checked["values"], checked["grid"]
    extent, voxel_um = region["extent"], grid["voxel_um"]
    random = numpy.random.default_rng(values["seed"] or 1)
    labels = balls(extent, voxel_um, int(values["nuclei.count"] or 12),
                   values["nuclei.radius_um"] or 3, random)
    across_um = 0.51 * 0.52 / values["optics.na"]
    widths_um = [0.88 * 0.52 / values["optics.na"] ** 2 * 1.4, across_um, across_um]
    sigmas = [um / 2.355 / voxel for um, voxel in zip(widths_um, voxel_um)]
    stacks = {("labels", None): labels}
    for number, channel in enumerate(checked["channels"]):
        light = (labels > 0) * (1 + 0.5 * ((labels * (7 + number)) % 5)) * 30.0
        light *= 0.7 + 0.6 * blurred(random.random(extent), [2, 2, 2])
        photons = blurred(light, sigmas) + (values["background.photons_per_pixel"] or 0)
        exposed = random.poisson(photons * (values["camera.exposure_seconds"] or 0.1) * 10)
        image = (100 + 2 * exposed + random.normal(0, 3, extent)).clip(0, 65535)
        stacks["light", channel] = light.astype(numpy.float32)
        stacks["photons", channel] = photons.astype(numpy.float32)
        stacks["image", channel] = image.astype(numpy.uint16)
        point = numpy.zeros((21, 41, 41))
        point[10, 20, 20] = 1
        stacks["psf", channel] = blurred(point, sigmas).astype(numpy.float32)
    event = {"type": "preview", "region": region, "snr": float(numpy.sqrt(photons.max())),
             "psf_widths_um": widths_um,
             "warnings": ["The sampling along z is coarse for this PSF."],
             "seconds": {"phantom": 0.12, "psf": 0.05, "blur": 0.21, "camera": 0.03},
             "stacks": [{"name": name, "channel": channel, "type": str(stack.dtype),
                         "extent": list(stack.shape)} for (name, channel), stack in stacks.items()]}
    return event, stacks


# --- the server -------------------------------------------------------------------------------


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
        if file.parent != PAGE or not file.is_file():
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
