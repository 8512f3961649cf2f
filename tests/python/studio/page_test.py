# SPDX-License-Identifier: MIT
"""Opens the page of `synthoscope studio` in a real browser, for the tests of this folder."""
import contextlib
import json
import os
import re
import subprocess
import sys
import tempfile
import unittest

SKIPPED = 77

from browser import MISSING, Browser

if MISSING:
    print(f"skipped: no {' or '.join(MISSING)}; Debian has chromium and chromium-driver")
    sys.exit(SKIPPED)

from program import PROGRAM  # skips if a module of the checks is missing
from studio_page import Page
import numpy

SMALL = """seed = 3
[grid]
size = [12, 48, 40]   # voxels
[nuclei]
count = 5
radius_um = 0.5
gap_um = 0
[optics]
na = 1.2
[camera]
kind = "scmos"
"""
# Its labels alone take a second or more, and light comes from far away.
SLOW = """seed = 3
[grid]
size = [200, 700, 700]
[nuclei]
count = 60
[optics]
model = "richards-wolf"
na = 1.3
"""
NEWEST = "const newest = Number(document.querySelector('#panes').dataset.preview ?? 0);"
LEFT, UP, RIGHT, DOWN, END, HOME = "\ue012", "\ue013", "\ue014", "\ue015", "\ue010", "\ue011"
PAGE_UP, PAGE_DOWN = "\ue00e", "\ue00f"
TAB, ENTER, SHIFT, CONTROL, NULL = "\ue004", "\ue007", "\ue008", "\ue009", "\ue000"


def program_in(folder, clean_up, *arguments):
    """Starts a program that serves its page; `clean_up` takes what ends it."""
    program = Page(folder, *arguments)
    for clean in (program.program.stdout.close, program.program.stderr.close,
                  program.program.wait, program.program.kill):
        clean_up(clean)
    program.open()
    return program


class BrowserTest(unittest.TestCase):
    """The tests of a class share a browser."""

    @classmethod
    def setUpClass(cls):
        cls.browser = Browser()
        cls.addClassCleanup(cls.browser.close)

    def wait(self, what, holds):
        return self.browser.wait(holds, what)

    def value(self, selector):
        return self.browser.run("return document.querySelector(arguments[0])?.value", selector)

    def count(self, selector):
        return self.browser.run("return document.querySelectorAll(arguments[0]).length", selector)

    def is_shown(self, selector):
        return self.browser.run(
            "return document.querySelector(arguments[0])?.checkVisibility() ?? false", selector)

    def status(self):
        return self.browser.text("#status")

    def notice(self):
        return self.browser.text("#notice")


class PageTest(BrowserTest):
    """The tests of a class share a program, too, which serves the scene small.toml from a folder
    of its own. Each begins with the page of that scene and its preview."""

    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        folder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(folder.cleanup)
        cls.folder = folder.name
        cls.write("small.toml", SMALL)
        cls.program = cls.start("small.toml")

    @classmethod
    def start(cls, *arguments):
        return program_in(cls.folder, cls.addClassCleanup, *arguments)

    def setUp(self):
        self.write("small.toml", SMALL)
        self.open_page()
        self.wait_for_preview()

    def tearDown(self):
        self.assertEqual(self.browser.errors(), [])

    # The folder of the program

    @classmethod
    def write(cls, name, text):
        with open(os.path.join(cls.folder, name), "w", encoding="utf-8") as file:
            file.write(text)

    def written(self, name):
        with open(os.path.join(self.folder, name), encoding="utf-8") as file:
            return file.read()

    def run_beside(self, *words):
        """Runs the program's command line in the folder."""
        return subprocess.run([PROGRAM, *words], cwd=self.folder, capture_output=True, text=True,
                              check=False)

    # The page

    def open_page(self, program=None):
        self.browser.open((program or self.program).address)
        self.browser.run("performance.setResourceTimingBufferSize(10000)")  # for `asked`
        self.wait("the form", lambda: self.browser.run(
            "return document.querySelector('#search') !== null"))

    def wait(self, what, holds):
        try:
            return self.browser.wait(holds, what)
        except AssertionError as late:
            raise AssertionError(f"{late}; the page says: {self.status()} "
                                 f"{self.browser.text('#scene-error')}; previews: {self.asked()}; "
                                 f"errors: {self.browser.errors()}") from None

    def toml(self):
        return self.value("#toml")

    def show_key(self, key):
        """Searches for a key, so that its field is shown, and returns the field's selector."""
        field = "#key-" + key.replace(".", "-")
        self.browser.run("const s = document.querySelector('#search'); s.value = arguments[0];"
                         "s.dispatchEvent(new Event('input'))", key)
        self.assertTrue(self.is_shown(field), key)
        return field

    def message_of(self, key):
        return self.browser.text(f"[data-key='{key}'] .message")

    def replace_text(self, toml):
        """Replaces the scene's text as if it were pasted."""
        self.browser.change("#toml", toml, "input")

    # Previews

    def asked(self):
        """How many previews the page has asked for, and the paths of the voxels that it read."""
        paths = self.browser.run("return performance.getEntriesByType('resource')"
                                 ".map((entry) => new URL(entry.name).pathname)")
        return (paths.count("/api/preview"),
                [path for path in paths if path.startswith("/api/preview/")])

    def shown_number(self):
        """The number of the preview that is shown; 0 if there is none."""
        return self.browser.run(NEWEST + "return newest")

    def wait_for_preview(self, after=0):
        self.wait("a preview", lambda: self.browser.run(
            NEWEST + "return newest > arguments[0] &&"
            "document.querySelector('#status').textContent.startsWith('Ready')", after))

    @contextlib.contextmanager
    def new_preview(self):
        """Waits for the preview of what is done inside."""
        before = self.shown_number()
        yield
        self.wait_for_preview(before)

    def voxels(self, stack="image", channel=0):
        """The voxels of the preview that is shown, as the program gives them."""
        status, _, body = self.program.ask(f"/api/preview/{self.shown_number()}/{stack}/{channel}")
        self.assertEqual(status, 200)
        kind = {"image": numpy.uint16, "labels": None}.get(stack, numpy.float32)
        return numpy.frombuffer(body, kind or numpy.uint8)

    def keys(self):
        """Every key of a scene."""
        tables = json.loads(self.program.ask("/api/keys")[2])
        return [key for table in tables for key in table["keys"]]

    def assert_line(self, pattern):
        """The scene's text gets a line that matches."""
        self.wait(pattern, lambda: re.search(f"(?m)^{pattern}", self.toml()))


def main():
    unittest.main(argv=[sys.argv[0], *sys.argv[2:]])
