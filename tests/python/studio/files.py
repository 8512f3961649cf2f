# SPDX-License-Identifier: MIT
# tests/python/studio/files.py — files that are dropped onto the page or chosen in it, in a real
# browser beside the program.
#
#   files.py PROGRAM [unittest arguments]
import base64
import json
import os
import tempfile

from page_test import BrowserTest, main, program_in
import numpy  # after page_test, which skips without the modules of the checks
import tifffile

SCENE = """seed = 3
[grid]
size = [12, 48, 40]
pitch_nm = [300, 150, 150]
[nuclei]
count = 3
radius_um = 1.2
[optics]
size = [5, 9, 9]
[camera]
kind = "scmos"
em_gain = 1
"""
CAMERA = 'kind = "scmos"\ngain_dn_per_electron = 2.25  # +- 0.01\noffset_dn = 55\n'
DROP = """const [name, data] = arguments;
const bytes = Uint8Array.from(atob(data), (letter) => letter.charCodeAt(0));
const dataTransfer = new DataTransfer();
dataTransfer.items.add(new File([bytes], name));
for (const type of ["dragover", "drop"]) {
  document.querySelector("#views").dispatchEvent(
    new DragEvent(type, { dataTransfer, bubbles: true, cancelable: true }));
}"""
# Keeps what links download instead of saving it
KEEP = """window.kept = [];
let blob = null;
URL.createObjectURL = (made) => { blob = made; return ""; };
HTMLAnchorElement.prototype.click = function () {
  blob.arrayBuffer().then((bytes) => window.kept.push({ name: this.download,
    data: btoa(Array.from(new Uint8Array(bytes), (byte) => String.fromCharCode(byte)).join("")) }));
};"""


