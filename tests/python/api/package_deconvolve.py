# SPDX-License-Identifier: MIT
# tests/python/api/package_deconvolve.py — the light of files and arrays, beside the program's.
"""Usage: package_deconvolve.py FOLDER PROGRAM; FOLDER holds the package synthoscope."""
import doctest
import json
import os
import subprocess
import sys
import unittest
import warnings

from package import or_skipped
from process_memory import most_anonymous

with or_skipped():
    import h5py
    import numpy as np
    import synthoscope
    import tifffile
    from package_files import IMAGE, KERNEL, InFolder, Slices, as_words, bytes_of
    from synthoscope import Camera, Psf, convolve_file, deconvolve, deconvolve_file

PROGRAM = sys.argv[2]
CAMERA = {"kind": "scmos", "gain_dn_per_electron": 2.5, "offset_dn": 40, "quantum_efficiency": 0.7,
          "read_noise_electrons": 1.5}
QUICK = {"iterations": 2}

# Options, and the name of the result.
OPTIONS = (
    ({"iterations": 3}, "out.ome.tif"),
    ({"method": "rl", "background": 17.5}, "out.tif"),
    ({"background": "none", "edge": "wrap"}, "out.tif"),
    ({"normalize_kernel": "none", "kernel_center": (1, 3, 5)}, "out.tif"),
    ({"kernel_background": "auto", "kernel_center": "centroid"}, "out.tif"),
    ({"kernel_background": 0.01, "compression": "deflate", "chunks": (4, 16, 16)}, "out.h5"),
    ({"strategy": "ring", "tiff_flavor": "imagej"}, "out.tif"),
    ({"camera": "camera.toml"}, "out.tif"),
    ({"regularize": "tv:0.02", "method": "rl"}, "out.tif"),
    ({"camera": "camera.toml", "iterations": "auto"}, "out.tif"),
)


class Deconvolutions(InFolder):
    def setUp(self):
        super().setUp()
        with open(self.path("camera.toml"), "w", encoding="utf-8") as file:
            file.write("".join(f"{key} = {json.dumps(value)}\n" for key, value in CAMERA.items()))

    def of_the_program(self, name, *words, image="image.tif", psf="kernel.tif"):
        """What the command says of the file that it makes."""
        done = subprocess.run(
            [PROGRAM, "deconvolve", image, *([psf] if psf else []), "-o", name, "--gpus", "none",
             "--json", "--quiet", *words], check=True, capture_output=True, cwd=self.folder,
            text=True)
        return json.loads(done.stdout)

    def warnings_of(self, *given, **options):
        with warnings.catch_warnings(record=True) as told:
            warnings.simplefilter("always")
            deconvolve(*given, **options)
        return " ".join(str(one.message) for one in told)


