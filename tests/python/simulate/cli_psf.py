# SPDX-License-Identifier: MIT
# tests/python/simulate/cli_psf.py — PSFs have the orientation, signs and widths that the documents
# say.
import numpy

from program import ProgramTest, main


class Psf(ProgramTest):
    def psf(self, *options):
        self.succeed("psf", *options, "-o", "psf.tif", "--overwrite", "--quiet")
        return self.read("psf.tif").astype(float)

    def test_mirrors_a_psf_where_the_cover_glass_lies_below(self):
        aberrated = ("--depth-um", 3, "--size", "9,11,11", "--axial-origin", "focus")
        above = self.psf(*aberrated, "--cover-glass", "above")
        numpy.testing.assert_array_equal(self.psf(*aberrated), above)
        numpy.testing.assert_array_equal(self.psf(*aberrated, "--cover-glass", "below"),
                                         above[::-1])
        self.assertGreater(abs(above - above[::-1]).max(), 0.01 * above.max())

    def test_says_where_a_scalar_pupil_ends_before_the_aperture(self):
        shallow = "the scalar pupil ends at the sample index 1.33, below the aperture of 1.4: "
        deep = "the scalar pupil ends at the sample index 1.33, below the aperture of 1.4, beyond"
        for options, said in (((), shallow + "of emitters within a wavelength"),
                              (("--depth-um", 2), deep),
                              (("--model", "confocal"), "diffraction vectorial computes it"),
                              (("--model", "confocal", "--diffraction", "vectorial"), None),
                              (("--model", "richards-wolf"), None),
                              (("--model", "gaussian"), None), (("--na", 1.3), None)):
            with self.subTest(options):
                result = self.command("psf", "--size", "3,5,5", *options, "-o", "psf.tif",
                                      "--overwrite")
                self.assertEqual(result.returncode, 0, result.stderr)
                self.assertIn(said or "", result.stderr)
                self.assertEqual("scalar pupil" in result.stderr, said is not None)

    def test_zernike_terms_have_the_signs_that_the_documents_say(self):
        lens = ("--na", 0.8, "--immersion-index", 1, "--sample-index", 1, "--coverslip-um", 0,
                "--voxel-um", "0.2,0.1,0.1", "--size", "25,33,33", "--zernike")
        z, y, x = numpy.indices((25, 33, 33)) - numpy.reshape([12, 16, 16], (3, 1, 1, 1))

        def peak(*terms):
            psf = self.psf(*lens, *terms)
            at = psf.argmax()
            return z.flat[at], y.flat[at], x.flat[at]
        self.assertEqual(peak("2:0.4"), (0, 0, 5))  # 2 lambda / NA c = 0.52 um
        self.assertEqual(peak("3:0.4"), (0, 5, 0))
        self.assertGreater(peak("4:0.2")[0], 2)
        self.assertLess(peak("4:-0.2")[0], -2)
        near, far = z == -5, z == 5
        diagonal, upright = self.psf(*lens, "5:0.15"), self.psf(*lens, "6:0.15")
        self.assertGreater((diagonal * x * y)[near].sum(), 0)
        self.assertLess((diagonal * x * y)[far].sum(), 0)
        self.assertGreater((upright * (x * x - y * y))[near].sum(), 0)
        self.assertLess((upright * (x * x - y * y))[far].sum(), 0)
        for term, along in (("7:0.15", y), ("8:0.15", x)):
            focus = self.psf(*lens, term)[12]
            mean = (focus * along[12]).sum() / focus.sum()
            self.assertGreater(mean, along[12].flat[focus.argmax()] + 0.5, term)
        tail = self.psf(*lens, "11:0.15")[:, 16, 16]
        self.assertLess((tail * z[:, 0, 0]).sum(), -0.1 * tail.sum())

    def test_sted_spots_have_the_widths_that_the_documents_say(self):
        def width(*options):
            row = self.psf("--sample-index", 1.515, "--size", "1,3,255", "--voxel-um",
                           "0.1,0.005,0.005", "--pixel-integration", "off", "--axial-origin",
                           "focus", *options)[..., 1, 127:].ravel()
            first = int(numpy.argmax(row < row[0] / 2))
            return first - 1 + (row[first - 1] - row[0] / 2) / (row[first - 1] - row[first])
        confocal = width("--model", "confocal")
        for saturation, part in ((1, 0.794), (3, 0.582), (10, 0.354), (100, 0.117)):
            spot = width("--model", "sted", "--saturation", saturation)
            self.assertAlmostEqual(spot / confocal, part, delta=0.003)


if __name__ == "__main__":
    main()
