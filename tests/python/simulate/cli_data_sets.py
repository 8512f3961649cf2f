# SPDX-License-Identifier: MIT
# tests/python/simulate/cli_data_sets.py — data sets of several frames, and the layouts that others
# read.
import csv
import os

import numpy
import tifffile

from program import TINY_SCENE, ProgramTest, main

FRAMES = 3

CHANNELS = """[[channel]]
name = "green"
light.nuclei = 1
[[channel]]
name = "red"
optics.wavelength_nm = 620
light.nuclei = 0.5
"""


class DataSets(ProgramTest):
    def setUp(self):
        super().setUp()
        self.text("scene.toml", TINY_SCENE)

    def simulate(self, folder, *options):
        return self.result_of("simulate", "scene.toml", "-o", folder, "--quiet", *options)

    def frames(self, folder, *options):
        return self.simulate(folder, "--set", f"frames={FRAMES}", *options)

    def objects(self, folder):
        with open(self.path(f"{folder}/objects.csv"), encoding="utf-8") as file:
            return list(csv.DictReader(file))


class Frames(DataSets):
    def test_are_numbered_and_share_what_is_the_microscopes(self):
        result = self.frames("set")
        stacks = [f"{stack}_t{frame:03}.ome.tif" for stack in ("image", "labels", "photons")
                  for frame in range(FRAMES)]
        self.assertEqual(sorted(self.files("set")), sorted(stacks + [
            "objects.csv", "preview.png", "psf.ome.tif", "scene.json", "scene.toml", "world.h5"]))
        self.assertEqual((result["frames"], result["objects"]), (FRAMES, 2 * FRAMES))
        self.assertEqual(len(result["files"]), len(self.files("set")))

    def test_begin_with_the_frame_of_a_single_one(self):
        self.simulate("one")
        self.frames("set")
        for stack in ("image", "labels", "photons"):
            numpy.testing.assert_array_equal(self.read(f"set/{stack}_t000.ome.tif"),
                                             self.read(f"one/{stack}.ome.tif"))

    def test_differ_in_objects_and_noise(self):
        even = ["--set", "camera.offset_spread_dn=0", "--set", "camera.gain_spread=0"]
        self.frames("set", "--set", "nuclei.photons_per_um3=0", *even)
        images = [self.read(f"set/image_t{frame:03}.ome.tif") for frame in range(FRAMES)]
        masks = [self.read(f"set/labels_t{frame:03}.ome.tif") > 0 for frame in range(FRAMES)]
        for a, b in ((0, 1), (0, 2), (1, 2)):
            self.assertTrue((masks[a] != masks[b]).any())
            # Where there is no light but the same background, only noise tells two frames apart
            self.assertGreater((images[a] != images[b]).mean(), 0.5)
            noise = [(images[i] - images[i].mean()).ravel() for i in (a, b)]
            self.assertLess(abs(numpy.corrcoef(*noise)[0, 1]), 0.05)

    def test_have_the_camera_maps_in_common(self):
        steady = ["--set", "camera.offset_spread_dn=40", "--set", "camera.read_noise_electrons=0",
                  "--set", "background.photons_per_pixel=0", "--set", "nuclei.photons_per_um3=0",
                  "--set", "camera.dark_current_electrons_per_second=0"]
        self.frames("set", *steady)
        first = self.read("set/image_t000.ome.tif")
        self.assertGreater(first.std(), 10)
        numpy.testing.assert_array_equal(self.read("set/image_t001.ome.tif"), first)

    def test_continue_the_ids_which_the_table_counts_as_the_masks_do(self):
        self.frames("set")
        objects = self.objects("set")
        self.assertEqual([int(row["id"]) for row in objects], list(range(1, 2 * FRAMES + 1)))
        for frame in range(FRAMES):
            labels = self.read(f"set/labels_t{frame:03}.ome.tif")
            ids, voxels = numpy.unique(labels[labels > 0], return_counts=True)
            rows = [row for row in objects if int(row["frame"]) == frame]
            self.assertEqual([int(row["id"]) for row in rows], list(ids))
            self.assertEqual([int(row["voxels"]) for row in rows], list(voxels))

    def test_record_what_detect_makes_of_their_photons(self):
        self.frames("set")
        self.text("camera.toml", self.succeed("simulate", "scene.toml", "--print-config"))
        for frame in range(FRAMES):
            self.succeed("detect", f"set/photons_t{frame:03}.ome.tif", "--camera", "camera.toml",
                         "--seed", 7, "--exposure", frame, "-o", f"{frame}.tif")
            numpy.testing.assert_array_equal(self.read(f"{frame}.tif"),
                                             self.read(f"set/image_t{frame:03}.ome.tif"))

    def test_have_the_same_bytes_for_any_number_of_threads(self):
        self.frames("one", "--threads", 1)
        self.frames("three", "--threads", 3)
        self.assertEqual(self.files("one"), self.files("three"))

    def test_are_refused_when_masks_cannot_number_all_objects(self):
        result = self.command("simulate", "scene.toml", "-o", "set", "--set", "nuclei.count=10000",
                              "--set", "frames=7")
        self.assertEqual(result.returncode, 2)
        self.assertIn("frames is 7 and each has 10000 objects, 70000 in all", result.stderr)
        self.assertEqual(self.listing(), ["scene.toml"])