class Files(Deconvolutions):
    def test_have_the_programs_bytes_and_its_report(self):
        for number, (options, name) in enumerate(OPTIONS):
            with self.subTest(options=options):
                options = {**QUICK, **options}
                words = [word for key, value in options.items() for word in as_words(key, value)]
                said = self.of_the_program(f"theirs{number}" + name, "--memory", "1G", *words)
                theirs, ours = (self.path(f"{who}{number}" + name) for who in ("theirs", "ours"))
                if "camera" in options:
                    options["camera"] = self.path(options["camera"])
                done = deconvolve_file(self.path("image.tif"), self.path("kernel.tif"), ours,
                                       memory="1G", **options)
                self.assertEqual(bytes_of(ours), bytes_of(theirs))
                self.assertEqual(
                    (done.iterations, done.log_likelihoods, done.search, done.search_end,
                     done.background, done.negative_voxels, done.saturated_voxels,
                     done.scratch_files),
                    (said["iterations"], said["log_likelihoods"],
                     [(step["iterations"], step["best"]) for step in said["search"]],
                     *(said[key] for key in ("search_end", "background", "negative_voxels",
                                             "saturated_voxels", "scratch_files"))))
                self.assertEqual([list(done.psf_center), done.psf_sum, done.psf_negative_voxels],
                                 [said["psf"][key] for key in ("center", "sum", "negative_voxels")])
                self.assertEqual(done.shape, IMAGE.shape)
                self.assertIn("iterations", done.stages)
                self.assertLessEqual(sum(done.stages.values()), done.wall_seconds)

    def test_record_what_made_them(self):
        out = self.path("out.tif")
        deconvolve_file(self.path("image.tif"), self.path("kernel.tif"), out,
                        camera=self.path("camera.toml"), **QUICK)
        with open(out + ".json", encoding="utf-8") as file:
            record = json.load(file)
        self.assertIn("synthoscope.deconvolve_file", json.dumps(record))
        self.assertIn("camera.toml", json.dumps(record["inputs"]))

    def test_are_replaced_where_that_is_said(self):
        out = self.path("out.tif")
        deconvolve_file(IMAGE, KERNEL, out, **QUICK)
        with self.assertRaisesRegex(ValueError, "overwrite=True"):
            deconvolve_file(IMAGE, KERNEL, out, **QUICK)
        deconvolve_file(IMAGE, KERNEL, out, overwrite=True, **QUICK)

    def test_of_a_small_memory_are_made_beside_scratch_files(self):
        image = np.random.default_rng(8).poisson(100, (60, 160, 170)).astype(np.uint16)
        inside, outside = (np.empty(image.shape, np.float32) for _ in range(2))
        self.assertFalse(deconvolve_file(image, KERNEL, inside, **QUICK).scratch_files)
        done = deconvolve_file(image, KERNEL, outside, memory="20M", scratch=self.folder, **QUICK)
        self.assertTrue(done.scratch_files)
        np.testing.assert_allclose(outside, inside, atol=1e-5 * inside.max())
        np.testing.assert_array_equal(
            deconvolve(image, KERNEL, memory="20M", scratch=self.folder, **QUICK), outside)
        self.assertEqual(sorted(os.listdir(self.folder)),
                         ["camera.toml", "image.tif", "kernel.tif"])

    def test_keep_to_a_memory_that_is_too_small_for_their_volumes(self):
        image = Slices(np.full((32, 300, 300), 7, np.uint16))
        light = np.zeros(image.shape, np.float32)
        deconvolve_file(IMAGE, KERNEL, self.path("out.tif"), **QUICK)  # loads what it needs
        peak = most_anonymous(lambda: deconvolve_file(image, KERNEL, light, memory="20M",
                                                      background=2, scratch=self.folder, **QUICK))
        self.assertLess(peak, (20 << 20) + (6 << 20))  # the volumes have 46 MiB


class Lists(Deconvolutions):
    """Several images in one call."""

    def setUp(self):
        super().setUp()
        tifffile.imwrite(self.path("other.tif"), IMAGE[::-1])
        self.images = [self.path("image.tif"), self.path("other.tif")]
        self.call = dict(QUICK, memory="1G")

    def result(self, name):
        return self.path(os.path.join("out", name))

    def test_have_a_result_for_each_image(self):
        stages = []
        done = deconvolve_file(self.images, KERNEL, self.path("out"), **self.call,
                               progress=lambda done, total, stage: stages.append(stage))
        for image, name, one in zip(self.images, ("image", "other"), done):
            deconvolve_file(image, KERNEL, self.path("alone.ome.tif"), overwrite=True, **self.call)
            self.assertEqual(bytes_of(self.result(f"{name}.ome.tif")),
                             bytes_of(self.path("alone.ome.tif")))
            self.assertEqual((one.shape, one.iterations), (IMAGE.shape, 2))
            self.assertAlmostEqual(sum(one.stages.values()), one.wall_seconds, delta=0.05)
        self.assertTrue([stage for stage in stages if stage.startswith("image 2/2, other: ")])

    def test_keep_what_is_finished(self):
        files = self.images, self.path("kernel.tif"), self.path("out")
        deconvolve_file(self.images[1:], *files[1:], **self.call)
        self.assertEqual(os.listdir(self.path("out")).count("other.ome.tif"), 1)
        done = deconvolve_file(*files, resume=True, **self.call)
        self.assertEqual([one.was_finished for one in done], [False, True])
        self.assertEqual([one.iterations for one in done], [2, 2])

    def test_are_refused_in_a_sentence(self):
        for says, images, result in (
                ("would both be called image", [self.images[0]] * 2, self.path("out")),
                ("the list of images is empty", [], self.path("out")),
                ("give the name of a folder", self.images, np.empty(IMAGE.shape, "f4")),
                ("image 2/2, camera.toml: ", [self.images[0], self.path("camera.toml")],
                 self.path("out"))):
            with self.subTest(says=says):
                self.assertRaisesRegex(ValueError, says, deconvolve_file, images, KERNEL, result,
                                       **self.call)

    def test_are_certified(self):
        for one in deconvolve_file(self.images, KERNEL, self.path("out"), certify=20, seed=3,
                                   **self.call):
            self.assertLess(one.certificate["blur"]["largest_error"],
                            one.certificate["blur"]["tolerance"])
            self.assertLess(one.certificate["adjointness"]["difference"],
                            one.certificate["adjointness"]["allowed"])
        light = np.empty(IMAGE.shape, "f4")
        done = deconvolve_file(IMAGE, KERNEL, light, certify=5, **self.call)
        self.assertEqual(done.certificate["back"]["voxels"], 5)
        self.assertIsNone(deconvolve_file(IMAGE, KERNEL, light, **self.call).certificate)


