# SPDX-License-Identifier: MIT
# tests/python/simulate/cli_annotations.py — tables of objects for COCO, YOLO and napari agree with
# masks.
import csv
import json
import os

import numpy

from program import ProgramTest, main

FRAMES = 3

SCENE = """seed = 7
frames = 3
[grid]
size = [1, 48, 64]
pitch_nm = [300, 150, 150]
masks = "footprint"
margin_um = [1, 1, 1]
[nuclei]
count = 9
radius_um = 0.8
gap_um = 0
[beads]
count = 6
diameter_um = 0.6
[optics]
na = 1.1
size = [9, 21, 21]
"""
STACK = ("--set", "grid.size=6,48,64", "--set", "grid.masks=section",
         "--set", "grid.margin_um=0,0,0", "--set", "nuclei.count=3", "--set", "beads.count=2")
MOVIE = ("--set", "time.interval_seconds=600", "--set", "time.diffusion_um2_per_second=1e-5")


def decoded(segmentation):
    """The mask of uncompressed run lengths, which go down the columns."""
    height, width = segmentation["size"]
    counts = segmentation["counts"]
    values = numpy.arange(len(counts)) % 2 == 1
    return numpy.repeat(values, counts).reshape(width, height).T


def box_of(mask):
    """x, y, width, height of the pixels of a mask."""
    y, x = (numpy.flatnonzero(mask.any(axis=axis)) for axis in (1, 0))
    return [x[0], y[0], x[-1] - x[0] + 1, y[-1] - y[0] + 1]


class Annotations(ProgramTest):
    def setUp(self):
        super().setUp()
        self.text("scene.toml", SCENE)

    def simulate(self, folder, layout, *options):
        return self.result_of("simulate", "scene.toml", "-o", folder, "--quiet", "--truth-layout",
                              layout, *options)

    def masks(self, folder, frame):
        return numpy.atleast_2d(self.read(f"{folder}/masks/t{frame:03}.tif"))

    def content(self, name):
        with open(self.path(name), encoding="utf-8") as file:
            return file.read()

    def table(self, name):
        with open(self.path(name), encoding="utf-8") as file:
            return list(csv.DictReader(file))

    def classes(self, folder):
        return {(int(row["frame"]), int(row["id"])): row["class"]
                for row in self.table(f"{folder}/objects.csv")}

    def refuse(self, mentions, *options):
        result = self.command("simulate", "scene.toml", "-o", "set", *options)
        self.assertEqual(result.returncode, 2, result.stderr)
        self.assertIn(mentions, result.stderr)
        self.assertEqual(self.listing(), ["scene.toml"])

    def check_joined(self, layout, *options):
        """Shards and parts of frames make what one process makes."""
        self.simulate("whole", layout, *options)
        for shard in (2, 1):
            self.simulate("shards", layout, *options, "--shard", f"{shard}/2")
        self.assertEqual(self.files("shards"), self.files("whole"))
        self.simulate("a", layout, *options, "--frames", "0-1")
        self.simulate("b", layout, *options, "--frames", "2")
        self.succeed("finalize", "joined", "--parts", "a", "b")
        self.assertEqual(self.files("joined"), self.files("whole"))
        self.assertTrue(self.simulate("whole", layout, *options, "--resume")["kept"])