class OmeZarr(DataSets):
    """The voxels of TIFF, labels in the images, and all that is done with a finished set."""

    def setUp(self):
        super().setUp()
        self.write("delta.tif", numpy.ones((1, 1, 1), numpy.float32))

    def voxels(self, stack):
        self.succeed("convolve", stack, "delta.tif", "-o", "copy.tif", "--output-type", "same",
                     "--overwrite", "--quiet")
        return self.read("copy.tif")

    def test_holds_what_tiff_holds(self):
        self.simulate("tiff")
        stacks = {"image.ome.zarr": "image", "image.ome.zarr/labels/objects": "labels",
                  "photons.ome.zarr": "photons", "psf.ome.zarr": "psf"}
        for options in (("--format", "zarr"), ("--format", "zarr3", "--compression", "zstd")):
            with self.subTest(options=options):
                self.simulate("set", "--overwrite", *options)
                for stack, name in stacks.items():
                    numpy.testing.assert_array_equal(self.voxels(f"set/{stack}"),
                                                     self.read(f"tiff/{name}.ome.tif"))
                for table in ("objects.csv", "world.h5", "preview.png"):
                    with (open(self.path(f"set/{table}"), "rb") as ours,
                          open(self.path(f"tiff/{table}"), "rb") as theirs):
                        self.assertEqual(ours.read(), theirs.read())

    def test_holds_labels_in_every_image(self):
        self.text("scene.toml", TINY_SCENE + CHANNELS)
        result = self.frames("set", "--format", "zarr")
        images = [f"image_{channel}_t{frame:03}.ome.zarr" for channel in ("green", "red")
                  for frame in range(FRAMES)]
        self.assertEqual(sorted(name for name in os.listdir(self.path("set"))
                                if name.startswith(("image", "labels"))), sorted(images))
        for frame in range(FRAMES):
            green, red = (self.voxels(f"set/image_{channel}_t{frame:03}.ome.zarr/labels/objects")
                          for channel in ("green", "red"))
            numpy.testing.assert_array_equal(green, red)
            self.assertEqual(len(numpy.unique(green)), 3)
        self.assertEqual(len(result["files"]), len(os.listdir(self.path("set"))))

    def test_is_kept_and_made_again_where_a_chunk_is_missing(self):
        form = ("--format", "zarr", "--seed", "7")
        self.simulate("set", *form)
        self.assertTrue(self.simulate("set", "--resume", *form)["kept"])
        before = self.files("set")
        os.remove(self.path("set/image.ome.zarr/labels/objects/0/0/0/0"))
        refused = self.command("simulate", "scene.toml", "-o", "set", "--resume", *form)
        self.assertEqual(refused.returncode, 2)
        self.assertIn("its image.ome.zarr has", refused.stderr)
        self.simulate("set", "--resume", "--overwrite", *form)
        self.assertEqual(self.files("set"), before)

    def test_holds_nothing_of_others_that_overwriting_would_remove(self):
        self.simulate("set", "--format", "zarr")
        os.mkdir(self.path("set/image.ome.zarr/labels/drawn"))
        refused = self.command("simulate", "scene.toml", "-o", "set", "--format", "zarr",
                               "--overwrite")
        self.assertEqual(refused.returncode, 2)
        self.assertIn("labels/drawn", refused.stderr)

    def test_is_shared_among_processes(self):
        run = ("--format", "zarr", "--compression", "blosc", "--set", f"frames={FRAMES}")
        self.simulate("one", *run)
        for number in (2, 1):
            self.simulate("set", *run, "--shard", f"{number}/2")
        self.assertEqual(self.files("set"), self.files("one"))

    def test_is_reported(self):
        self.simulate("set", "--format", "zarr")
        self.succeed("report", "set", "-o", "report.html")