class Arrays(Deconvolutions):
    def setUp(self):
        super().setUp()
        self.of_the_program("theirs.tif", "--iterations", "2")
        self.expected = tifffile.imread(self.path("theirs.tif"))

    def test_of_every_kind_give_the_voxels_of_files(self):
        memmap = np.memmap(self.path("image.raw"), np.uint16, "w+", shape=IMAGE.shape)
        memmap[:] = IMAGE
        file = h5py.File(self.path("image.h5"), "w")
        self.addCleanup(file.close)
        chunked = file.create_dataset("image", data=IMAGE, chunks=(4, 16, 16), compression="gzip")
        for name, image in (
                ("in C order", IMAGE), ("in another order", np.asfortranarray(IMAGE)),
                ("in other bytes", IMAGE.astype(">u2")), ("mapped", memmap), ("of h5py", chunked),
                ("in layers", Slices(IMAGE, (4, 8, 8))), ("a view", IMAGE[::-1][::-1])):
            with self.subTest(image=name):
                light = deconvolve(image, KERNEL, **QUICK)
                self.assertEqual(light.dtype, np.float32)
                np.testing.assert_array_equal(light, self.expected)

    def test_of_numbers_that_are_not_stored_are_converted(self):
        for image in (IMAGE.astype(np.int64), IMAGE.tolist(), IMAGE.astype(np.float16)):
            light = deconvolve(image, KERNEL.astype(np.float64), **QUICK)
            np.testing.assert_allclose(light, self.expected, rtol=1e-3)

    def test_of_every_kind_are_written(self):
        file = h5py.File(self.path("out.h5"), "w")
        self.addCleanup(file.close)
        shape = IMAGE.shape
        for name, result in (
                ("mapped", np.memmap(self.path("out.raw"), np.float32, "w+", shape=shape)),
                ("of h5py", file.create_dataset("a", shape, "f4", chunks=(8, 16, 16))),
                ("in layers", Slices(np.empty(shape, "f4"), (6, 5, 5))),
                ("in other bytes", np.empty(shape, ">f4"))):
            with self.subTest(result=name):
                deconvolve_file(self.path("image.tif"), self.path("kernel.tif"), result, **QUICK)
                written = result.voxels if isinstance(result, Slices) else result[:]
                np.testing.assert_array_equal(written, self.expected)

    def test_of_planes_have_two_axes(self):
        tifffile.imwrite(self.path("plane.tif"), IMAGE[3])
        tifffile.imwrite(self.path("plane-psf.tif"), KERNEL[2])
        self.of_the_program("out.tif", "--iterations", "2", image="plane.tif", psf="plane-psf.tif")
        light = deconvolve(IMAGE[3], KERNEL[2], **QUICK)
        np.testing.assert_array_equal(light, tifffile.imread(self.path("out.tif")))
        np.testing.assert_array_equal(deconvolve(IMAGE[3], self.path("plane-psf.tif"), **QUICK),
                                      light)

    def test_have_channels_and_frames_of_files(self):
        stacks = np.stack([IMAGE, IMAGE[::-1]], axis=1)  # z, c, y, x
        tifffile.imwrite(self.path("two.tif"), stacks, imagej=True, metadata={"axes": "ZCYX"})
        result = np.empty(IMAGE.shape, np.float32)
        deconvolve_file(self.path("two.tif"), KERNEL, result, channel=0, **QUICK)
        np.testing.assert_array_equal(result, self.expected)


