# SPDX-License-Identifier: MIT
# tests/python/api/package_frames.py — frames for training: a function of scene, seed and index.
"""Usage: package_frames.py FOLDER PROGRAM; FOLDER holds the package synthoscope."""
import itertools
import multiprocessing
import os
import pickle
import runpy
import sys
import threading
import unittest
import unittest.mock

from package import or_skipped

with or_skipped():
    import numpy as np
    from synthoscope import _core, frames, simulate

EXAMPLE = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "..", "examples",
                       "train_with_torch.py")

TINY = {"seed": 5, "grid": {"size": [8, 32, 36], "pitch_nm": [400, 200, 200]},
        "nuclei": {"count": 2, "radius_um": 1.1, "gap_um": 0.1},
        "optics": {"na": 0.8, "immersion_index": 1.33, "size": [5, 9, 9]}}
CHANNELS = [{"name": "red", "optics": {"wavelength_nm": 610}, "light": {"nuclei": 1}},
            {"name": "green", "light": {"nuclei": 0.5}}]
MOVIE = {**TINY, "frames": 3, "time": {"interval_seconds": 60, "diffusion_um2_per_second": 0.001}}


def voxels(frame):
    return frame.image.tobytes() + frame.labels.tobytes()


def made_elsewhere(arguments):
    made, index = arguments
    return voxels(made[index])


class AreAFunctionOfTheirIndex(unittest.TestCase):
    def test_with_the_images_of_the_data_set(self):
        for scene in ({**TINY, "frames": 3}, {**TINY, "frames": 3, "channel": CHANNELS}, MOVIE):
            whole = simulate(scene)
            one_by_one = frames(scene, 3, photons=True)
            for i in (2, 0, 1):
                frame = one_by_one[i]
                self.assertEqual(frame.index, i)
                np.testing.assert_array_equal(frame.image, whole.image[i])
                np.testing.assert_array_equal(frame.photons, whole.photons[i])
                np.testing.assert_array_equal(frame.labels > 0, whole.labels[i] > 0)

    def test_in_any_order_and_wherever_they_are_made(self):
        made = frames(TINY, 4, workers=1)
        here = [voxels(frame) for frame in made]
        self.assertEqual(len(set(here)), 4)
        self.assertEqual([voxels(made[i]) for i in (3, 1)], [here[3], here[1]])
        self.assertEqual(voxels(made[-1]), here[3])
        self.assertEqual([voxels(frame) for frame in pickle.loads(pickle.dumps(made))], here)
        self.assertEqual([voxels(frame) for frame in frames(TINY, 4, workers=3)], here)
        for way in ("fork", "spawn"):  # this process has threads already
            with multiprocessing.get_context(way).Pool(2) as pool:
                there = pool.map(made_elsewhere, [(made, i) for i in range(4)])
            self.assertEqual(there, here)

    def test_in_threads(self):
        made, found = frames(TINY, 8), {}
        threads = [threading.Thread(target=lambda i=i: found.update({i: voxels(made[i])}))
                   for i in range(8)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        again = frames(TINY, 8)
        self.assertEqual(found, {i: voxels(again[i]) for i in range(8)})

    def test_by_one_maker_of_all_threads(self):
        made, makers, alike = frames(TINY, 4), [], _core.FrameMaker

        def counted(*arguments, **options):
            makers.append(threading.get_ident())
            return alike(*arguments, **options)

        together = threading.Barrier(4)
        threads = [threading.Thread(target=lambda i=i: (together.wait(), made[i]))
                   for i in range(4)]
        with unittest.mock.patch.object(_core, "FrameMaker", counted):
            for thread in threads:
                thread.start()
            for thread in threads:
                thread.join()
        self.assertEqual(len(makers), 1)

    def test_and_of_the_seed(self):
        self.assertEqual(voxels(frames(TINY, 2)[1]), voxels(frames(TINY, 2, seed=5)[1]))
        self.assertNotEqual(voxels(frames(TINY, 2)[1]), voxels(frames(TINY, 2, seed=6)[1]))
        drawn = frames({**TINY, "seed": None}, 1)
        self.assertEqual(voxels(drawn[0]), voxels(frames(TINY, 1, seed=drawn.seed)[0]))


class Are(unittest.TestCase):
    def test_as_many_as_are_asked_for(self):
        self.assertEqual(len(frames(TINY, 7)), 7)
        self.assertEqual(len(list(frames(TINY, 3))), 3)
        self.assertEqual(len(frames(MOVIE)), 3)
        endless = frames(TINY)
        self.assertRaises(TypeError, len, endless)
        self.assertEqual([frame.index for frame in itertools.islice(endless, 3)], [0, 1, 2])
        self.assertEqual(endless[10**9].image.shape, (8, 32, 36))

    def test_labelled_from_one_in_each_and_by_tracks_in_a_movie(self):
        for frame in frames(TINY, 3):
            self.assertEqual(set(np.unique(frame.labels)) - {0}, {1, 2})
            np.testing.assert_array_equal(frame.objects["id"], [1, 2])
        whole = simulate(MOVIE)
        for i, frame in enumerate(frames(MOVIE)):
            np.testing.assert_array_equal(frame.labels, whole.labels[i])

    def test_of_a_channel_or_of_all(self):
        scene = {**TINY, "channel": CHANNELS}
        both, green = frames(scene, 1)[0], frames(scene, 1, channel="green")[0]
        self.assertEqual(both.image.shape, (2, 8, 32, 36))
        np.testing.assert_array_equal(green.image, both.image[1])
        self.assertIsNone(both.photons)

    def test_shown_in_a_line(self):
        self.assertRegex(repr(frames(TINY, 1)[0]), r"^<frame 0: image uint16 \(8, 32, 36\), 2 obj")

    def test_refused_in_a_sentence(self):
        made = frames(TINY, 2)
        self.assertRaisesRegex(IndexError, "frames from 0 to 1", lambda: made[2])
        self.assertRaises(IndexError, lambda: made[-3])
        self.assertRaises(TypeError, lambda: made["1"])
        self.assertRaisesRegex(ValueError, "count is 0", frames, TINY, 0)
        self.assertRaisesRegex(ValueError, "the movie has 3", frames, MOVIE, 4)
        self.assertRaisesRegex(MemoryError, "memory=", lambda: frames(TINY, 1, memory=1000)[0])


class TrainingWithTorch(unittest.TestCase):
    def setUp(self):
        try:
            import torch  # noqa: F401
        except ModuleNotFoundError as missing:
            self.skipTest(str(missing))
        self.example = runpy.run_path(EXAMPLE)

    def test_workers_share_the_frames(self):
        from torch.utils.data import DataLoader
        made = frames(TINY, 7, workers=1)
        alone = [voxels(frame) for frame in made]
        for workers in (0, 2, 3):
            loader = DataLoader(self.example["FramesDataset"](made), batch_size=None,
                                num_workers=workers)
            there = sorted((int(index), image.numpy().tobytes()) for image, _, index in loader)
            self.assertEqual([index for index, _ in there], list(range(7)))
            self.assertEqual([image for _, image in there],
                             [made[i].image.astype(np.float32).tobytes() for i in range(7)])
        self.assertEqual(len(alone), 7)

    def test_learns(self):
        first, last = self.example["train"](frames(TINY, 12, workers=1), processes=2)
        self.assertLess(last, first)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
