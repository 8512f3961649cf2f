# SPDX-License-Identifier: MIT
# tests/python/api/package_simulate.py — the simulator from Python against the program.
"""Usage: package_simulate.py FOLDER PROGRAM; FOLDER holds the package synthoscope."""
import copy
import filecmp
import os
import pickle
import re
import signal
import subprocess
import sys
import tempfile
import threading
import time
import unittest
import warnings

from package import or_skipped
from process_memory import most_anonymous

with or_skipped():
    import numpy as np
    import tifffile
    import synthoscope
    from synthoscope import Camera, Scene, _core, simulate

PROGRAM = sys.argv[2]

TINY = {"seed": 5, "grid": {"size": [8, 32, 36], "pitch_nm": [400, 200, 200]},
        "nuclei": {"count": 2, "radius_um": 1.1, "gap_um": 0.1},
        "optics": {"na": 0.8, "immersion_index": 1.33, "size": [5, 9, 9]}}
CHANNELS = [{"name": "red", "optics": {"wavelength_nm": 610}, "light": {"nuclei": 1}},
            {"name": "green", "light": {"nuclei": 0.5}, "camera": {"kind": "emccd"}}]

# What is other in each, and which axes its arrays have.
SCENES = (
    ("plain", {}, "ZYX"),
    ("frames", {"frames": 3}, "TZYX"),
    ("channels", {"channel": CHANNELS}, "CZYX"),
    ("frames and channels", {"frames": 2, "channel": CHANNELS}, "TCZYX"),
    ("binned", {"camera": {"binning": 2}}, "ZYX"),
    ("eight bits", {"camera": {"bit_depth": 8}}, "ZYX"),
    ("cells", {"cells": {"count": 1, "radius_um": 1.4, "nucleus_radius_um": 0.5, "gap_um": 0,
                         "spots": 3}}, "ZYX"),
    ("a movie", {"frames": 3, "time": {"interval_seconds": 60.0,
                                       "diffusion_um2_per_second": 0.001}}, "TZYX"),
)


def scene_of(more):
    return Scene.from_dict({**TINY, **more})


def run(*words, fails=False):
    done = subprocess.run([PROGRAM, *map(str, words)], capture_output=True, text=True, check=False)
    if not fails and done.returncode:
        raise AssertionError(done.stderr)
    return done


def files_below(folder):
    return sorted(os.path.relpath(os.path.join(where, name), folder)
                  for where, _, names in os.walk(folder) for name in names)