class Parts(Deconvolutions):
    """Objects of the package in place of arrays and files."""

    def test_a_psf_has_a_centre(self):
        psf = Psf(KERNEL, (1, 3, 6), (0.3, 0.1, 0.1), 0.0, 0.0)
        light = np.empty(IMAGE.shape, np.float32)
        done = deconvolve_file(IMAGE, psf, light, **QUICK)
        self.assertEqual(done.psf_center, psf.center)
        moved = deconvolve(IMAGE, KERNEL, kernel_center=psf.center, **QUICK)
        np.testing.assert_array_equal(light, moved)
        np.testing.assert_array_equal(deconvolve(IMAGE, psf, kernel_center="peak", **QUICK),
                                      deconvolve(IMAGE, KERNEL, **QUICK))
        blurred, expected = np.empty((2, *IMAGE.shape), np.float32)
        convolve_file(IMAGE, psf, blurred)
        convolve_file(IMAGE, KERNEL, expected, kernel_center=psf.center)
        np.testing.assert_array_equal(blurred, expected)
        with self.assertRaisesRegex(ValueError, "choose a voxel inside it"):
            deconvolve(IMAGE, Psf(KERNEL, (1, 3, 60), (0.3, 0.1, 0.1), 0.0, 0.0))

    def test_a_psf_of_a_scene_is_that_of_its_file(self):
        scene = synthoscope.Scene.from_dict({
            "grid": {"size": [9, 40, 40], "pitch_nm": [300, 110, 110]},
            "optics": {"na": 0.9, "immersion_index": 1.0, "coverslip_um": 0}})
        with open(self.path("scene.toml"), "w", encoding="utf-8") as file:
            file.write(scene.to_toml())
        subprocess.run([PROGRAM, "psf", "scene.toml", "-o", "psf.tif", "--quiet"], check=True,
                       cwd=self.folder)
        options = {"normalize_kernel": "none", **QUICK}
        np.testing.assert_array_equal(deconvolve(IMAGE, scene.psf(), **options),
                                      deconvolve(IMAGE, self.path("psf.tif"), **options))

    def test_optics_are_given_in_every_way(self):
        keys = {"grid": {"size": [9, 40, 40], "pitch_nm": [300, 110, 110]},
                "nuclei": {"count": 1},
                "optics": {"model": "gibson-lanni", "na": 1.3, "immersion_index": 1.515,
                           "sample_index": 1.33, "depth_varying": True, "reference_error": 0.02,
                           "size": [9, 15, 15]}}
        scene = synthoscope.Scene.from_dict(keys)
        with open(self.path("scene.toml"), "w", encoding="utf-8") as file:
            file.write(scene.to_toml())
        said = self.of_the_program("theirs.tif", "--optics", "scene.toml", "--iterations", "2",
                                   psf=None)
        expected = tifffile.imread(self.path("theirs.tif"))
        for optics in (scene, keys, self.path("scene.toml"), scene.to_toml()):
            light = np.empty(IMAGE.shape, np.float32)
            done = deconvolve_file(IMAGE, None, light, optics=optics, **QUICK)
            self.assertGreater(done.psf_depths, 1)
            self.assertEqual(done.psf_depths, said["psf"]["depths"])
            np.testing.assert_array_equal(light, expected)
        np.testing.assert_array_equal(deconvolve(IMAGE, optics=scene, **QUICK), expected)

    def test_a_camera_is_given_in_every_way(self):
        self.of_the_program("out.tif", "--camera", "camera.toml", "--iterations", "2")
        expected = tifffile.imread(self.path("out.tif"))
        camera = Camera.from_dict(CAMERA)
        with open(self.path("camera.toml"), encoding="utf-8") as file:
            text = file.read()
        for given in (camera, CAMERA, text, self.path("camera.toml")):
            with self.subTest(camera=type(given)):
                np.testing.assert_array_equal(deconvolve(IMAGE, KERNEL, camera=given, **QUICK),
                                              expected)

    def test_a_camera_gives_photons(self):
        image = np.full((5, 30, 30), 40 + 2.5 * 140, np.float32)
        light = deconvolve(image, KERNEL, camera=CAMERA, background=None)
        np.testing.assert_allclose(light[2, 12:18, 12:18], 140 / 0.7, rtol=0.02)

    def test_the_example_runs(self):
        module = sys.modules[deconvolve.__module__]
        results = doctest.testmod(module)
        self.assertGreater(results.attempted, 5)
        self.assertEqual(results.failed, 0)


