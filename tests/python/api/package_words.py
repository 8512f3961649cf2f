# SPDX-License-Identifier: MIT
# tests/python/api/package_words.py — visual words of arrays, beside numpy's own sums and
# scikit-learn.
"""Usage: package_words.py FOLDER, which holds the package synthoscope. What is compared with
scikit-learn is skipped where that is not installed."""
import sys
import unittest

from package import or_skipped

with or_skipped():
    import numpy as np
    from scipy import ndimage
    from synthoscope import words

try:
    from sklearn.cluster import KMeans
except ModuleNotFoundError:
    KMeans = None

RANDOM = np.random.default_rng(4)
CENTRES = RANDOM.normal(0, 3, (12, 5))
SAMPLES = np.concatenate([RANDOM.normal(centre, 0.8, (400, 5)) for centre in CENTRES])
SAMPLES = SAMPLES.astype(np.float32)[RANDOM.permutation(len(SAMPLES))]


def texture(seed, sigma, shape=(64, 80)):
    random = np.random.default_rng(seed)
    return (ndimage.gaussian_filter(random.normal(0, 1, shape), sigma) * 1000).astype(np.float32)


def squared_distances(samples, centroids):
    return ((samples[:, None, :].astype("f8") - centroids[None].astype("f8")) ** 2).sum(axis=2)


class Learned(unittest.TestCase):
    def test_words_are_the_means_of_their_samples(self):
        learned = words.learn(SAMPLES, 12, seed=1, tolerance=0)
        nearest = words.assign(SAMPLES, learned)
        self.assertTrue(learned.converged)
        np.testing.assert_array_equal(np.bincount(nearest, minlength=12), learned.sizes)
        for word in range(12):
            np.testing.assert_allclose(SAMPLES[nearest == word].mean(axis=0),
                                       learned.centroids[word], atol=1e-5)
        self.assertAlmostEqual(learned.inertia / squared_distances(
            SAMPLES, learned.centroids).min(axis=1).sum(), 1, places=6)
        self.assertEqual(np.asarray(learned).shape, (12, 5))
        self.assertIn("12 words of 5 features", repr(learned))

    def test_the_seed_alone_decides(self):
        one, two, other = (words.learn(SAMPLES, 20, seed=seed, workers=workers)
                           for seed, workers in ((3, 1), (3, 2), (4, 1)))
        np.testing.assert_array_equal(one.centroids, two.centroids)
        self.assertFalse(np.array_equal(one.centroids, other.centroids))

    def test_samples_have_the_nearest_word_and_of_equal_ones_the_first(self):
        centroids = RANDOM.normal(0, 3, (300, 5)).astype(np.float32)
        np.testing.assert_array_equal(words.assign(SAMPLES, centroids),
                                      squared_distances(SAMPLES, centroids).argmin(axis=1))
        self.assertEqual(words.assign([[0.0], [5.0]], [[1.0], [-1.0], [5.0], [5.0]]).tolist(),
                         [0, 2])
        self.assertEqual(words.assign(np.zeros((0, 5)), centroids).shape, (0,))

    @unittest.skipIf(KMeans is None, "scikit-learn is not installed")
    def test_from_one_start_they_are_those_of_scikit_learn(self):
        start = SAMPLES[:25]
        learned = words.learn(SAMPLES, start=start)
        theirs = KMeans(25, init=start, n_init=1, max_iter=100).fit(SAMPLES.astype("f8"))
        self.assertLess(learned.inertia, 1.01 * theirs.inertia_)
        np.testing.assert_array_equal(
            words.assign(SAMPLES, theirs.cluster_centers_.astype("f4")),
            KMeans.predict(theirs, SAMPLES.astype("f8")))


