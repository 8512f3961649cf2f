# SPDX-License-Identifier: MIT
"""Previews of scenes, made by `synthoscope studio` as for its page in a browser."""
import contextlib
import http.cookiejar
import json
import re
import subprocess
import tempfile
import urllib.request

import numpy


class Studio:
    """A running `synthoscope studio` in a folder, as a context that ends it."""

    def __init__(self, program, folder):
        self.process = subprocess.Popen([program, "studio", "--no-open"], cwd=folder, text=True,
                                        stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
        self.address = address = self.process.stdout.readline().strip()
        if "?token=" not in address:
            raise RuntimeError(f"start {program} studio: it printed no address; see what the "
                               "command says in a terminal")
        self.base = address.partition("?")[0]
        cookies = urllib.request.HTTPCookieProcessor(http.cookiejar.CookieJar())
        self.opener = urllib.request.build_opener(cookies)
        self.opener.open(address).close()
        self.events = self.opener.open(self.base + "api/events")

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.events.close()
        self.process.terminate()
        self.process.wait()
        self.process.stdout.close()

    def get(self, path):
        """Returns the bytes of an answer."""
        with self.opener.open(self.base + path) as answer:
            return answer.read()

    def post(self, path, **body):
        request = urllib.request.Request(self.base + path, json.dumps(body).encode(),
                                         {"Content-Type": "application/json"})
        with self.opener.open(request) as answer:
            return json.load(answer)

    def examples(self):
        """Returns name, sentence and TOML text of all examples."""
        listed = json.loads(self.get("api/examples"))
        return [{**one, "toml": json.loads(self.get(f"api/examples/{one['name']}"))["toml"]}
                for one in listed]

    def preview(self, toml, region=None, frame=0):
        """Returns the event of a preview and its stacks, as arrays in the order of the event.

        Raises RuntimeError with the sentence of the program if it makes none.
        """
        number = self.post("api/preview", toml=toml, region=region, frame=frame)["id"]
        event = self.event_of(number)
        if event["type"] == "failed":
            raise RuntimeError(event["error"])
        names, stacks = [], []
        for stack in event["stacks"]:
            path = f"api/preview/{number}/{stack['name']}/{names.count(stack['name'])}"
            voxels = numpy.frombuffer(self.get(path), numpy.dtype(stack["type"]).newbyteorder("<"))
            names.append(stack["name"])
            stacks.append(voxels.reshape(stack["extent"]))
        return event, stacks

    def event_of(self, number):
        """Waits for the event that ends a preview."""
        for line in self.events:
            if line.startswith(b"data:"):
                event = json.loads(line[5:])
                if event.get("id") == number and event["type"] in ("preview", "failed"):
                    return event
        raise RuntimeError("wait for a preview: the program has ended")


def last_of_sweep(toml):
    """Returns a scene whose sweep has only the last value of each key, often the most light."""
    scene, table, sweep = toml.partition("[sweep]\n")
    of_sweep, next_table, rest = sweep.partition("\n[")
    return scene + table + re.sub(r"= \[.*?([^\[,]+)\]", r"= [\1]", of_sweep) + next_table + rest


@contextlib.contextmanager
def examples_in_a_studio(program, names=()):
    """Gives a Studio in a folder that has the files of all examples, and the examples of these
    names, or all."""
    with tempfile.TemporaryDirectory() as folder:
        subprocess.run([program, "init", "all", "-o", folder, "--quiet"], check=True,
                       stdout=subprocess.DEVNULL)
        with Studio(program, folder) as studio:
            every = studio.examples()
            unknown = set(names) - {one["name"] for one in every}
            if unknown:
                raise SystemExit(f"find the example {min(unknown)}: there is none; "
                                 f"{program} init lists all")
            yield studio, [one for one in every if not names or one["name"] in names]
