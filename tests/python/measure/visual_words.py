# SPDX-License-Identifier: MIT
# tests/python/measure/visual_words.py — words learned and assigned, beside scikit-learn's KMeans.
import json
import sys

from program import SKIPPED, ProgramTest, main, numpy

try:
    from sklearn.cluster import KMeans
except ImportError as missing:
    print(f"skipped: {missing}")
    sys.exit(SKIPPED)

NORMAL = numpy.random.default_rng(11).normal


def textures(features, samples):
    """Clusters of different widths that overlap, as textures' responses do."""
    centres = NORMAL(size=(40, features))
    widths = numpy.abs(NORMAL(size=(40, 1))) * 0.5 + 0.1
    which = numpy.arange(samples) % 40
    return (centres[which] + widths[which] * NORMAL(size=(samples, features))).astype("float32")


def peer_of(words):
    """KMeans that predicts these words, in double."""
    words = words.astype("float64")
    peer = KMeans(len(words), init=words, n_init=1, max_iter=1).fit(words)
    peer.cluster_centers_ = words
    return peer


class VisualWords(ProgramTest):
    def put(self, name, values):
        numpy.ascontiguousarray(values, "float32").tofile(self.path(name))
        return name

    def assigned(self, samples, words, strategy="auto"):
        self.succeed("assign", self.put("samples", samples.T), len(samples),
                     self.put("words", words), "out", strategy)
        return numpy.fromfile(self.path("out"), "uint16")

    def learned(self, samples, **spec):
        result = json.loads(self.succeed("learn", self.put("samples", samples.T), len(samples),
                                         json.dumps(spec), "out"))
        return numpy.fromfile(self.path("out"), "float32").reshape(-1, samples.shape[1]), result

    def test_the_nearest_words_are_those_of_kmeans(self):
        for features, count in ((1, 5), (8, 200), (13, 50), (48, 300)):
            samples = textures(features, 20000)
            words = textures(features, count)
            expected = peer_of(words).predict(samples.astype("float64"))
            got = self.assigned(samples, words)
            for i in numpy.flatnonzero(got != expected):
                mine, other = (((samples[i].astype("float64") - words[k]) ** 2).sum()
                               for k in (got[i], expected[i]))
                self.assertLessEqual(mine, other)
                self.assertAlmostEqual(mine, other, delta=1e-12 * other)
            numpy.testing.assert_array_equal(got, self.assigned(samples, words, "naive"))

    def test_from_the_same_start_inertia_is_that_of_kmeans(self):
        for features, count in ((3, 10), (8, 100), (48, 60)):
            samples = textures(features, 10000)
            start = samples[:count]
            peer = KMeans(count, init=start.astype("float64"), n_init=1, max_iter=100,
                          tol=1e-4).fit(samples.astype("float64"))
            words, result = self.learned(samples, start=self.path(self.put("start", start)))
            self.assertLess(abs(result["inertia"] / peer.inertia_ - 1), 0.01)
            self.assertAlmostEqual(-peer_of(words).score(samples.astype("float64")),
                                   result["inertia"], delta=1e-6 * result["inertia"])
            self.assertEqual(sum(result["sizes"]), len(samples))

    def test_from_the_same_start_each_iteration_is_that_of_kmeans(self):
        samples, count = textures(8, 5000), 50
        start = samples[:count]
        for iterations in (1, 2, 5):
            peer = KMeans(count, init=start.astype("float64"), n_init=1, max_iter=iterations,
                          tol=0).fit(samples.astype("float64"))
            words, _ = self.learned(samples, start=self.path(self.put("start", start)),
                                    most_iterations=iterations, tolerance=0)
            numpy.testing.assert_allclose(words, peer.cluster_centers_, atol=1e-5)

    def test_from_a_start_of_its_own_inertia_is_as_good_as_that_of_kmeans(self):
        samples, seeds = textures(8, 5000), range(5)
        mine = [self.learned(samples, words=60, seed=seed)[1]["inertia"] for seed in seeds]
        peers = [KMeans(60, n_init=1, max_iter=100, random_state=seed).fit(samples).inertia_
                 for seed in seeds]
        self.assertLess(numpy.mean(mine), 1.01 * numpy.mean(peers))


if __name__ == "__main__":
    main()
