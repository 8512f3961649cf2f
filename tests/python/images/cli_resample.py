# SPDX-License-Identifier: MIT
# tests/python/images/cli_resample.py — resampled images against scipy.ndimage in double
# precision.
import json
import math

from program import ProgramTest, main, numpy, random_volume, scipy, tifffile
import scipy.interpolate

MODES = {"zero": "constant", "grid-constant": "grid-constant", "nearest": "nearest",
         "reflect": "reflect", "mirror": "mirror", "wrap": "grid-wrap", "scipy-wrap": "wrap"}
# scipy 1.10 fits reflected splines to two to four voxels to 6e-4 alone: C++ tests these sizes
SHAPES = [(8, 9), (1, 23), (31, 1), (47, 61), (12, 6, 17)]


def text_of(matrix):
    return ",".join(repr(float(a)) for a in numpy.ravel(matrix))


def turned(dimensions, degrees):
    """A matrix that turns in all planes and moves a little."""
    matrix = numpy.eye(dimensions)
    for i in range(dimensions - 1):
        c, s = math.cos(math.radians(degrees)), math.sin(math.radians(degrees))
        turn = numpy.eye(dimensions)
        turn[i:i + 2, i:i + 2] = [[c, s], [-s, c]]
        matrix = matrix @ turn
    return numpy.column_stack([matrix, numpy.linspace(-1.3, 2.9, dimensions)])