class OfImages(unittest.TestCase):
    def test_features_have_a_shape_for_each_bank_and_image(self):
        plane, stack = texture(1, 2), texture(2, 1.5, (7, 40, 50))
        for bank, of_plane, of_stack in (("lm", 48, 48), ("schmid", 13, 13), ("mr8", 8, 8),
                                         ("invariants", 11, 14)):
            self.assertEqual(words.features(plane, bank).shape, (of_plane, *plane.shape))
            self.assertEqual(words.features(stack, bank).shape, (of_stack, *stack.shape))
        mr8 = words.features(stack)
        for z in (0, 6):  # planes are filtered alone, by what the whole stack varies
            ratio = stack.std() / stack[z].std()
            np.testing.assert_allclose(mr8[:, z] * ratio, words.features(stack[z]), atol=2e-5)

    def test_features_ignore_brightness_and_where_standardised_contrast(self):
        image = texture(1, 2)
        np.testing.assert_allclose(words.features(3 * image + 500), words.features(image),
                                   atol=2e-5)
        raw = words.features(image, standardised=False)
        np.testing.assert_allclose(raw / image.std(), words.features(image), atol=1e-5)

    def test_word_maps_are_the_nearest_words_of_features(self):
        for image, bank in ((texture(1, 2), "mr8"), (texture(3, 1, (5, 30, 40)), "invariants")):
            for how in ({}, {"contrast_normalised": True}):
                samples = words.features(image, bank, **how).reshape(-1, image.size).T
                learned = words.learn(samples[::3], 40)
                found = words.word_map(image, learned, bank, **how)
                self.assertEqual((found.dtype, found.shape), (np.uint8, image.shape))
                expected = words.assign(samples, learned).reshape(image.shape)
                self.assertGreater((found == expected).mean(), 0.9999)
        many = RANDOM.normal(0, 1, (300, 8))
        self.assertEqual(words.word_map(texture(1, 2), many).dtype, np.uint16)

    def test_histograms_add_up_to_one_at_every_level(self):
        image = RANDOM.integers(0, 7, (33, 47)).astype(np.uint8)
        whole = words.histogram(image, 10)
        np.testing.assert_allclose(whole, np.bincount(image.ravel(), minlength=10) / image.size,
                                   atol=1e-6)
        pyramid = words.histogram(image, 10, levels=2)
        self.assertEqual(pyramid.shape, (10 * (1 + 4 + 16),))
        self.assertAlmostEqual(float(pyramid.sum()), 1, places=5)
        np.testing.assert_allclose(pyramid[:10], whole / 4, atol=1e-6)

    def test_distances_are_their_formulae(self):
        a, b = RANDOM.random((2, 50)).astype(np.float32)
        a, b = a / a.sum(), b / b.sum()
        for how, expected in (("euclidean", np.sqrt(((a - b) ** 2).sum())),
                              ("chi-square", ((a - b) ** 2 / (a + b)).sum() / 2),
                              ("intersection", 1 - np.minimum(a, b).sum())):
            self.assertAlmostEqual(words.distance(a, b, how), float(expected), places=6)
            self.assertAlmostEqual(words.distance(a, a, how), 0, places=6)

    def test_textures_are_told_apart(self):
        def of(seed, sigma):
            return words.histogram(words.word_map(texture(seed, sigma), learned), 30)
        samples = np.concatenate([words.features(texture(seed, sigma)).reshape(8, -1).T[::5]
                                  for seed, sigma in ((1, 1.5), (2, 2.2))])
        learned = words.learn(samples, 30)
        known = [of(1, 1.5), of(2, 2.2)]
        for seed in range(3, 9):
            for right, sigma in enumerate((1.5, 2.2)):
                histogram = of(seed, sigma)
                self.assertEqual(np.argmin([words.distance(histogram, one) for one in known]),
                                 right)


class Refused(unittest.TestCase):
    def test_what_is_wrong_is_said(self):
        image = texture(1, 2)
        with_nan = image.copy()
        with_nan[3, 4] = np.nan
        for says, call in (
                ("bank is 'gabor'", lambda: words.features(image, "gabor")),
                ("shape \\(5,\\)", lambda: words.features(np.zeros(5))),
                ("NaN or infinite", lambda: words.features(with_nan)),
                ("count is 0", lambda: words.learn(SAMPLES, 0)),
                ("samples has the shape \\(4800,\\)", lambda: words.learn(SAMPLES[:, 0])),
                ("features", lambda: words.assign(SAMPLES, np.zeros((3, 4)))),
                ("features", lambda: words.word_map(image, np.zeros((3, 4)))),
                ("float64", lambda: words.histogram(np.zeros((4, 4)), 3)),
                ("distance is 'far'", lambda: words.distance([1.0], [1.0], "far")),
                ("2 and 1 words", lambda: words.distance([0.5, 0.5], [1.0]))):
            with self.assertRaisesRegex(ValueError, says):
                call()
        with self.assertRaises(ValueError):  # fewer samples than words
            words.learn(SAMPLES[:5], 12)
        with self.assertRaises(ValueError):
            words.histogram(np.full((4, 4), 9, np.uint8), 3)
        with self.assertRaises(MemoryError):
            words.features(image, memory=1000)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