class FilesOfThePage(BrowserTest):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = folder.name
        self.text("scene.toml", SCENE)
        program = program_in(self.folder, self.addCleanup, "scene.toml")
        self.voxels = numpy.random.default_rng(4).integers(
            300, 900, (2, 16, 70, 60), dtype=numpy.uint16)
        tifffile.imwrite(self.path("real.ome.tif"), self.voxels, ome=True, metadata={
            "axes": "CZYX", "Channel": {"Name": ["red", "green"]}, "PhysicalSizeX": 0.2,
            "PhysicalSizeY": 0.2, "PhysicalSizeZ": 0.4})
        self.browser.errors()  # of the connection of the test before
        self.address = program.address.split("?")[0]
        self.browser.open(program.address)
        self.wait_for_preview()

    def tearDown(self):
        refused = [one for one in self.browser.errors() if "status of 4" not in one]
        self.assertEqual(refused, [])
        self.browser.open("about:blank")

    def path(self, name):
        return os.path.join(self.folder, name)

    def text(self, name, content):
        with open(self.path(name), "w", encoding="utf-8") as file:
            file.write(content)

    def content(self, name):
        with open(self.path(name), "rb") as file:
            return file.read()

    def wait(self, what, script):
        return self.browser.wait(lambda: self.browser.run(f"return {script}"), what)

    def wait_for_preview(self):
        self.wait("a preview", "document.querySelector('#status').textContent.startsWith('Ready')")

    def wait_for(self, selector):
        self.wait(selector, f"document.querySelector({json.dumps(selector)}) !== null")

    def drop(self, name, content):
        self.browser.run(DROP, name, base64.b64encode(content).decode())

    def picture(self, other_than=None):
        """Waits until the left pane shows another picture, and returns it."""
        script = "document.querySelector('.pane canvas').toDataURL()"
        self.browser.run_module("for (let i = 0; i < 2; i += 1)"
                                " await new Promise(requestAnimationFrame);")
        return self.browser.wait(
            lambda: (now := self.browser.run(f"return {script}")) != other_than and now,
            "another picture")

    def compare_with_real(self):
        self.compare_with("real.ome.tif")

    def compare_with(self, name):
        self.browser.click("#add-file")
        self.wait_for(f"[data-file='{name}']")
        self.browser.click(f"[data-file='{name}']")
        self.wait_for("#use-image")
        self.assertEqual(self.browser.run("return document.activeElement.id"), "use-image")
        self.browser.click("#use-image")
        self.wait("two panes", "document.querySelectorAll('.pane').length === 2")

    def test_an_image_of_the_folder_is_shown_beside_the_simulated_one(self):
        self.compare_with_real()
        self.assertEqual(self.browser.text(".pane-caption"), "File: real.ome.tif")
        self.assertIn("Image from a file", self.browser.text("#inspector"))
        # 12 x 48 x 40 voxels of 0.3, 0.15, 0.15 um are 9 x 36 x 30 of 0.4, 0.2, 0.2 um
        self.assertIn("the middle 9 × 36 × 30 of 16 × 70 × 60",
                      self.browser.text("#inspector .compared"))
        self.assertEqual(self.value("#file-voxel"), "400, 200, 200")
        shown = self.picture()
        for selector, value in (("#file-levels", "same"), ("#file-channel", "1"),
                                ("#file-part", "all")):
            self.browser.choose(selector, value)
            shown = self.picture(other_than=shown)
        self.assertIn("all 16 × 70 × 60", self.browser.text("#inspector .compared"))
        self.browser.enter("#file-voxel", "300, 150, 150")
        self.picture(other_than=shown)
        self.assertIn("As typed", self.browser.text("#file-voxel-source"))
        self.browser.enter("#file-voxel", "")
        self.assertEqual(self.value("#file-voxel"), "400, 200, 200")
        self.browser.click("#file-close")
        self.wait("one pane", "document.querySelectorAll('.pane').length === 1")
        self.assertFalse(self.browser.run(
            "return document.querySelector('#file-close').checkVisibility()"))

    def test_a_stack_without_names_may_be_a_movie_and_have_no_numbers(self):
        movie = numpy.full((9, 40, 30), numpy.nan, numpy.float32)
        movie[:, :20] = numpy.arange(9).reshape(9, 1, 1)
        movie[3, 5:9, 5:9] = 50
        tifffile.imwrite(self.path("movie.tif"), movie, metadata=None)
        self.compare_with("movie.tif")
        self.assertIn("Z=9", self.browser.text("#inspector .compared"))
        self.browser.enter("#file-axes", "tyx")
        self.wait_for("#file-frame")
        shown = self.picture()
        self.browser.enter("#file-frame", "3")
        self.picture(other_than=shown)
        self.browser.enter("#file-axes", "XYZTC")
        self.wait("a refusal", "document.querySelector('#notice.wrong')")
        self.browser.click("#add-file")
        self.wait_for("#file-choose")
        self.browser.click("#file-cancel")

    def test_functions_of_files(self):
        stack = "{extent: [1, 2, 3], data: Uint8Array.from([1, 2, 3, 4, 5, 6])}"
        for module, expression, value in (
                ("files/real_image_panel.js", "m.sizesIn('300, 150 150')", [0.3, 0.15, 0.15]),
                ("files/real_image_panel.js", "m.sizesIn('300, 0, 150')", None),
                ("files/real_image_panel.js", "m.sizesIn('300')", None),
                ("files/download.js", "m.stackFileName('a/first.toml', {name: 'image',"
                 " channel: 'gfp'})", "first-image-gfp.ome.tif"),
                ("files/download.js", "m.stackFileName('first', {name: 'psf', channel: null})",
                 "first-psf.ome.tif"),
                ("viewer/voxels.js", f"Array.from(m.partOf({stack}, [0, 0, 1], [1, 2, 2]).data)",
                 [2, 3, 5, 6]),
                ("viewer/layout.js", "m.scaledLike([0, 50, 100], 106, 56, {scale: 2, planes:"
                 " [{x: 3, y: 3, width: 100, height: 50}]}).planes[0].width", 50)):
            with self.subTest(expression):
                self.assertEqual(self.browser.run_module(
                    f"const m = await import('{self.address}{module}'); return {expression}"),
                    value)

    def test_a_pin_and_an_image_replace_each_other(self):
        self.browser.click("#pin")
        self.wait("a pin", "document.querySelector('.pane-caption').textContent.startsWith('Pin')")
        self.compare_with_real()
        self.wait("the image", "document.querySelector('#pin').textContent === 'Pin this one'")
        self.browser.click("#pin")
        self.wait("a pin", "document.querySelector('.pane-caption').textContent.startsWith('Pin')")
        self.browser.click("#pin")
        self.assertEqual(self.browser.run("return document.querySelectorAll('.pane').length"), 1)

    def test_a_dropped_image_is_compared_and_is_not_saved(self):
        self.drop("dropped.tif", self.content("real.ome.tif"))
        self.wait_for("#use-image")
        self.browser.click("#use-image")
        self.wait("two panes", "document.querySelectorAll('.pane').length === 2")
        self.assertEqual(self.browser.text(".pane-caption"), "File: dropped.tif")
        self.assertEqual(sorted(os.listdir(self.folder)), ["real.ome.tif", "scene.toml"])

    def test_a_dropped_psf_is_saved_and_used(self):
        psf = numpy.zeros((5, 9, 9), numpy.float32)
        psf[2, 4, 4], psf[2, 4, 5] = 2, 1
        tifffile.imwrite(self.path("my_psf.tif"), psf)
        content = self.content("my_psf.tif")
        self.text("my_psf.tif", "another")
        self.drop("my_psf.tif", content)
        self.wait_for("#use-psf.likely")
        self.assertEqual(self.value("#psf-pitch"), "300, 150, 150")
        self.browser.enter("#psf-pitch", "300, 150, none")
        self.browser.click("#use-psf")
        self.wait("a refusal", "document.querySelector('#file-dialog .wrong').textContent"
                  ".includes('three positive numbers')")
        self.browser.enter("#psf-pitch", "300, 150, 150")
        self.browser.click("#use-psf")
        self.wait("a refusal", "document.querySelector('#file-dialog .wrong').textContent"
                  ".includes('exists already')")
        self.assertEqual(self.content("my_psf.tif"), b"another")
        self.browser.click("#use-psf")
        self.wait("the scene", "document.querySelector('#toml').value.includes('my_psf.tif')")
        self.wait_for_preview()
        self.assertEqual(self.content("my_psf.tif"), content)
        self.assertIn("file_pitch_nm = [300, 150, 150]", self.value("#toml"))
        self.browser.click("#undo")
        self.wait("the old scene", "!document.querySelector('#toml').value.includes('my_psf')")

    def test_a_dropped_camera_and_a_dropped_scene_are_used(self):
        self.drop("measured.toml", CAMERA.encode())
        self.wait_for("#use-camera.likely")
        self.browser.click("#use-camera")
        self.wait("the scene", "document.querySelector('#toml').value.includes('2.25')")
        self.assertNotIn("em_gain", self.value("#toml"))
        self.drop("other.toml", SCENE.replace("seed = 3", "seed = 33").encode())
        self.wait_for("#use-scene.likely")
        self.browser.click("#use-scene")
        self.wait("the scene", "document.querySelector('#toml').value.startsWith('seed = 33')")
        self.assertEqual(self.browser.text("#scene-name"), "other.toml")

    def test_what_is_no_image_is_refused_and_nothing_is_lost(self):
        for name, content in (("notes.txt", b"no image"), ("half.tif", b"II*\0" + bytes(9)),
                              ("broken.toml", b"seed = \n")):
            self.drop(name, content)
            self.wait(f"a refusal of {name}", "document.querySelector('#file-dialog .wrong')"
                      f".textContent.includes('{name}')")
            self.browser.click("#file-cancel")
        self.assertEqual(self.value("#toml"), SCENE)

    def test_stacks_and_pictures_are_downloaded(self):
        self.browser.run(KEEP)
        for stack, name, shape in (("image", "scene-image.ome.tif", (12, 48, 40)),
                                   ("labels", "scene-labels.ome.tif", (12, 48, 40))):
            self.browser.click(f"[data-value={stack}]")
            self.browser.click("#download")
            self.wait("a download", f"window.kept.some((file) => file.name === '{name}')")
            kept = self.browser.run("return window.kept.pop()")
            with open(self.path(name), "wb") as file:
                file.write(base64.b64decode(kept["data"]))
            with tifffile.TiffFile(self.path(name)) as got:
                self.assertEqual(got.asarray().shape, shape)
                self.assertIn('PhysicalSizeZ="0.3"', got.ome_metadata)
        self.browser.click("#picture")
        self.wait("a picture", "window.kept.some((file) => file.name === 'scene-labels.png')")
        data = base64.b64decode(self.browser.run("return window.kept.pop().data"))
        self.assertTrue(data.startswith(b"\x89PNG"))


if __name__ == "__main__":
    main()