class InFolder(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = folder.name

    def path(self, name):
        return os.path.join(self.folder, name)

    def file_of(self, scene):
        with open(self.path("scene.toml"), "w", encoding="utf-8") as file:
            file.write(scene.to_toml())
        return file.name


class Folders(InFolder):
    def test_have_the_programs_files_byte_for_byte(self):
        kinds = [(name, more, {}) for name, more, _ in SCENES]
        kinds += [("as the challenge", {"frames": 2}, {"truth_layout": "ctc"}),
                  ("hdf5", {}, {"format": "hdf5", "compression": "deflate"}),
                  ("zarr", {}, {"format": "zarr", "compression": "zstd"}),
                  ("imagej", {}, {"tiff_flavor": "imagej"}),
                  ("one channel", {"channel": CHANNELS}, {"channel": "green"})]
        for number, (name, more, options) in enumerate(kinds):
            with self.subTest(scene=name):
                scene = scene_of(more)
                words = [word for key, value in options.items()
                         for word in ("--" + key.replace("_", "-"), value)]
                theirs, ours = self.path(f"theirs{number}"), self.path(f"ours{number}")
                run("simulate", self.file_of(scene), "-o", theirs, "--memory", "1G", *words)
                done = simulate(scene, ours, memory="1G", workers=1, **options)
                files = files_below(theirs)
                self.assertEqual(files_below(ours), files)
                said = [os.path.relpath(one, ours) for one in done.files]
                self.assertEqual([file for file in files
                                  if not any(file == one or file.startswith(one + os.sep)
                                             for one in said)], [])
                self.assertTrue(all(os.path.exists(one) for one in done.files))
                _, differing, missing = filecmp.cmpfiles(ours, theirs, files, shallow=False)
                self.assertEqual((differing, missing), ([], []))
                self.assertEqual(done.seed, 5)

    def test_hold_the_frames_that_are_asked_for(self):
        scene = scene_of({"frames": 4})
        done = simulate(scene, self.path("some"), frames=range(1, 3))
        self.assertEqual(done.frames, 2)
        arrays = simulate(scene, frames=range(1, 3))
        for place, frame in enumerate((1, 2)):
            np.testing.assert_array_equal(
                tifffile.imread(self.path(f"some/image_t00{frame}.ome.tif")), arrays.image[place])

    def test_are_replaced_where_that_is_said(self):
        scene, where = scene_of({}), self.path("set")
        simulate(scene, where)
        with self.assertRaisesRegex(ValueError, r"exists; choose another folder or give "
                                                r"overwrite=True"):
            simulate(scene, where)
        self.assertEqual(simulate(scene, where, overwrite=True, seed=6).seed, 6)


class Arrays(InFolder):
    def test_are_those_of_the_files(self):
        for number, (name, more, axes) in enumerate(SCENES):
            with self.subTest(scene=name):
                scene = scene_of(more)
                arrays = simulate(scene, workers=2)
                self.assertEqual(arrays.axes, axes)
                self.assertEqual(arrays.channels, scene.channels)
                folder = self.path(str(number))
                simulate(scene, folder)
                of = lambda stack, channel="", frame=0: tifffile.imread(os.path.join(  # noqa: E731
                    folder, stack + (f"_{channel}" if channel else "")
                    + (f"_t00{frame}" if scene.frames > 1 else "") + ".ome.tif"))
                of_frames = lambda stack, channel="": np.squeeze(np.stack(  # noqa: E731
                    [of(stack, channel, frame) for frame in range(scene.frames)]))
                for stack, array in (("image", arrays.image), ("photons", arrays.photons)):
                    for i, channel in enumerate(scene.channels or ("",)):
                        ours = array if not scene.channels else np.take(array, i, axes.index("C"))
                        np.testing.assert_array_equal(of_frames(stack, channel), ours)
                np.testing.assert_array_equal(of_frames("labels"), arrays.labels)
                if "cells" in more:
                    np.testing.assert_array_equal(of_frames("structures"), arrays.structures)
                    self.assertEqual(len(arrays.spots["id"]), 3)
                else:
                    self.assertIsNone(arrays.structures)
                    self.assertIsNone(arrays.spots)

    def test_have_the_tables_of_the_files(self):
        scene = scene_of({"frames": 3})
        objects = simulate(scene).objects
        simulate(scene, self.path("set"))
        table = np.genfromtxt(self.path("set/objects.csv"), delimiter=",", names=True, dtype=None,
                              encoding="utf-8")
        self.assertEqual(tuple(objects), table.dtype.names)
        self.assertEqual(len(objects["id"]), 6)
        for name in ("id", "frame", "class", "centroid_z_um", "voxels"):
            np.testing.assert_array_equal(objects[name], table[name])

    def test_of_a_chosen_channel_have_no_axis_of_channels(self):
        scene = scene_of({"channel": CHANNELS})
        both, green = simulate(scene), simulate(scene, channel="green")
        self.assertEqual((green.axes, green.channels), ("ZYX", ()))
        np.testing.assert_array_equal(green.image, both.image[1])

    def test_do_not_depend_on_workers(self):
        scene = scene_of({"channel": CHANNELS})
        one, many = simulate(scene, workers=1), simulate(scene, workers=5)
        np.testing.assert_array_equal(one.image, many.image)

    def test_of_little_work_need_no_gpu(self):
        mine, theirs = simulate(scene_of({})), simulate(scene_of({}), gpus="auto")
        np.testing.assert_array_equal(mine.photons, theirs.photons)
        np.testing.assert_array_equal(mine.image, theirs.image)

    def test_have_a_seed_that_is_told(self):
        scene = Scene.from_dict({name: keys for name, keys in TINY.items() if name != "seed"})
        first, second = simulate(scene), simulate(scene)
        self.assertNotEqual(first.seed, second.seed)
        np.testing.assert_array_equal(simulate(scene, seed=first.seed).image, first.image)

    def test_of_channels_that_differ_in_size_are_refused(self):
        binned = [{**CHANNELS[0], "camera": {"binning": 2}}, CHANNELS[1]]
        scene = scene_of({"channel": binned})
        with self.assertRaisesRegex(ValueError, "differ in size or type.*channel="):
            simulate(scene)
        self.assertEqual(simulate(scene, channel="red").image.shape, (8, 16, 18))


class Parts(InFolder):
    def test_are_those_that_the_program_writes(self):
        scene = scene_of({"frames": 2, "channel": CHANNELS})
        file = self.file_of(scene)
        psf, light, labels = self.path("psf.tif"), self.path("light.tif"), self.path("labels.tif")
        run("psf", file, "-o", psf, "--channel", "green")
        run("phantom", file, "-o", light, "--labels", labels, "--frame", 1, "--channel", "green")
        ours = scene.psf("green")
        np.testing.assert_array_equal(tifffile.imread(psf), ours.array)
        self.assertEqual((ours.array.shape, ours.center), ((5, 9, 9), (2, 4, 4)))
        self.assertEqual(ours.spacing_um, (0.4, 0.2, 0.2))
        np.testing.assert_array_equal(np.asarray(ours), ours.array)
        phantom = scene.phantom(1, channel="green")
        np.testing.assert_array_equal(tifffile.imread(light), phantom.light)
        np.testing.assert_array_equal(tifffile.imread(labels), phantom.labels)

    def test_together_make_the_image(self):
        scene = scene_of({"frames": 2, "channel": CHANNELS})
        made = simulate(scene)
        for i, name in enumerate(scene.channels):
            camera = scene.camera(name)
            for frame in (1, 0):
                counts = camera.record(made.photons[frame, i], scene.seed, frame)
                np.testing.assert_array_equal(counts, made.image[frame, i])

    def test_cameras_come_of_files_texts_and_dictionaries(self):
        keys = {"kind": "emccd", "em_gain": 200, "binning": 2}
        text = "kind = 'emccd'\nem_gain = 200\nbinning = 2\n"
        photons = np.random.default_rng(1).uniform(0, 50, (3, 10, 12))
        with open(self.path("camera.toml"), "w", encoding="utf-8") as file:
            file.write(text)
        counts = Camera.from_dict(keys).record(photons, 7)
        self.assertEqual((counts.shape, counts.dtype), ((3, 5, 6), np.uint16))
        for camera in (Camera.from_toml(text), Camera.from_toml(file.name)):
            np.testing.assert_array_equal(camera.record(photons, 7), counts)
            np.testing.assert_array_equal(camera.record(photons[0], 7), counts[0])
        self.assertFalse(np.array_equal(Camera.from_dict(keys).record(photons, 7, 1), counts))

    def test_cameras_have_their_mean_and_variance(self):
        camera = Camera.from_dict({"kind": "scmos", "quantum_efficiency": 0.8, "offset_dn": 100,
                                   "gain_dn_per_electron": 2.0, "read_noise_electrons": 1.5,
                                   "offset_spread_dn": 0, "gain_spread": 0, "read_noise_spread": 0,
                                   "dark_current_electrons_per_second": 0})
        counts = camera.record(np.full((4, 300, 300), 50.0), 1).astype(float)
        electrons = 0.8 * 50
        self.assertAlmostEqual(counts.mean(), 100 + 2 * electrons, delta=0.1)
        self.assertAlmostEqual(counts.var(), 4 * (electrons + 1.5**2) + 1 / 12, delta=1.5)

    def test_clipping_is_told_in_a_warning_at_the_users_line(self):
        camera = Camera.from_dict({"kind": "scmos", "bit_depth": 8})
        with warnings.catch_warnings(record=True) as told:
            warnings.simplefilter("always")
            camera.record(np.full((20, 20), 1e5), 1)
        self.assertEqual([os.path.basename(one.filename) for one in told],
                         [os.path.basename(__file__)])
        self.assertIn("clipped", str(told[0].message))


    def test_photons_below_zero_are_told_in_a_warning_but_for_rounding(self):
        camera, light = Camera.from_dict({"kind": "scmos"}), np.full((20, 20), 100.0)
        for lowest, says in ((0, []), (-1e-3, []), (-1, ["1 of 400 photons are below 0"])):
            light[3, 4] = lowest
            with self.subTest(lowest=lowest), warnings.catch_warnings(record=True) as told:
                warnings.simplefilter("always")
                camera.record(light, 1)
            self.assertEqual([str(one.message)[8:36] for one in told], says)

    def test_cameras_are_pickled_and_copied_with_their_noise(self):
        photons = np.full((20, 20), 50.0)
        for camera in (Camera.from_dict({"kind": "emccd", "em_gain": 200}),
                       scene_of({"channel": CHANNELS}).camera("green")):
            counts = camera.record(photons, 7)
            for again in (pickle.loads(pickle.dumps(camera)), copy.deepcopy(camera)):
                np.testing.assert_array_equal(again.record(photons, 7), counts)
                self.assertEqual(repr(again), repr(camera))

    def test_a_camera_is_shared_by_threads(self):
        camera, photons, found = Camera.from_dict({"kind": "scmos"}), np.full((64, 64), 50.0), {}
        camera.record(photons, 7)
        threads = [threading.Thread(target=lambda i=i: found.update(
            {i: camera.record(photons, 7, i).tobytes()})) for i in range(8)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        self.assertEqual(found, {i: camera.record(photons, 7, i).tobytes() for i in range(8)})

    def test_are_shown_in_a_line(self):
        keys = {"kind": "emccd", "em_gain": 200}
        self.assertEqual(repr(eval(repr(Camera.from_dict(keys)))), repr(Camera.from_dict(keys)))
        self.assertIn("'em_gain': 200", repr(Camera.from_dict(keys)))
        scene = scene_of({"channel": CHANNELS})
        self.assertIn("channel 'green': {'kind': 'emccd'", repr(scene.camera("green")))
        self.assertEqual(repr(simulate(scene)),
                         "<simulated CZYX: image uint16 (2, 8, 32, 36), 2 objects, seed 5>")
        self.assertRegex(repr(scene.phantom()), r"^<Phantom of \(8, 32, 36\) voxels")
        self.assertRegex(repr(scene.psf()), r"^<Psf of \(5, 9, 9\) voxels")


class Refuses(InFolder):
    def test_what_is_wrong_in_a_sentence(self):
        scene = scene_of({})
        for says, error, call in (
                ("no channel gfp", ValueError, lambda: scene.psf("gfp")),
                ("no seed", ValueError, lambda: Scene.from_dict({}).phantom()),
                ("frames from 0 to 0", ValueError, lambda: scene.phantom(1)),
                ("frames from 0 to 0", ValueError, lambda: simulate(scene, frames=range(2))),
                ("give a range", ValueError, lambda: simulate(scene, frames=[0])),
                ("seed is -1", ValueError, lambda: simulate(scene, seed=-1)),
                ("workers", ValueError, lambda: simulate(scene, workers=0)),
                (r'memory="[\d.]+M" or more', MemoryError, lambda: simulate(scene, memory=1000)),
                ("is for files", ValueError, lambda: simulate(scene, truth_layout="ctc")),
                ("no GPU is named", ValueError, lambda: simulate(scene, gpus="")),
                ("GPU-of-nobody", (RuntimeError, ValueError),
                 lambda: simulate(scene, gpus="GPU-of-nobody")),
                ("GPU-of-nobody", (RuntimeError, ValueError),
                 lambda: simulate(scene, self.path("set"), gpus="GPU-of-nobody")),
                ("use one of native, ctc", ValueError,
                 lambda: simulate(scene, self.path("set"), truth_layout="cct")),
                ("voxel .* holds nan", ValueError,
                 lambda: scene.camera().record(np.full((3, 3), np.nan), 1)),
                ("seed is -1; give 0", ValueError,
                 lambda: scene.camera().record(np.ones((2, 2)), -1)),
                ("shape \\(4,\\)", ValueError, lambda: scene.camera().record(np.ones(4), 1)),
        ):
            with self.subTest(says=says):
                self.assertRaisesRegex(error, says, call)
        self.assertEqual(os.listdir(self.folder), [])


class LongWork(InFolder):
    """What happens while a simulation takes its time."""

    LONG = {**TINY, "frames": 40, "grid": {"size": [16, 96, 96], "pitch_nm": [400, 200, 200]}}

    def test_tells_its_progress_to_the_thread_that_called(self):
        told = []
        simulate(scene_of({"frames": 3}), progress=lambda *state: told.append(
            (threading.get_ident(), *state)))
        self.assertTrue(told)
        for thread, done, total, stage in told:
            self.assertEqual(thread, threading.get_ident())
            self.assertTrue(0 <= done <= total and stage)

    def test_ends_where_its_listener_raises(self):
        class Enough(Exception):
            pass

        def listen(done, total, stage):
            told.append((done, total, stage))
            raise Enough

        for folder in (None, self.path("set")):
            told = []
            self.assertRaises(Enough, simulate, self.LONG, folder, progress=listen, workers=1)
            self.assertEqual(len(told), 1)
        self.assertEqual(os.listdir(self.folder), [])

    def test_tells_a_frame_what_is_said_of_it_alone(self):
        scene = scene_of({"frames": 2, "time": {"interval_seconds": 60.0},
                          "cells": {"count": 1, "radius_um": 1.4, "nucleus_radius_um": 0.5,
                                    "gap_um": 0, "mitochondria": 100,
                                    "mitochondria_radius_um": 0.4}})

        def listen(*_):
            if ends:
                raise KeyError

        ends, said = False, []
        maker = _core.FrameMaker(scene._spec, channel=None, photons=False, each_alone=False,
                                 gpus="none", workers=1, memory=None, progress=listen)
        room = [np.empty(scene.shape, dtype) for dtype in (np.uint16, np.uint8, np.uint16)]
        for frame, ends in ((0, True), (1, False), (0, False)):
            with warnings.catch_warnings(record=True) as told:
                warnings.simplefilter("always")
                try:
                    maker.make(frame, *room[:2], room[2:], [])
                except KeyError:
                    pass
            said.append(["mitochondria" in str(one.message) for one in told])
        self.assertEqual(said, [[], [], [True]])

    def test_ends_by_a_signal_and_leaves_nothing(self):
        for folder in (None, self.path("set")):
            before = signal.signal(signal.SIGPROF, signal.default_int_handler)
            self.addCleanup(signal.signal, signal.SIGPROF, before)
            with self.assertRaises(KeyboardInterrupt):
                signal.setitimer(signal.ITIMER_PROF, 0.1)  # of computing, which a busy machine
                simulate(self.LONG, folder, workers=1)  # does not shorten
        self.assertEqual(os.listdir(self.folder), [])

    def test_lets_other_threads_go_on(self):
        counted, stop = [0], threading.Event()

        def count():
            while not stop.is_set():
                counted[0] += 1
                time.sleep(0)

        other = threading.Thread(target=count)
        before = sys.getswitchinterval()
        self.addCleanup(sys.setswitchinterval, before)
        sys.setswitchinterval(1000)  # the other one gets its turns from the simulation alone
        other.start()
        grown = []
        while not any(grown) and len(grown) < 100:
            begun = counted[0]
            simulate(self.LONG, frames=range(1), workers=1)
            grown.append(counted[0] > begun)
        stop.set()
        other.join()
        self.assertTrue(any(grown))

    def test_is_done_within_the_memory_that_it_names(self):
        scene = scene_of({"grid": {"size": [40, 120, 130], "pitch_nm": [400, 200, 200]},
                          "optics": {**TINY["optics"], "size": [21, 41, 41]}})
        whole = simulate(scene)
        for folder in (None, self.path("set")):
            with self.assertRaises(MemoryError) as refused:
                simulate(scene, folder, memory=1000)
            least = re.search(r'memory="([\d.]+M)"', str(refused.exception)).group(1)
            made = simulate(scene, folder, memory=least)
            photons = tifffile.imread(self.path("set/photons.ome.tif")) if folder else made.photons
            np.testing.assert_allclose(photons, whole.photons, rtol=0,
                                       atol=2e-6 * whole.photons.max())

    def test_keeps_to_its_memory(self):
        scene = scene_of({"grid": {"size": [48, 200, 200], "pitch_nm": [400, 200, 200]},
                          "optics": {**TINY["optics"], "size": [21, 61, 61]}})
        simulate(scene)  # what is loaded once
        peak = most_anonymous(lambda: simulate(scene, memory="24M"))
        result = scene_bytes(scene, 2 + 2 + 4)
        self.assertLess(peak, (24 << 20) + result + (6 << 20))


def scene_bytes(scene, of_voxel):
    return int(np.prod(scene.shape)) * of_voxel


if __name__ == "__main__":
    assert synthoscope.__version__
    unittest.main(argv=sys.argv[:1])
