# SPDX-License-Identifier: MIT
"""How soon does the page of `synthoscope studio` have the images of a changed key?

usage: studio.py PROGRAM [OPTIONS OF studio]

Speaks with the program as the page does, and prints a table: the median of several changes of each
key, from the request of the preview until the last stack has arrived. Every round has a value that
was not shown before.
"""
import http.client
import json
import os
import statistics
import subprocess
import sys
import threading
import time
import urllib.parse

ROUNDS = 7
JSON = {"Content-Type": "application/json"}
SCENE = """seed = 3
[grid]
size = [{size}]
pitch_nm = [250, 130, 130]
{grid}[nuclei]
count = {count}
radius_um = {radius}
[optics]
na = 1.2
{optics}[camera]
kind = "scmos"
"""

# A scene, and the keys that change with the values of the rounds
SMALL = {"size": "48, 192, 192", "count": 12, "radius": 2.5, "grid": "", "optics": ""}
LARGE = {**SMALL, "size": "64, 512, 512", "count": 100}
KEYS = (("camera", "camera.offset_dn", lambda i: 100 + i),
        ("camera", "camera.read_noise_electrons", lambda i: 1 + 0.1 * i),
        ("dose", "illumination.dose", lambda i: 1 + 0.1 * i),
        ("background", "background.photons_per_pixel", lambda i: 1 + 0.1 * i),
        ("light", "light.nuclei", lambda i: 1 + 0.1 * i),
        ("optics", "optics.na", lambda i: 1.0 + 0.01 * i),
        ("optics", "optics.wavelength_nm", lambda i: 500 + i),
        ("phantom", "nuclei.count", lambda i: 5 + i),
        ("phantom", "seed", lambda i: 10 + i))
SCENES = (
    ("48x192x192", SMALL, KEYS),
    ("48x192x192, an SNR", SMALL, (("dose", "illumination.snr", lambda i: 5 + 0.1 * i),)),
    ("48x192x192, richards-wolf", {**SMALL, "optics": 'model = "richards-wolf"\n'}, KEYS[2:8:3]),
    ("48x192x192, depth-varying", {**SMALL, "optics": "sample_index = 1.4\ndepth_um = 10\n"
                                   "depth_varying = true\n"}, KEYS[2:8:3]),
    ("48x192x192 of 64x512x512", LARGE, KEYS[2:8:3]),
    ("64x512x512", {**LARGE, "whole": True}, KEYS),
)


class Client:
    """The page, without a browser."""

    def __init__(self, program, words):
        self.program = subprocess.Popen([program, "studio", "--no-open", *words], text=True,
                                        stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
        address = urllib.parse.urlsplit(self.program.stdout.readline().rstrip("\n"))
        self.port = address.port
        self.cookie = ""
        self.cookie = self.ask(f"/?{address.query}")[0]["Set-Cookie"].split(";")[0]
        self.finished = {}
        self.arrival = threading.Condition()
        threading.Thread(target=self.listen, daemon=True).start()

    def send(self, path, body=None):
        connection = http.client.HTTPConnection("127.0.0.1", self.port)
        headers = {"Cookie": self.cookie, **(JSON if body is not None else {})}
        connection.request("GET" if body is None else "POST", path,
                           None if body is None else json.dumps(body), headers)
        return connection.getresponse()

    def ask(self, path, body=None):
        answer = self.send(path, body)
        content = answer.read()
        if answer.status != 200:
            raise SystemExit(f"{path}: {content.decode()}")
        return answer.headers, content

    def listen(self):
        for line in self.send("/api/events"):
            if not line.startswith(b"data: "):
                continue
            event = json.loads(line[6:])
            if event["type"] in ("preview", "failed"):
                with self.arrival:
                    self.finished[event["id"]] = event
                    self.arrival.notify_all()

    def set(self, toml, key, value):
        answer = json.loads(self.ask("/api/set", {"toml": toml, "key": key, "value": value})[1])
        if not answer["ok"]:
            raise SystemExit(answer["error"])
        return answer["toml"]

    def preview(self, toml, region=None):
        """Returns the seconds until the last voxel has arrived, and the event."""
        begin = time.perf_counter()
        number = json.loads(self.ask("/api/preview", {"toml": toml, "region": region})[1])["id"]
        with self.arrival:
            self.arrival.wait_for(lambda: number in self.finished)
            event = self.finished.pop(number)
        if event["type"] == "failed":
            raise SystemExit(event["error"])
        channels = {}
        for stack in event["stacks"]:
            at = channels.setdefault(stack["name"], 0)
            channels[stack["name"]] += 1
            if stack["since"] == number:
                self.ask(f"/api/preview/{number}/{stack['name']}/{at}")
        return time.perf_counter() - begin, event


def main():
    client = Client(os.path.abspath(sys.argv[1]), sys.argv[2:])
    print("| scene | stage | key | median s | slowest s | longest stages of the last |")
    print("|---|---|---|---|---|---|")
    for name, numbers, keys in SCENES:
        scene = SCENE.format(**{name: value for name, value in numbers.items() if name != "whole"})
        size = [int(n) for n in numbers["size"].split(",")]
        region = {"origin": [0, 0, 0], "extent": size} if "whole" in numbers else None
        seconds, event = client.preview(scene, region)
        print(row(name, "all", "a fresh start", [seconds], event))
        for stage, key, value in keys:
            walls = []
            for i in range(ROUNDS):
                seconds, event = client.preview(client.set(scene, key, value(i)), region)
                walls.append(seconds)
            print(row(name, stage, key, walls, event), flush=True)
            client.preview(scene, region)
    client.program.terminate()


def row(name, stage, key, walls, event):
    longest = sorted(event["seconds"].items(), key=lambda item: -item[1])[:3]
    stages = ", ".join(f"{each} {wall:.2f}" for each, wall in longest if wall >= 0.005)
    return (f"| {name} | {stage} | `{key}` | {statistics.median(walls):.2f} | {max(walls):.2f} "
            f"| {stages} |")


main()