class Coco(Annotations):
    def check(self, folder, frames=range(FRAMES)):
        told = json.loads(self.content(f"{folder}/annotations.json"))
        self.assertEqual([image["file_name"] for image in told["images"]],
                         [f"images/t{frame:03}.tif" for frame in frames])
        names = {category["id"]: category["name"] for category in told["categories"]}
        classes, seen = self.classes(folder), set()
        for one in told["annotations"]:
            frame, label = one["image_id"] - 1, one["label"]
            mask = self.masks(folder, frame) == label
            numpy.testing.assert_array_equal(decoded(one["segmentation"]), mask)
            self.assertEqual(one["area"], mask.sum())
            self.assertEqual(one["bbox"], box_of(mask))
            self.assertEqual(names[one["category_id"]], classes[frame, label])
            self.assertEqual(one["iscrowd"], 0)
            seen.add((frame, label))
        self.assertEqual([one["id"] for one in told["annotations"]],
                         list(range(1, len(told["annotations"]) + 1)))
        self.assertEqual(seen, {(frame, int(label)) for frame in frames
                                for label in numpy.unique(self.masks(folder, frame)) if label})
        for image, frame in zip(told["images"], frames):
            shape = numpy.shape(self.read(f"{folder}/{image['file_name']}"))
            self.assertEqual((image["id"], image["height"], image["width"]), (frame + 1, *shape))
        return told

    def test_has_the_boxes_areas_and_masks_of_the_masks(self):
        self.simulate("set", "coco")
        told = self.check("set")
        self.assertEqual(told["categories"], [
            {"id": 1, "name": "nucleus", "supercategory": "object"},
            {"id": 2, "name": "bead", "supercategory": "object"}])
        self.assertEqual(sorted(os.listdir(self.path("set"))), sorted([
            "annotations.json", "images", "masks", "objects.csv", "preview.png", "psf.ome.tif",
            "scene.json", "scene.toml", "world.h5",
            *(f"photons_t{frame:03}.ome.tif" for frame in range(FRAMES))]))

    def test_is_valid_without_an_object(self):
        self.simulate("set", "coco", "--set", "nuclei.count=0", "--set", "beads.count=0")
        told = json.loads(self.content("set/annotations.json"))
        self.assertEqual((told["categories"], told["annotations"]), ([], []))
        self.assertEqual(len(told["images"]), FRAMES)

    def test_of_a_movie_keeps_labels(self):
        self.simulate("set", "coco", *MOVIE)
        told = self.check("set")
        frames = [{one["label"] for one in told["annotations"] if one["image_id"] == image["id"]}
                  for image in told["images"]]
        self.assertTrue(frames[0] & frames[2])

    def test_of_a_part_has_its_frames(self):
        self.simulate("set", "coco", "--frames", "1-2")
        self.check("set", range(1, 3))

    def test_is_joined(self):
        self.check_joined("coco")

    def test_of_one_frame_is_shared(self):
        one = ("--set", "frames=1", "--strategy", "tiles")
        self.simulate("whole", "coco", *one)
        self.check("whole", range(1))
        for shard in (1, 2):
            self.simulate("shards", "coco", *one, "--shard", f"{shard}/2")
        self.assertEqual(self.content("shards/annotations.json"),
                         self.content("whole/annotations.json"))

    def test_is_scored_and_reported(self):
        self.simulate("set", "coco")
        self.succeed("report", "set", "-o", "report.html", "--quiet")
        scores = json.loads(self.succeed("score", "set", "set/masks", "--json"))
        self.assertEqual((scores["truth"], scores["labels"]["pq"]), (scores["results"], 1))

    def test_refuses_what_it_cannot_hold(self):
        layout = ("--truth-layout", "coco")
        self.refuse("use grid.size = [1, 48, 64] with grid.masks", *layout, *STACK)
        self.refuse("camera.binning is 2", *layout, "--set", "camera.binning=2")
        self.refuse("its readers only accept TIFF", *layout, "--format", "zarr")


class Yolo(Annotations):
    def check(self, folder, bin_size=1):
        names = ["nucleus", "bead"]
        self.assertEqual(self.content(f"{folder}/data.yaml"),
                         "train: images\nval: images\nnames:\n  0: nucleus\n  1: bead\n")
        classes, lines = self.classes(folder), 0
        for frame in range(FRAMES):
            masks = self.masks(folder, frame)
            image = numpy.shape(self.read(f"{folder}/images/t{frame:03}.tif"))
            expected = []
            for label in numpy.unique(masks[masks > 0]):
                x, y, w, h = numpy.array(box_of(masks == label)) / bin_size
                height, width = image
                expected.append([names.index(classes[frame, label]), (x + w / 2) / width,
                                 (y + h / 2) / height, w / width, h / height])
            told = [[float(word) for word in line.split(" ")] for line in
                    self.content(f"{folder}/labels/t{frame:03}.txt").splitlines()]
            numpy.testing.assert_allclose(told, expected, rtol=0, atol=1e-8)
            lines += len(told)
        self.assertGreater(lines, 20)

    def test_has_the_boxes_of_the_masks(self):
        self.simulate("set", "yolo")
        self.check("set")

    def test_has_the_boxes_of_binned_images(self):
        self.simulate("set", "yolo", "--set", "camera.binning=2")
        self.check("set", 2)

    def test_has_a_file_for_a_frame_without_objects(self):
        self.simulate("set", "yolo", "--set", "nuclei.count=0", "--set", "beads.count=0")
        self.assertEqual([self.content(f"set/labels/t{frame:03}.txt") for frame in range(FRAMES)],
                         [""] * FRAMES)

    def test_is_joined(self):
        self.check_joined("yolo")

    def test_is_replaced(self):
        self.simulate("set", "yolo")
        self.simulate("set", "coco", "--overwrite")
        self.simulate("other", "coco")
        self.assertEqual(self.files("set"), self.files("other"))

    def test_refuses_stacks(self):
        self.refuse("one plane", "--truth-layout", "yolo", *STACK)


