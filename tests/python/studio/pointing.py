# SPDX-License-Identifier: MIT
# tests/python/studio/pointing.py — wheel, pointer and keys on the images, and undo in fields.
from page_test import (CONTROL, DOWN, END, HOME, NULL, RIGHT, SHIFT, SMALL, PageTest, main)

PAGE_UP, PAGE_DOWN, ESCAPE = "\ue00e", "\ue00f", "\ue00c"
CANVAS = "#panes canvas"


class Images(PageTest):
    def send(self, kind, x, y, **more):
        """Sends an event to the canvas, at a share of its width and height."""
        self.browser.run(
            "const c = document.querySelector('#panes canvas'), at = c.getBoundingClientRect();"
            "const [kind, x, y, more] = arguments;"
            "const make = kind === 'wheel' ? WheelEvent : PointerEvent;"
            "c.dispatchEvent(new make(kind, {bubbles: true, cancelable: true, pointerId: 1,"
            "clientX: at.left + at.width * x, clientY: at.top + at.height * y, ...more}))",
            kind, x, y, more)

    def under(self, x, y):
        """The voxel [z, y, x] under the pointer."""
        self.send("pointermove", x, y)
        text = self.wait("a place", lambda: self.browser.text("#under-cursor"))
        return [int(number) for number in text.split(" · ")[0].split()[1::2]]

    def zoom(self):
        shown = self.is_shown("#zoom")
        return float(self.browser.text("#zoom").rstrip("×")) if shown else 1

    def at(self):
        """Plane, row and column of the cursor, from 1."""
        text = self.browser.run("return document.querySelector('#panes canvas').ariaValueText")
        return [int(word) for word in text.replace(",", "").split() if word.isdigit()]

    def test_the_wheel_zooms_at_the_pointer(self):
        place = self.under(0.35, 0.3)
        self.send("wheel", 0.35, 0.3, deltaY=-1000)
        self.wait("a zoom", lambda: self.zoom() > 4)
        self.assertEqual(self.under(0.35, 0.3), place)
        self.browser.type(CANVAS, "0")
        self.wait("everything", lambda: self.zoom() == 1)

    def test_a_drag_moves_the_zoomed_images_and_a_click_the_cursor(self):
        self.send("wheel", 0.3, 0.3, deltaY=-1000)
        self.wait("a zoom", lambda: self.zoom() > 4)
        cursor, place = self.at(), self.under(0.3, 0.3)
        self.send("pointerdown", 0.3, 0.3, button=0, buttons=1)
        self.send("pointermove", 0.4, 0.35, buttons=1)
        self.send("pointerup", 0.4, 0.35)
        self.assertEqual(self.under(0.4, 0.35), place)
        self.assertEqual(self.at(), cursor)
        self.send("pointerdown", 0.4, 0.35, button=0, buttons=1)
        self.send("pointerup", 0.4, 0.35)
        self.wait("the cursor", lambda: self.at()[2] == place[1] + 1)
        self.send("dblclick", 0.4, 0.35)
        self.wait("everything", lambda: self.zoom() == 1)

    def test_keys_move_the_cursor_the_plane_and_the_zoom(self):
        start = [7, 12, 25, 21]
        self.assertEqual(self.at(), start)
        for keys, at in [(RIGHT, [7, 12, 25, 22]), (DOWN + DOWN, [7, 12, 27, 22]),
                         (SHIFT + RIGHT + NULL, [7, 12, 27, 32]), (PAGE_UP, [8, 12, 27, 32]),
                         (PAGE_DOWN + ",", [6, 12, 27, 32]), (".", [7, 12, 27, 32]),
                         (END, [12, 12, 27, 32]), (HOME, [1, 12, 27, 32])]:
            self.browser.type(CANVAS, keys)
            self.wait(f"the cursor at {at}", lambda: self.at() == at)
        self.browser.type(CANVAS, "+++")
        self.wait("a zoom", lambda: self.zoom() == 2)
        self.browser.type(CANVAS, "-")
        self.wait("a zoom", lambda: self.zoom() == 1.6)
        self.browser.click("#zoom")
        self.wait("everything", lambda: self.zoom() == 1)

    def test_the_wheel_with_shift_changes_the_plane(self):
        self.send("wheel", 0.3, 0.3, deltaY=100, shiftKey=True)
        self.wait("the next plane", lambda: self.at()[0] == 8)
        self.assertEqual(self.zoom(), 1)

    def test_help_lists_the_keys(self):
        self.browser.type(CANVAS, "?")
        self.wait("help", lambda: self.is_shown(".key-help"))
        self.assertIn("Double click", self.browser.text(".key-help"))
        self.browser.type(".key-help button", ESCAPE)
        self.wait("no help", lambda: not self.is_shown(".key-help"))

    def test_windows_keep_the_place_and_stay_inside(self):
        for expression, expected in (
                ("m.zoomedAt(m.everything, 4, {z: 0.5, y: 0, x: 1}).centre",
                 {"z": 0.5, "y": 0.125, "x": 0.875}),
                ("m.zoomedAt(m.everything, 0.1, {z: 0.1, y: 0.1, x: 0.1})",
                 {"zoom": 1, "centre": {"z": 0.5, "y": 0.5, "x": 0.5}}),
                ("m.movedBy({zoom: 2, centre: {z: 0.5, y: 0.5, x: 0.5}}, {x: 9}).centre.x", 0.75),
                ("m.showing({zoom: 4, centre: {z: 0.5, y: 0.5, x: 0.5}},"
                 "{z: 0.5, y: 0.7, x: 0.25}).centre", {"z": 0.5, "y": 0.575, "x": 0.375})):
            with self.subTest(expression):
                self.assertEqual(expected, self.browser.run_module(
                    f"const m = await import('/viewer/window.js'); return {expression};"))


