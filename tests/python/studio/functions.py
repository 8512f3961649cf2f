# SPDX-License-Identifier: MIT
# tests/python/studio/functions.py — functions of the studio's page that need no page, in a browser.
from page_test import PageTest, main


class Functions(PageTest):
    """The functions of the page that need no page: a table of expressions and their values."""

    TABLE = [
        ("base/values.js", "m.sliderPosition(10, {low: 1, high: 100, log: true})", 500),
        ("base/values.js",
         "m.sliderValue(500, {low: 1, high: 100, log: true}, {kind: 'number'})", 10),
        ("base/values.js",
         "m.sliderValue(1000, {low: 1, high: 7, log: false}, {kind: 'integer'})", 7),
        ("base/values.js", "m.sliderRange({kind: 'number', low: 0, high: 1}, 0.5)",
         {"low": 0, "high": 1, "log": False}),
        ("base/values.js", "m.sliderRange({kind: 'number', low: 0, high: 1e9}, 4)",
         {"low": 0.04, "high": 400, "log": True}),
        ("base/values.js", "m.sliderRange({kind: 'number', low: 0, high: 1e9}, null)", None),
        ("base/values.js", "m.valueOf('[1, 2.5,x]', {kind: 'list_of_numbers'})", [1, 2.5, "x"]),
        ("base/values.js", "m.valueOf('  ', {kind: 'number'})", None),
        ("base/values.js", "m.valueOf('none', {kind: 'text_or_number'})", "none"),
        ("base/values.js", "m.valueOf('7', {kind: 'text_or_number'})", 7),
        ("base/values.js", "m.valueOf('7', {kind: 'file'})", "7"),
        ("base/values.js", "m.valueOf('1e3', {kind: 'integer'})", 1000),
        ("base/values.js", "m.labelOf({name: 'excitation_nm', unit: 'nm'})", "excitation"),
        ("viewer/voxels.js", "Array.from(m.planeOf(stack, 'xz', 1).data)", [3, 4, 5, 9, 10, 11]),
        ("viewer/voxels.js", "Array.from(m.planeOf(stack, 'yz', 2).data)", [2, 8, 5, 11]),
        ("viewer/voxels.js", "Array.from(m.planeOf(stack, 'zy', 2).data)", [2, 5, 8, 11]),
        ("viewer/voxels.js",
         "Array.from(m.middleOf(m.planeOf(stack, 'xy', 1), 0, 5).data)", [7, 10]),
        ("viewer/voxels.js", "Array.from(m.lineOf(stack, 'z', [0, 1, 0]))", [3, 9]),
        ("viewer/voxels.js", "m.percentile(m.sortedSample(stack.data), 50)", 6),
        ("viewer/voxels.js", "m.histogram([0, 1, 1, 4], 0, 4, 2)", [3, 1]),
        ("viewer/contrast.js", "m.levelsOf([0, 0, 0, 5], 0, 50)", {"low": 0, "high": 5}),
        ("viewer/contrast.js", "m.brightness(3, {low: 1, high: 5}, 1)", 0.5),
        ("viewer/contrast.js", "m.outlines({width: 2, height: 2, data: [0, 7, 0, 7]})",
         [{"x0": 1, "y0": 0, "x1": 1, "y1": 2, "label": 7}]),
        ("viewer/contrast.js", "m.scaleBarUm(7.3)", 5),
        ("viewer/region.js", "m.regionOf([64, 256, 100], 192, {z: 0.5, y: 0, x: 0.9})",
         {"origin": [8, 0, 0], "extent": [48, 192, 100]}),
        ("viewer/region.js", "m.regionOf([20, 96, 96], 192, {z: 0.1, y: 0.5, x: 0.5})",
         {"origin": [0, 0, 0], "extent": [20, 96, 96]}),
        ("viewer/region.js", "m.regionOf([90, 500, 96], Infinity, {z: 0, y: 1, x: 0})",
         {"origin": [0, 0, 0], "extent": [90, 500, 96]}),
        ("scene/history.js", "(() => { const h = new m.History('a'); h.push('b', 'k', 0);"
         "h.push('c', 'k', 9); h.push('d', 'other', 10);"
         "return [h.undo(), h.undo(), h.redo()]; })()",
         ["c", "a", "c"]),
    ]

    def test_functions_return_their_values(self):
        for module, expression, expected in self.TABLE:
            with self.subTest(expression):
                self.assertEqual(expected, self.browser.run_module(
                    f"const m = await import('/{module}');"
                    "const stack = {data: Uint8Array.from({length: 12}, (_, i) => i),"
                    f"extent: [2, 2, 3]}}; return {expression};"))


if __name__ == "__main__":
    main()