class Napari(Annotations):
    def centroids(self, folder, frames=range(FRAMES), planes=1):
        """(frame, id) and the mean index of the pixels of each object."""
        for frame in frames:
            masks = self.read(f"{folder}/masks/t{frame:03}.tif")
            for label in numpy.unique(masks[masks > 0]):
                yield frame, int(label), [axis.mean() for axis in numpy.nonzero(masks == label)]

    def points(self, folder):
        rows = self.table(f"{folder}/points.csv")
        axes = [name for name in rows[0] if name.startswith("axis-")]
        return rows, numpy.array([[float(row[axis]) for axis in axes] for row in rows])

    def check(self, folder, frames=range(FRAMES)):
        rows, points = self.points(folder)
        classes, expected = self.classes(folder), []
        for number, (frame, label, centroid) in enumerate(self.centroids(folder, frames)):
            expected.append(([frame - frames[0]] if len(frames) > 1 else []) + centroid)
            self.assertEqual((rows[number]["index"], rows[number]["id"], rows[number]["class"]),
                             (str(number), str(label), classes[frame, label]))
        numpy.testing.assert_allclose(points, expected, rtol=0, atol=2e-4)
        return points.shape[1]

    def test_has_the_centroids_of_the_masks_along_the_axes_of_the_layer(self):
        for axes, options, frames in ((3, (), FRAMES), (4, STACK, FRAMES),
                                      (2, ("--set", "frames=1"), 1),
                                      (3, (*STACK, "--set", "frames=1"), 1)):
            with self.subTest(axes=axes, frames=frames):
                self.simulate("set", "napari", "--overwrite", *options)
                self.assertEqual(self.check("set", range(frames)), axes)

    def test_of_a_part_counts_from_its_first_frame(self):
        self.simulate("set", "napari", "--frames", "1-2")
        self.check("set", range(1, 3))

    def test_has_the_tracks_of_a_movie(self):
        for options in ((), STACK):
            with self.subTest(options=options):
                self.simulate("set", "napari", "--overwrite", *MOVIE, *options)
                self.check("set")
                with open(self.path("set/tracks-napari.csv"), encoding="utf-8") as file:
                    self.assertEqual(file.readline(), "ID,T,Z,Y,X\n" if options else "ID,T,Y,X\n")
                    told = numpy.loadtxt(file, delimiter=",")
                expected = sorted([label, frame, *centroid]
                                  for frame, label, centroid in self.centroids("set"))
                numpy.testing.assert_allclose(told, expected, rtol=0, atol=2e-4)

    def test_is_joined(self):
        self.check_joined("napari", *MOVIE)

    def test_refuses_what_it_cannot_hold(self):
        layout = ("--truth-layout", "napari")
        self.refuse("camera.binning is 2", *layout, "--set", "camera.binning=2")
        self.refuse("its readers only accept TIFF", *layout, "--format", "hdf5")
        self.text("scene.toml", SCENE + '[[channel]]\nname = "green"\nlight.nuclei = 1\n'
                  '[[channel]]\nname = "red"\nlight.beads = 1\n')
        self.refuse("an image has one channel there", *layout)
        self.refuse("no axis of channels", *layout, "--join-channels")


if __name__ == "__main__":
    main()