class Undo(PageTest):
    def type_over(self, selector, text):
        self.browser.run("document.querySelector(arguments[0]).select()", selector)
        self.browser.type(selector, text)

    def test_in_a_field_takes_back_what_was_typed_and_then_the_scene(self):
        with self.new_preview():
            self.browser.enter("#key-optics-na", "0.7")
        self.type_over("#key-optics-na", "0.9")
        self.browser.type("#key-optics-na", CONTROL + "z" + NULL)
        self.wait("the text before", lambda: self.value("#key-optics-na") == "0.7")
        self.assertNotEqual(self.toml(), SMALL)
        self.browser.type("#key-optics-na", CONTROL + "z" + NULL)
        self.wait("the scene before", lambda: self.toml() == SMALL)
        self.assertEqual(self.value("#key-optics-na"), "1.2")

    def test_escape_takes_back_what_was_typed(self):
        self.type_over("#key-optics-na", "0.9" + ESCAPE)
        self.assertEqual(self.value("#key-optics-na"), "1.2")
        self.browser.click("#tab-toml")
        self.assertEqual(self.toml(), SMALL)

    def test_in_the_text_takes_back_what_was_just_typed(self):
        self.browser.click("#tab-toml")
        self.browser.type("#toml", CONTROL + HOME + NULL + "# a" + CONTROL + "z" + NULL)
        self.wait("the text before", lambda: self.toml() == SMALL)
        self.browser.type("#toml", CONTROL + SHIFT + "z" + NULL)
        self.wait("the text again", lambda: self.toml() == "# a" + SMALL)
        self.assertEqual(self.browser.run(
            "return document.querySelector('#toml').selectionStart"), 3)

    def test_in_the_search_takes_back_its_words(self):
        with self.new_preview():
            self.browser.enter("#key-optics-na", "0.7")
        self.browser.type("#search", "r" + CONTROL + "z" + NULL)
        self.wait("no words", lambda: self.value("#search") == "")
        self.assertIn("na = 0.7", self.toml())


if __name__ == "__main__":
    main()
