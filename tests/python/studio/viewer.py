# SPDX-License-Identifier: MIT
# tests/python/studio/viewer.py — the images: planes, stacks, regions, and pinned previews.
import numpy

from page_test import END, PAGE_DOWN, PAGE_UP, RIGHT, SMALL, PageTest, main

# How many pixels of the first canvas are bright.
BRIGHT = ("const c = document.querySelector('#panes canvas');"
          "const copy = new OffscreenCanvas(c.width, c.height).getContext('2d');"
          "copy.drawImage(c, 0, 0);"
          "const d = copy.getImageData(0, 0, c.width, c.height).data;"
          "return d.reduce((sum, v, i) => sum + (i % 4 === 1 && v > 100 ? 1 : 0), 0)")


class Viewer(PageTest):
    def numbers(self):
        return self.browser.run(
            "return Object.fromEntries([...document.querySelectorAll("
            "'#inspector dt, #inspector .numbers th')]"
            ".map((name) => [name.textContent, name.nextElementSibling.textContent]))")

    def map_label(self):
        return self.browser.run("return document.querySelector('.map').ariaLabel")

    def test_keys_change_the_plane(self):
        self.assertEqual(self.browser.text("#plane-bar output"), "7 / 12")
        for keys, plane in [(PAGE_UP, 8), (PAGE_DOWN + PAGE_DOWN, 6), (END, 12)]:
            self.browser.type("#panes canvas", keys)
            self.wait("a plane", lambda: self.browser.text("#plane-bar output") == f"{plane} / 12")
        self.assertIn("plane 12 of 12", self.browser.run(
            "return document.querySelector('#panes canvas').ariaValueText"))

    def test_every_stack_has_light(self):
        self.browser.click("#outlines")
        for stack in ("labels", "light", "photons", "image"):
            self.browser.click(f"[data-value={stack}]")
            self.wait(stack, lambda: self.browser.run(BRIGHT) > 500)

    def test_the_values_under_the_cursor_are_those_of_the_voxels(self):
        image = self.voxels().reshape(12, 48, 40)
        self.browser.run(
            "const c = document.querySelector('#panes canvas');"
            "const at = c.getBoundingClientRect();"
            "c.dispatchEvent(new PointerEvent('pointermove', {bubbles: true,"
            "clientX: at.left + at.width * 0.35, clientY: at.top + at.height * 0.3}))")
        text = self.wait("values", lambda: self.browser.text("#under-cursor"))
        places, *values = text.split(" · ")
        z, y, x = (int(number) for number in places.split()[1::2])
        self.assertIn(f"image {image[z, y, x]}", values)

    def test_a_pinned_preview_stays_beside_the_newest(self):
        self.browser.click("#pin")
        with self.new_preview():
            self.browser.enter("#key-nuclei-count", "0")
        self.assertEqual(self.count("#panes canvas"), 2)
        captions = self.browser.run("return [...document.querySelectorAll('.pane-caption')]"
                                    ".map((each) => each.textContent)")
        self.assertEqual(captions, ["Pinned: nuclei.count 5", "Now: nuclei.count 0"])
        self.assertFalse(self.voxels("labels").any())
        self.wait("light in the pinned one", lambda: self.browser.run(BRIGHT) > 500)
        self.browser.click("#pin")
        self.assertEqual(self.count("#panes canvas"), 1)

    def test_the_map_chooses_the_region(self):
        with self.new_preview():
            self.replace_text(SMALL.replace("[12, 48, 40]", "[60, 200, 300]"))
        self.assertEqual(self.numbers()["Voxels z, y, x"], "48 × 192 × 192")
        self.assertIn("at 6, 4, 54 of 60 × 200 × 300", self.map_label())
        with self.new_preview():
            self.browser.choose("#region-size", "96")
        with self.new_preview():
            self.browser.type(".map", RIGHT)
        self.assertEqual(self.numbers()["Voxels z, y, x"], "48 × 96 × 96")
        self.assertIn("at 6, 52, 121 of 60 × 200 × 300", self.map_label())
        self.assertEqual(self.voxels().size, 48 * 96 * 96)

    def test_the_numbers_are_those_of_the_scene(self):
        numbers = self.numbers()
        self.assertEqual(numbers["Voxels z, y, x"], "12 × 48 × 40")
        self.assertGreater(float(numbers["Median SNR of objects"]), 0)
        self.assertEqual(numbers["Touching objects"], "0 of 5")
        self.assertRegex(self.browser.text("[aria-label=PSF] .hint"),
                         "^FWHM z, y, x: [0-9]+, [0-9]+, [0-9]+ nm, pixel not included$")
        self.assertEqual(self.count("#inspector .numbers tr:not([title])"), 0)

    def test_the_numbers_tell_touching_objects_and_what_the_aperture_takes(self):
        light = "[aria-label=Light]"
        self.assertIn('optics.collection is "all"', self.browser.text(light))
        with self.new_preview():
            self.replace_text(SMALL.replace("gap_um = 0", "gap_um = -0.19\nclustering = 0.75")
                              .replace("na = 1.2", 'na = 1.2\ncollection = "aperture"')
                              .replace("[optics]", "[illumination]\nsnr = 4\n[optics]"))
        labels = self.voxels("labels").view("<u2").reshape(12, 48, 40).astype(int)
        touching = set()
        for axis in range(3):
            a, b = numpy.moveaxis(labels, axis, 0)[:-1], numpy.moveaxis(labels, axis, 0)[1:]
            at = (a != b) & (a > 0) & (b > 0)
            touching |= {*a[at], *b[at]}
        self.assertGreater(len(touching), 0)
        numbers = self.numbers()
        self.assertEqual(numbers["Touching objects"], f"{len(touching)} of 5")
        self.assertGreater(float(numbers["Dose for the SNR, × light"]), 0)
        self.assertNotIn("optics.collection", self.browser.text(light))


if __name__ == "__main__":
    main()
