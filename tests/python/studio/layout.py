# SPDX-License-Identifier: MIT
# tests/python/studio/layout.py — the page at two sizes, light and dark, and without a mouse.
from page_test import CONTROL, ENTER, RIGHT, SHIFT, SMALL, TAB, PageTest, main

# Its pixels and planes are too large for the lens, which makes a long warning.
COARSE = SMALL.replace("[nuclei]", "pitch_nm = [900, 325, 325]\n[nuclei]")
SIZES = [(1280, 800), (1024, 700)]

TEXTS = """
const shown = [...document.querySelectorAll('body *')].filter((each) => each.checkVisibility() &&
  (each.matches('input, select, textarea') ||
   [...each.childNodes].some((node) => node.nodeType === 3 && node.data.trim())));
const name = (each) => each.outerHTML.slice(0, 90);
"""
SMALL_TEXTS = TEXTS + """
return shown.filter((each) => parseFloat(getComputedStyle(each).fontSize) < 13).map(name);
"""
# Texts whose contrast with what lies below them is under 4.5 to 1, after WCAG 2.1, 1.4.3. Disabled
# controls are exempt there, and what is drawn on the canvases is no text.
PALE_TEXTS = TEXTS + """
const numbers = (colour) => {
  const [r, g, b, a = 1] = colour.match(/[0-9.]+/g).map(Number);
  return [r, g, b, a];
};
const over = ([r, g, b, a], below) => [r, g, b].map((v, i) => v * a + below[i] * (1 - a));
const below = (each) => {
  if (!each) return [255, 255, 255];
  return over(numbers(getComputedStyle(each).backgroundColor), below(each.parentElement));
};
const luminance = (rgb) => {
  const [r, g, b] = rgb.map((v) => v / 255)
    .map((v) => (v <= 0.04045 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4));
  return 0.2126 * r + 0.7152 * g + 0.0722 * b;
};
const contrast = (each) => {
  const ground = below(each);
  const ink = over(numbers(getComputedStyle(each).color), ground);
  const [low, high] = [luminance(ink), luminance(ground)].sort((a, b) => a - b);
  return (high + 0.05) / (low + 0.05);
};
return shown.filter((each) => !each.closest(':disabled') &&
  !each.matches('[type=range], [type=checkbox], [type=color]'))
  .filter((each) => contrast(each) < 4.5)
  .map((each) => `${contrast(each).toFixed(2)} ${name(each)}`);
"""
# What is outside the window, though nothing scrolls there, or is wider than its box.
OUTSIDE = TEXTS + """
const scrolls = (each) => each && each !== document.body &&
  (/auto|scroll/.test(getComputedStyle(each).overflowY) || scrolls(each.parentElement));
const all = [...document.querySelectorAll('body *')].filter((each) => each.checkVisibility() &&
  !each.matches('.skip, .hidden-label, option, .line-mark'));
const { scrollWidth, scrollHeight } = document.documentElement;
return [
  ...(scrollWidth > innerWidth || scrollHeight > innerHeight ? ['the page scrolls'] : []),
  ...all.filter((each) => {
    const { left, right, top, bottom, width, height } = each.getBoundingClientRect();
    const aside = left < -0.5 || right > innerWidth + 0.5;
    const off = !scrolls(each.parentElement) && (top < -0.5 || bottom > innerHeight + 0.5);
    return width > 0 && height > 0 && (aside || off);
  }).map(name),
  ...all.filter((each) => each.matches('.panel, .right, button, .bar, .middle, .view-bar') &&
    each.scrollWidth > each.clientWidth + 1).map((each) => 'too wide: ' + name(each)),
];
"""
# Controls of the bars that something else covers.
COVERED = TEXTS + """
return [...document.querySelectorAll('.bar *, .tabs *, .view-bar *, .plane-bar *')]
  .filter((each) => each.matches('button, input, select') && each.checkVisibility())
  .filter((each) => {
    const { left, top, width, height } = each.getBoundingClientRect();
    const at = document.elementFromPoint(left + width - 3, top + height / 2);
    return at !== each && !each.contains(at);
  }).map(name);
"""
UNLABELLED = """
return [...document.querySelectorAll('input, select, textarea, button, canvas[tabindex]')]
  .filter((each) => !each.labels?.length && !each.ariaLabel && !each.textContent.trim())
  .map((each) => each.outerHTML.slice(0, 90));
"""