class Refused(Deconvolutions):
    def test_in_a_sentence(self):
        out = np.empty(IMAGE.shape, np.float32)
        names = self.path("image.tif"), self.path("kernel.tif"), self.path("out.tif")
        nan = np.full(IMAGE.shape, np.nan, np.float32)
        for says, error, given, options in (
                ("deconvolve: method is 'gold'; use one of rl, shb", ValueError, names,
                 {"method": "gold"}),
                ("deconvolve: edge is 'mirror'; use one of extend, wrap", ValueError, names,
                 {"edge": "mirror"}),
                ("normalize_kernel is 'peak'; use one of sum, none", ValueError, names,
                 {"normalize_kernel": "peak"}),
                ("give iterations from 1", ValueError, names, {"iterations": 0}),
                ("give camera, or a number", ValueError, names, {"iterations": "auto"}),
                ("iterations is 1.5; give a whole number or 'auto'", ValueError, names,
                 {"iterations": 1.5}),
                ("background is 'dark'; give a number, 'auto' or None", ValueError, names,
                 {"background": "dark"}),
                ("give a smaller background", ValueError, names, {"background": 1e9}),
                ("give checkpoint_every from 0", ValueError, names, {"checkpoint_every": -1}),
                ("checkpoint_every is 'often'; give a number", ValueError, names,
                 {"checkpoint_every": "often"}),
                ("camera is 3; give a Camera", ValueError, names, {"camera": 3}),
                ("no such file", OSError, names, {"camera": self.path("none.toml")}),
                ("kernel_center is", ValueError, names, {"kernel_center": "left"}),
                ("strategy is 'chips'", ValueError, names, {"strategy": "chips"}),
                ("no such file", OSError, (self.path("none.tif"), *names[1:]), {}),
                ("which the run reads", ValueError, (names[0], names[1], names[0]),
                 {"overwrite": True}),
                ("holds .* NaN|NaN", ValueError, (nan, KERNEL, out), {}),
                ("zero", ValueError, (IMAGE, KERNEL * 0, out), {}),
                ("deconvolve the psf: its shape is .* 1 to 3 axes", ValueError,
                 (IMAGE, np.ones((1,) * 4), out), {}),
                ("deconvolve the image: its shape is", ValueError, (IMAGE[None], KERNEL, out), {}),
                ("neither a file's name nor an array", ValueError, (3, KERNEL, out), {}),
                ("but the result has 19x45x50", ValueError, (IMAGE, KERNEL, out[1:]), {}),
                ("voxels are uint16; give an array of float32", ValueError,
                 (IMAGE, KERNEL, out.astype("u2")), {}),
                ("shares voxels with the image", ValueError, (out, KERNEL, out), {}),
                ("the PSF is missing; give .* optics", ValueError, (IMAGE, None, out), {}),
                ("regularize: 'tv:2' is not accepted; give none, or tv:L", ValueError, names,
                 {"regularize": "tv:2"}),
                ("shares voxels with the psf", ValueError, (IMAGE, out, out), {}),
                ("frame is for files, and the image", ValueError, (IMAGE, *names[1:]),
                 {"frame": 1}),
                ("compression is for files, and the result", ValueError, (*names[:2], out),
                 {"compression": "zstd"}),
                ("resume is for files, and the psf", ValueError, (names[0], KERNEL, names[2]),
                 {"resume": True}),
                ("checkpoint_every is for files, and the image", ValueError, (IMAGE, *names[1:]),
                 {"checkpoint_every": 5}),
                (r'memory="[\d.]+[KM]" or more', MemoryError, names, {"memory": "30K"})):
            with self.subTest(says=says, options=options):
                self.assertRaisesRegex(error, says, deconvolve_file, *given, **options)
        with self.assertRaisesRegex(ValueError, "call deconvolve_file"):
            deconvolve(names[0], KERNEL)
        with self.assertRaisesRegex(ValueError, "its voxels are complex"):
            deconvolve(IMAGE.astype(complex), KERNEL)
        self.assertEqual(sorted(os.listdir(self.folder)),
                         ["camera.toml", "image.tif", "kernel.tif"])

    def test_or_used_with_a_warning(self):
        image = IMAGE.astype(np.int16)
        image[3, 5, :4] = 32767
        image[4, 5, :3] = -2
        said = self.warnings_of(image, KERNEL, **QUICK)
        self.assertIn("4 of 45000 voxels of the image are saturated", said)
        self.assertRegex(said, "3 of 45000 voxels of the image are .* were taken as no light")
        psf = KERNEL.copy()
        psf[0, 0, :2] = -1
        self.assertIn("2 voxels of the PSF array are negative", self.warnings_of(IMAGE, psf))