class ResampleTest(ProgramTest):
    def resampled(self, image, *options, **write):
        self.write("in.tif", image, **write)
        self.succeed("resample", "in.tif", "-o", "out.tif", "--overwrite", *options)
        return self.read("out.tif")

    def check_matrix(self, image, matrix, order, boundary, fill=0.0):
        """--matrix against affine_transform, relative to the largest voxel."""
        n = image.ndim
        expected = scipy.ndimage.affine_transform(
            image.astype(float), matrix[:, :n], matrix[:, n], order=order, mode=MODES[boundary],
            cval=fill)
        found = self.resampled(image, "--matrix", text_of(matrix), "--order", str(order),
                               "--boundary", boundary, *(("--fill", repr(fill)) if fill else ()))
        self.assertEqual(found.dtype, image.dtype)
        largest = max(abs(image).max(), abs(fill))
        self.assertLessEqual(abs(found.reshape(expected.shape) - expected).max(), 2e-6 * largest)

    def test_equals_affine_transform_at_nasty_sizes(self):
        for shape in SHAPES:
            image = random_volume(shape, 3)
            for boundary in MODES:
                fill = 0.25 if "constant" in MODES[boundary] else 0.0
                for order in (0, 1, 3):
                    with self.subTest(shape=shape, boundary=boundary, order=order):
                        self.check_matrix(image, turned(len(shape), 20), order, boundary, fill)

    def test_rounds_integers_to_nearest(self):
        for dtype in ("uint8", "uint16", "int16"):
            image = random_volume((40, 50), 4, dtype)
            matrix = turned(2, 33)
            for order in (1, 3):
                exact = scipy.ndimage.affine_transform(image.astype(float), matrix[:, :2],
                                                       matrix[:, 2], order=order, mode="mirror")
                limits = numpy.iinfo(dtype)
                found = self.resampled(image, "--matrix", text_of(matrix), "--order", str(order),
                                       "--boundary", "mirror")
                self.assertEqual(found.dtype, image.dtype)
                off = abs(found - numpy.clip(exact, limits.min, limits.max))
                self.assertLessEqual(off.max(), 0.5 + 2e-6 * limits.max)

    def test_equals_rotate(self):
        image = random_volume((9, 20, 31), 5)
        for axis, axes in (("z", (1, 2)), ("y", (0, 2)), ("x", (0, 1))):
            expected = scipy.ndimage.rotate(image.astype(float), 30, axes, reshape=False, order=3,
                                            mode="mirror")
            found = self.resampled(image, "--rotate", f"30,{axis}", "--order", "3", "--boundary",
                                   "mirror")
            self.assertLessEqual(abs(found - expected).max(), 2e-6)

    def test_scales_and_writes_the_size_of_voxels(self):
        image = random_volume((6, 20, 30), 6)
        self.write_with_pitch(image, (2.0, 0.5, 0.25))
        self.succeed("resample", "in.ome.tif", "-o", "cubes.ome.tif", "--isotropic")
        self.check_pitch("cubes.ome.tif", (48, 40, 30), (0.25, 0.25, 0.25))
        self.succeed("resample", "in.ome.tif", "-o", "spaced.ome.tif", "--spacing", "1,1,0.5")
        self.check_pitch("spaced.ome.tif", (12, 10, 15), (1, 1, 0.5))
        self.succeed("resample", "in.ome.tif", "-o", "scaled.ome.tif", "--scale", "1,2,0.5")
        self.check_pitch("scaled.ome.tif", (6, 40, 15), (2, 0.25, 0.5))
        expected = scipy.ndimage.zoom(image.astype(float), (8, 2, 1), order=1, grid_mode=True,
                                      mode="nearest")
        self.succeed("resample", "in.ome.tif", "-o", "cubes.tif", "--isotropic", "--boundary",
                     "nearest")
        self.assertLessEqual(abs(self.read("cubes.tif") - expected).max(), 2e-6)

    def write_with_pitch(self, image, pitch):
        self.write("in.ome.tif", image, metadata={
            "axes": "ZYX", **{f"PhysicalSize{axis}": size for axis, size in zip("ZYX", pitch)}})

    def check_pitch(self, name, shape, pitch):
        info = json.loads(self.succeed("info", name, "--json"))
        self.assertEqual(tuple(info["extent"]), shape)
        numpy.testing.assert_allclose(info["voxel_um"], pitch, rtol=1e-12)

    def test_levels_a_tilted_stack(self):
        # Row j of plane k lies at Y = k s + j p cos a and Z = j p sin a: linear, and so exact
        step, side = 0.6, 0.3
        k, j, _ = numpy.indices((20, 30, 4))
        for angle in (32.0, -57.0):
            lean = side * math.cos(math.radians(angle)) * numpy.sign(angle)
            rise = side * abs(math.sin(math.radians(angle)))
            across = k * step + j * lean - min(0, 29 * lean)
            shape = (math.floor(29 * rise / side) + 1,
                     math.floor((19 * step + abs(29 * lean)) / side) + 1, 4)
            for axis, recorded in enumerate((j * rise, across)):
                self.write_with_pitch(recorded.astype(numpy.float32), (step, side, side))
                self.succeed("resample", "in.ome.tif", "-o", "level.ome.tif", "--overwrite",
                             f"--deskew={angle}", "--fill", "-1")
                self.check_pitch("level.ome.tif", shape, (side, side, side))
                found = self.read("level.ome.tif")
                was_seen = found >= 0
                self.assertGreater(was_seen.mean(), 0.3)
                expected = numpy.indices(shape)[axis] * side
                self.assertLessEqual(abs(found - expected)[was_seen].max(), 2e-6 * across.max())

    def test_loses_no_plane_of_what_it_levels(self):
        # The coordinate of the last plane is the last row's but for rounding
        for rows, side, angle in ((21, 0.1, 30), (11, 0.13, 30), (41, 0.065, 30), (31, 0.11, -30)):
            with self.subTest(rows=rows, side=side, angle=angle):
                self.write_with_pitch(numpy.ones((60, rows, 3), "float32"), (2 * side, side, side))
                self.succeed("resample", "in.ome.tif", "-o", "level.ome.tif", "--overwrite",
                             f"--deskew={angle}")
                self.assertEqual(self.read("level.ome.tif")[-1].max(), 1)

    def test_turns_by_quarters_keep_every_voxel(self):
        image = random_volume((21, 21), 8, "uint8") // 2 + 1
        for degrees in (90, -90, 180, 270, 360, -450):
            with self.subTest(degrees=degrees):
                expected = numpy.rot90(image, degrees // 90)
                for options in ((), ("--labels",)):
                    found = self.resampled(image, f"--rotate={degrees}", *options)
                    numpy.testing.assert_array_equal(found.reshape(image.shape), expected)

    def test_fills_with_what_the_result_holds(self):
        image = numpy.full((9, 9), 7, "uint8")
        for type_name, fill in (("float32", -1), ("uint16", 1000)):
            for order in ("0", "1"):
                found = self.resampled(image, "--matrix", "1,0,-5,0,1,-5", "--order", order,
                                       "--fill", str(fill), "--output-type", type_name)
                self.assertEqual(set(found.ravel()), {7, fill})

    def test_keeps_labels(self):
        labels = random_volume((40, 50), 7, "uint16")
        found = self.resampled(labels, "--rotate", "20", "--labels")
        self.assertTrue(set(found.ravel()) <= set(labels.ravel()) | {0})
        expected = scipy.ndimage.rotate(labels, 20, reshape=False, order=0)
        self.assertLess((found != expected).mean(), 1e-3)

    def test_follows_a_homography(self):
        image = random_volume((30, 40), 8)
        p = numpy.array([[0.9, 0.1, 2], [-0.05, 0.8, 3], [1e-3, 2e-3, 1]])
        o = numpy.indices((30, 40)).reshape(2, -1)
        v = p @ numpy.vstack([o, numpy.ones(o.shape[1])])
        for order in (0, 1, 3):
            expected = scipy.ndimage.map_coordinates(image.astype(float), v[:2] / v[2], order=order,
                                                     mode="reflect").reshape(30, 40)
            found = self.resampled(image, "--homography", text_of(p), "--order", str(order),
                                   "--boundary", "reflect")
            self.assertLessEqual(abs(found - expected).max(), 2e-6)

    def test_follows_displacements(self):
        image = random_volume((3, 30, 40), 9)
        field = (6 * random_volume((3, 3, 30, 40), 10) - 3).astype(numpy.float32)
        self.write("field.ome.tif", field, metadata={"axes": "CZYX"})
        expected = scipy.ndimage.map_coordinates(
            image.astype(float), numpy.indices(image.shape) + field.astype(float), order=3,
            mode="nearest")
        found = self.resampled(image, "--displacement", "field.ome.tif", "--order", "3",
                               "--boundary", "nearest")
        self.assertLessEqual(abs(found - expected).max(), 2e-6)

    def test_takes_landmarks_to_their_places(self):
        image = random_volume((60, 70), 11)
        generator = numpy.random.default_rng(12)
        places = generator.uniform((5, 5), (55, 65), (9, 2))
        moved = places + generator.uniform(-4, 4, places.shape)
        self.text("marks.csv", "y,x,y,x\n" + "".join(
            f"{a},{b},{c},{d}\n" for (a, b), (c, d) in zip(places, moved)))
        o = numpy.indices(image.shape).reshape(2, -1).T.astype(float)
        spline = scipy.interpolate.RBFInterpolator(places, moved, kernel="thin_plate_spline")
        expected = scipy.ndimage.map_coordinates(image.astype(float), spline(o).T, order=1,
                                                 mode="nearest").reshape(image.shape)
        found = self.resampled(image, "--landmarks", "marks.csv", "--boundary", "nearest")
        self.assertLessEqual(abs(found - expected).max(), 1e-5)

    def test_takes_landmarks_as_spreadsheets_write_them(self):
        self.write("in.tif", random_volume((3, 16, 17), 11))
        rows = ("0,0,0,0", "0,16,0,16", "15,0,15,0", "15,16,14,15")
        for name, text in (("plain.csv", "y,x,y2,x2\n" + "\n".join(rows)),
                           ("marked.csv", "\ufeffy,x,y2,x2\r\n" + "\r\n".join(rows) + "\r\n"),
                           ("marked_rows.csv", "\ufeff" + "\n".join(rows)),
                           ("blanks.csv", "\n".join(rows).replace(",", ", ").replace("\n", " \n"))):
            self.text(name, text)
            self.succeed("resample", "in.tif", "--landmarks", name, "-o", "out.tif", "--overwrite")
            found = tifffile.imread(self.path("out.tif"))
            if name == "plain.csv":
                expected = found
            numpy.testing.assert_array_equal(found, expected, name)

    def test_is_the_same_whatever_the_memory_threads_and_strategy(self):
        self.write("in.tif", random_volume((3, 500, 600), 13, numpy.uint16))
        options = ("resample", "in.tif", "--rotate", "25", "--order", "3", "-o")
        self.succeed(*options, "whole.tif")
        self.assertIn("bricks", self.succeed(*options, "x.tif", "--memory", "12M", "--dry-run"))
        self.succeed(*options, "parts.tif", "--memory", "12M", "--threads", "1")
        numpy.testing.assert_array_equal(self.read("parts.tif"), self.read("whole.tif"))
        for strategy in ("pixel", "tile"):
            self.succeed(*options, f"{strategy}.tif", "--strategy", strategy)
            numpy.testing.assert_array_equal(self.read(f"{strategy}.tif"), self.read("whole.tif"))

    def test_refusals(self):
        self.write("in.tif", random_volume((9, 9), 14))
        self.text("line.csv", "0,0,0,0\n1,1,1,1\n2,2,2,3\n")
        self.text("short.csv", "0,0,0,0\n1,1,1\n")
        self.text("lost.csv", "# found by hand\ny,x,y,x\n0,0,0,0\nnan,nan,1,1\n5,0,5,0\n0,5,0,5\n")
        self.text("first.csv", "NaN,0,1,1\n0,0,0,0\n5,0,5,0\n0,5,0,5\n")
        self.text("heads.csv", "y,x,y,x\n0,0,0,0\ny,x,y,x\n5,0,5,0\n0,5,0,5\n")
        self.text("semicolons.csv", "0;0;0;0\n")
        for options, code, words in (
                ((), 2, "such as --rotate"),
                (("--rotate", "3", "--scale", "2"), 2, "--rotate and --scale"),
                (("--matrix", "1,2,3"), 2, "resample: --matrix: '1,2,3' has 3 numbers"),
                (("--matrix", "1,2,3,4,5,b"), 2, "resample: --matrix: 'b' is not a number"),
                (("--homography", "1,2,3"), 2, "resample: --homography: '1,2,3' has 3 numbers"),
                (("--homography", "1,0,0,0,1,0,0,0,0"), 2,
                 "resample: --homography: look up by a homography: its last row is all zeros"),
                (("--scale", "1,2"), 2, "resample: --scale: '1,2' has 2 numbers"),
                (("--rotate", "3,w"), 2, "resample: --rotate: 'w' is not an axis"),
                (("--isotropic",), 2, "size of its voxels"),
                (("--deskew", "30"), 2, "size of its voxels"),
                (("--rotate", "3", "--order", "2"), 2, "0, 1 or 3"),
                (("--rotate", "3", "--boundary", "wrap", "--fill", "1"), 2, "--boundary zero or"),
                (("--rotate", "3", "--order", "3", "--labels"), 2, "labels"),
                (("--rotate", "3", "--strategy", "column"), 2, "columns"),
                (("--rotate", "3", "--coordinates", "tiled", "--gpus", "none"), 2, "needs a GPU"),
                (("--rotate", "3", "--coordinates", "squared"), 2, "summa"),
                (("--scale", "0"), 2, "resample: --scale: '0' has a factor of 0"),
                (("--scale", "1,-2,1"), 2, "above 0"),
                (("--landmarks", "line.csv"), 2, "resample: --landmarks line.csv: bend by 3"),
                (("--landmarks", "short.csv"), 3, "line 2"),
                (("--landmarks", "semicolons.csv"), 3, "separated by ';'"),
                (("--landmarks", "absent.csv"), 4, "absent.csv"),
                (("--landmarks", "lost.csv"), 3, "line 4: 'nan' is not a number"),
                (("--landmarks", "first.csv"), 3, "line 1: 'NaN' is not a number"),
                (("--landmarks", "heads.csv"), 3, "line 3: 'y' is not a number"),
                (("--displacement", "in.tif"), 3, "1 channels")):
            with self.subTest(options=options):
                result = self.command("resample", "in.tif", "-o", "out.tif", *options)
                self.assertEqual(result.returncode, code, result.stderr)
                self.assertIn(words, result.stderr)


if __name__ == "__main__":
    main()