class Layouts(DataSets):
    """Images and masks in other layouts hold what the native ones hold."""

    def check_pairs(self, folder, image, *masks):
        self.frames("native")
        for frame in range(FRAMES):
            for name, stack in ((image, "image"), *((mask, "labels") for mask in masks)):
                path = self.path(os.path.join(folder, name.format(frame)))
                with tifffile.TiffFile(path) as file:
                    self.assertEqual(file.pages[0].dtype, "uint16")
                    self.assertFalse(file.is_ome or file.is_imagej, path)
                    voxels = file.asarray()
                numpy.testing.assert_array_equal(
                    voxels, self.read(f"native/{stack}_t{frame:03}.ome.tif"))

    def names(self, *others):
        return sorted([f"photons_t{frame:03}.ome.tif" for frame in range(FRAMES)] + [
            "objects.csv", "preview.png", "psf.ome.tif", "scene.json", "scene.toml", "world.h5",
            *others])

    def test_of_stardist_has_the_same_names_in_two_folders(self):
        self.frames("set", "--truth-layout", "stardist")
        self.assertEqual(sorted(os.listdir(self.path("set"))), self.names("images", "masks"))
        self.assertEqual(sorted(os.listdir(self.path("set/images"))),
                         sorted(os.listdir(self.path("set/masks"))))
        self.check_pairs("set", "images/t{:03}.tif", "masks/t{:03}.tif")

    def test_of_cellpose_has_pairs_in_a_folder_of_their_own(self):
        self.frames("set", "--truth-layout", "cellpose")
        self.assertEqual(sorted(os.listdir(self.path("set"))), self.names("images"))
        self.assertEqual(len(os.listdir(self.path("set/images"))), 2 * FRAMES)
        self.check_pairs("set", "images/t{:03}.tif", "images/t{:03}_masks.tif")

    def test_of_the_cell_tracking_challenge_keeps_its_rules(self):
        self.frames("set", "--truth-layout", "ctc")
        self.assertEqual(sorted(os.listdir(self.path("set"))), self.names("01", "01_GT"))
        self.check_pairs("set", "01/t{:03}.tif", "01_GT/SEG/man_seg{:03}.tif",
                         "01_GT/TRA/man_track{:03}.tif")
        self.check_tracks("set")

    def check_tracks(self, folder):
        """Every track is in every frame from its begin to its end and nowhere else."""
        with open(self.path(f"{folder}/01_GT/TRA/man_track.txt"), encoding="utf-8") as file:
            tracks = [tuple(map(int, line.split(" "))) for line in file]
        seen = set()
        for frame in range(FRAMES):
            labels = self.read(f"{folder}/01_GT/TRA/man_track{frame:03}.tif")
            seen |= {(int(label), frame) for label in numpy.unique(labels) if label}
        self.assertEqual({(label, frame) for label, begin, end, _ in tracks
                          for frame in range(begin, end + 1)}, seen)
        self.assertEqual(len({label for label, *_ in tracks}), len(tracks))
        for label, begin, end, parent in tracks:
            self.assertTrue(0 < label <= 65535 and begin == end and parent == 0)
        return tracks

    def test_leaves_an_object_without_a_voxel_out_of_the_tracks(self):
        self.text("scene.toml", TINY_SCENE.replace("count = 2", "count = 40").replace(
            "radius_um = 1.1", "radius_um = 0.12"))
        result = self.frames("set", "--truth-layout", "ctc", "--set", "nuclei.gap_um=0")
        missing = [row["id"] for row in self.objects("set") if row["voxels"] == "0"]
        self.assertEqual(len(missing), result["objects_without_voxel"])
        self.assertTrue(missing)
        tracked = {str(track[0]) for track in self.check_tracks("set")}
        self.assertEqual(tracked, {row["id"] for row in self.objects("set")} - set(missing))

    def test_answers_what_it_cannot_hold(self):
        ctc = ["--truth-layout", "ctc"]
        for options, said in (
                ([*ctc, "--format", "hdf5"], "its readers only accept TIFF"),
                ([*ctc, "--format", "zarr3"], "--format is zarr3"),
                ([*ctc, "--set", "camera.binning=2"], "camera.binning is 2"),
                (["--format", "zarr", "--set", "camera.binning=2"], "makes images smaller"),
                ([*ctc, "--set", "nuclei.count=0"], "every frame needs an object"),
                ([*ctc, "--set", "nuclei.count=1", "--set", "nuclei.radius_um=0.001"],
                 "no object of frame 0 covers a voxel"),
                (["--truth-layout", "voc"], "native, ctc, stardist, cellpose, coco, yolo, napari")):
            with self.subTest(said):
                result = self.command("simulate", "scene.toml", "-o", "set", *options)
                self.assertEqual(result.returncode, 2, result.stderr)
                self.assertIn(said, result.stderr)
                self.assertEqual(self.listing(), ["scene.toml"])

    def test_refuses_a_late_frame_before_any_is_blurred(self):
        self.text("scene.toml", TINY_SCENE.replace("count = 2", "count = 1").replace(
            "radius_um = 1.1", "radius_um = 0.09"))
        run = ("simulate", "scene.toml", "-o", "set", "--set", f"frames={FRAMES}", "--progress",
               "json", "--set", "nuclei.gap_um=0")
        for seed in range(20):
            result = self.command(*run, "--seed", seed, "--truth-layout", "ctc")
            if f"no object of frame {FRAMES - 1} covers a voxel" in result.stderr:
                break
        self.assertEqual(result.returncode, 2)
        self.assertIn(f"no object of frame {FRAMES - 1} covers a voxel", result.stderr)
        self.assertIn(f"frame {FRAMES}/{FRAMES}: labels", result.stderr)
        self.assertNotIn("transform planes", result.stderr)
        self.assertEqual(self.listing(), ["scene.toml"])
        self.assertIn("transform planes", self.command(*run).stderr)

    def test_replaces_a_data_set_of_another_layout(self):
        self.frames("set", "--truth-layout", "ctc")
        self.simulate("set", "--overwrite")
        self.simulate("one")
        self.assertEqual(self.files("set"), self.files("one"))


if __name__ == "__main__":
    main()
