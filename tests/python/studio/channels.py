# SPDX-License-Identifier: MIT
# tests/python/studio/channels.py — channels in the form, and the numbers of each channel.
import json

from page_test import CONTROL, NULL, SMALL, PageTest, main

TWO = SMALL + """
# the first
[[channel]]
name = "red"
optics.wavelength_nm = 610   # nm
light.nuclei = 1

[[channel]]
name = "green"
light.nuclei = 0.5
"""


class Channels(PageTest):
    def setUp(self):
        super().setUp()
        with self.new_preview():
            self.replace_text(TWO)

    def given_in(self, channel):
        return self.browser.run(
            "return [...document.querySelectorAll(`[data-table=channel-${arguments[0]}] .given`)]"
            ".map((field) => field.dataset.key)", channel)

    def test_have_their_keys_in_sections_of_their_own(self):
        self.assertEqual(self.given_in(0), ["0/light.nuclei", "0/optics.wavelength_nm"])
        self.assertEqual(self.given_in(1), ["1/light.nuclei"])
        self.assertEqual(self.value("#key-channel-0-name"), "red")
        self.assertEqual(self.value("#key-channel-0-optics-wavelength_nm"), "610")
        self.assertFalse(self.is_shown("#key-channel-1-optics-na"))
        self.browser.click("[data-table=channel-1] .more:last-child")
        self.assertEqual(self.value("#key-channel-1-optics-na"), "1.2")

    def test_change_only_their_own_line(self):
        with self.new_preview():
            self.browser.enter("#key-channel-0-optics-wavelength_nm", "650")
        self.assertEqual(self.toml(), TWO.replace("610", "650"))
        self.assertEqual(self.value("#key-channel-0-optics-wavelength_nm"), "650")
        self.browser.type("body", CONTROL + "z" + NULL)
        self.wait("the old text", lambda: self.toml() == TWO)

    def test_mark_a_wrong_value_at_their_field(self):
        self.browser.enter("#key-channel-1-light-nuclei", "-1")
        message = "[data-key='1/light.nuclei'] .message"
        self.wait("a message", lambda: "light.nuclei is -1" in self.browser.text(message))
        self.assertEqual(self.browser.text("[data-key='0/light.nuclei'] .message"), "")
        self.assertRegex(self.browser.text("#scene-error"), "^Line 21: channel green: light")
        self.write("wrong.toml", self.toml())
        said = self.run_beside("simulate", "wrong.toml", "--dry-run").stderr
        self.assertIn(self.browser.text(message).split(": ", 1)[1], said)
        with self.new_preview():
            self.browser.enter("#key-channel-1-light-nuclei", "0.7")
        self.assertEqual(self.browser.text(message), "")

    def test_are_renamed_added_and_removed(self):
        with self.new_preview():
            self.browser.enter("#key-channel-1-name", "blue")
        self.assertEqual(self.toml(), TWO.replace("green", "blue"))
        self.assertEqual(self.browser.text("#channel"), "redblue")
        with self.new_preview():
            self.browser.click("#add-channel")
        self.assertEqual(self.toml(), TWO.replace("green", "blue") +
                         '\n[[channel]]\nname = "blue-2"\nlight.nuclei = 0.5\n')
        self.assertEqual(self.browser.text("[data-table=channel-2] h2"), "channel blue-2")
        self.assertEqual(self.browser.run("return document.activeElement.id"),
                         "key-channel-2-name")
        with self.new_preview():
            self.browser.run("document.querySelector('#table-channel-0').scrollIntoView(false)")
            self.browser.click("[data-table=channel-0] .remove-channel")
        self.assertNotIn("red", self.toml())
        self.assertNotIn("# the first", self.toml())
        self.assertEqual(self.value("#key-channel-1-name"), "blue-2")
        for _ in range(3):
            self.browser.click("#undo")
        self.wait("the old text", lambda: self.toml() == TWO)

    def test_the_first_one_keeps_the_image(self):
        with self.new_preview():
            self.replace_text(SMALL)
        before = self.voxels().tobytes()
        with self.new_preview():
            self.browser.click("#add-channel")
        self.assertEqual(self.voxels().tobytes(), before)
        self.assert_line("light.nuclei = 1")

    def test_cannot_be_changed_while_the_text_is_wrong(self):
        self.replace_text(TWO.replace("na = 1.2", "na = 9"))
        self.wait("an error", lambda: self.is_shown("#scene-error"))
        self.assertTrue(self.browser.run(
            "return document.querySelector('#table-channel-0').inert &&"
            "document.querySelector('#add-channel').disabled"))

    def test_have_numbers_of_their_own(self):
        event = json.loads(self.browser.run(
            "return JSON.stringify([...document.querySelectorAll('#inspector .numbers tr')]"
            ".map((row) => [...row.children].map((cell) => cell.textContent)))"))
        numbers = {name: value for name, *value in event}
        self.assertEqual(numbers["Touching objects"], ["0 of 5"])
        widths = self.browser.text("[aria-label=PSF] .hint")
        self.browser.choose("#channel", "1")
        self.wait("other widths", lambda: self.browser.text("[aria-label=PSF] .hint") != widths)
        self.browser.click("#pin")
        with self.new_preview():
            self.browser.enter("#key-channel-1-light-nuclei", "0.1")
        rows = self.browser.run(
            "return [...document.querySelectorAll('#inspector table.numbers tr')]"
            ".map((row) => [...row.children].map((cell) => cell.textContent))")
        self.assertEqual(rows[0], ["", "now", "pinned"])
        numbers = {name: values for name, *values in rows}
        now, pinned = (float(number) for number in numbers["Median SNR of objects"])
        self.assertLess(now, pinned)
        self.assertGreater(self.count(".bar-of-light"), 5)

    def test_the_light_of_a_part_is_not_counted(self):
        self.assertIn("%", self.browser.text("[aria-label=Light]"))
        with self.new_preview():
            self.replace_text(SMALL.replace("48, 40", "48, 240"))
        self.assertIn("Not counted for a part", self.browser.text("[aria-label=Light]"))

    def test_a_drawn_seed_is_copied_and_kept(self):
        with self.new_preview():
            self.replace_text(TWO.replace("seed = 3\n", ""))
        shown = self.browser.text(".seed").split(",")[0].removeprefix("Seed ")
        self.browser.run("navigator.clipboard.writeText = async (t) => { window.copied = t; }")
        self.browser.click("#copy-command")
        self.wait("a line", lambda: f"--seed {shown}" in (
            self.browser.run("return window.copied") or ""))
        before = self.voxels().tobytes()
        self.browser.click("#keep-seed")
        self.assert_line(f"seed = {shown}$")
        self.wait("no drawn seed", lambda: not self.is_shown(".seed"))
        self.assertEqual(self.voxels().tobytes(), before)


if __name__ == "__main__":
    main()