class Layout(PageTest):
    def each_view(self):
        """Shows every tab of a scene with many fields, a warning and an error, at every size."""
        self.browser.run("for (const b of document.querySelectorAll('.more')) b.click()")
        with self.new_preview():
            self.replace_text(COARSE)
        self.browser.click("#warnings summary")
        self.wait("the warning", lambda: self.is_shown("#warnings li"))
        self.assertIn("Nyquist", self.browser.text("#warnings li"))
        self.browser.click("#warnings summary")
        self.addCleanup(self.browser.show_as, *SIZES[0])
        for size in SIZES:
            for dark in (False, True):
                self.browser.show_as(*size, dark)
                for tab in ("examples", "form", "toml"):
                    self.browser.click(f"#tab-{tab}")
                    yield {"size": size, "dark": dark, "tab": tab}
        self.browser.click("#tab-form")
        self.browser.enter("#key-optics-na", "9")
        self.wait("an error", lambda: self.is_shown("#scene-error"))
        yield {"size": size, "dark": dark, "tab": "an error"}

    def test_is_inside_the_window_large_enough_and_clear(self):
        for view in self.each_view():
            for what, script in (("small", SMALL_TEXTS), ("pale", PALE_TEXTS),
                                 ("outside", OUTSIDE), ("covered", COVERED),
                                 ("unlabelled", UNLABELLED)):
                with self.subTest(what, **view):
                    self.assertEqual(self.browser.run(script), [])

    def test_two_scenes_beside_each_other_fit(self):
        self.browser.click("#pin")
        self.browser.click("[data-value=stages]")
        for size in SIZES:
            self.browser.show_as(*size)
            self.assertEqual(self.browser.run(OUTSIDE) + self.browser.run(COVERED), [])
        self.browser.show_as(*SIZES[0])


class Keyboard(PageTest):
    def focused(self, selector):
        return self.browser.run("return document.activeElement.matches(arguments[0])", selector)

    def tab_to(self, selector, back=False):
        for _ in range(150):
            self.browser.press((SHIFT + TAB) if back else TAB)
            if self.focused(selector):
                return
        self.fail(f"Tab does not reach {selector}")

    def test_leads_from_an_example_to_a_changed_scene_that_is_saved(self):
        self.open_page(self.start())
        self.wait("the cards", lambda: self.count(".card"))
        self.tab_to("[data-example=first]")
        with self.new_preview():
            self.browser.press(ENTER)
        self.wait("the scene's tab", lambda: self.focused("#tab-form"))
        self.tab_to("#key-nuclei-radius_um-slider")
        with self.new_preview():
            self.browser.press(RIGHT, RIGHT, RIGHT)
        radius = self.value("#key-nuclei-radius_um")
        self.assertNotEqual(radius, "3.6")
        self.tab_to("#key-nuclei-count", back=True)
        with self.new_preview():
            self.browser.press(CONTROL + "a", "7", TAB)
        self.browser.press(CONTROL + "s")
        self.wait("a file", lambda: self.notice() == "Saved first.toml.")
        saved = self.written("first.toml")
        self.assertRegex(saved, rf"(?m)^radius_um = {radius}\b")
        self.assertRegex(saved, r"(?m)^count = 7\b")

    def test_skips_to_the_images_and_moves_between_tabs(self):
        self.browser.run("document.activeElement.blur()")
        self.tab_to(".skip")
        self.browser.press(ENTER)
        self.wait("the images", lambda: self.focused("#views"))
        self.tab_to("[role=tab]", back=True)
        self.browser.press(RIGHT)
        self.assertTrue(self.focused("#tab-toml"))
        self.assertTrue(self.is_shown("#toml"))


if __name__ == "__main__":
    main()
