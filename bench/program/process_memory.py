# SPDX-License-Identifier: MIT
"""Runs a program and watches how much memory it holds."""
import json
import pathlib
import re
import subprocess
import tempfile
import time


def kilobytes(status, key):
    found = re.search(rf"^{key}:\s+(\d+) kB", status, re.MULTILINE)
    return int(found[1]) * 1024 if found else 0


def run_watched(command, every_seconds=0.01):
    """The JSON object that the command prints, with what was seen from outside: peak anonymous and
    peak resident bytes and wall seconds. A failure comes back as {"refused": its last line}."""
    command = [str(word) for word in command]
    anonymous = resident = 0
    with tempfile.TemporaryFile("w+") as said, tempfile.TemporaryFile("w+") as printed:
        begun = time.monotonic()
        with subprocess.Popen(command, stdout=printed, stderr=said) as process:
            while process.poll() is None:
                try:
                    status = pathlib.Path(f"/proc/{process.pid}/status").read_text()
                except OSError:
                    break
                anonymous = max(anonymous, kilobytes(status, "RssAnon"))
                resident = max(resident, kilobytes(status, "VmHWM"))
                time.sleep(every_seconds)
            process.wait()
        seconds = time.monotonic() - begun
        printed.seek(0)
        said.seek(0)
        if process.returncode != 0:
            lines = said.read().strip().splitlines() or ["it said nothing"]
            return {"refused": f"exit {process.returncode}: {lines[-1]}"}
        result = json.loads(printed.read())
    return {**result, "peak_anonymous_bytes": anonymous, "peak_resident_bytes": resident,
            "wall_seconds": seconds}