class LongWork(Deconvolutions):
    class Enough(Exception):
        pass

    def setUp(self):
        super().setUp()
        tifffile.imwrite(self.path("large.tif"), np.tile(IMAGE, (3, 4, 4)))
        self.files = [self.path(name) for name in ("large.tif", "kernel.tif", "out.tif")]
        self.call = dict(iterations=6, workers=1, memory="1G")

    def raise_in(self, iteration, error):
        def listen(done, total, stage):
            if stage.startswith(f"iteration {iteration}/"):
                raise error
        return listen

    def test_tells_its_progress(self):
        told = []
        deconvolve(tifffile.imread(self.files[0]), KERNEL, **self.call,
                   progress=lambda done, total, stage: told.append(stage))
        self.assertTrue([stage for stage in told if stage.startswith("iteration ")], told)

    def test_goes_on_to_the_same_bytes(self):
        deconvolve_file(*self.files[:2], self.path("whole.tif"), **self.call)
        whole, out = bytes_of(self.path("whole.tif")), self.files[2]
        call = dict(self.call, checkpoint_every=0)
        with self.assertRaises(self.Enough):
            deconvolve_file(*self.files, progress=self.raise_in(4, self.Enough), **call)
        self.assertIn("out.tif.checkpoint", os.listdir(self.folder))
        self.assertNotIn("out.tif", os.listdir(self.folder))
        with self.assertRaisesRegex(ValueError, "method.*leave resume out"):
            deconvolve_file(*self.files, resume=True, method="rl", **call)
        with self.assertRaises(self.Enough):  # the first iteration is not done again
            deconvolve_file(*self.files, resume=True, **call,
                            progress=self.raise_in(5, self.Enough))
        done = deconvolve_file(*self.files, resume=True, **call)
        self.assertEqual((bytes_of(out), len(done.log_likelihoods)), (whole, 6))
        self.assertNotIn("out.tif.checkpoint", os.listdir(self.folder))

    def test_of_a_call_is_continued_by_the_command(self):
        deconvolve_file(*self.files[:2], self.path("whole.tif"), **self.call)
        with self.assertRaises(self.Enough):
            deconvolve_file(*self.files, progress=self.raise_in(4, self.Enough),
                            checkpoint_every=0, **self.call)
        said = self.of_the_program(self.files[2], "--iterations", "6", "--resume", "--threads", "1",
                                   "--memory", "1G", image=self.files[0])
        self.assertEqual(said["iterations"], 6)
        self.assertEqual(bytes_of(self.files[2]), bytes_of(self.path("whole.tif")))

    def test_is_stopped_by_a_signal(self):
        def interrupt(done, total, stage):
            if stage.startswith("iteration"):
                os.kill(os.getpid(), 2)  # Ctrl-C

        with self.assertRaises(KeyboardInterrupt):
            deconvolve_file(*self.files, progress=interrupt, **self.call)
        self.assertNotIn("out.tif", " ".join(os.listdir(self.folder)))


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
