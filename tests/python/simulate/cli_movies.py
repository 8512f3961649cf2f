# SPDX-License-Identifier: MIT
# tests/python/simulate/cli_movies.py — data sets whose frames follow each other: what moves,
# divides, drifts and fades, and whether masks, tables and lineage tell the same story.
import csv
import json
import os
import re
import shutil
import unittest

from program import SOURCE, ProgramTest, main, numpy

try:
    import h5py
except ImportError:
    h5py = None

FRAMES = 9
MOVING = """[time]
interval_seconds = 1200
diffusion_um2_per_second = 1e-4
turning_rad2_per_second = 2e-5
division = true
cycle_hours = 4
"""
LENS = """[optics]
model = "gaussian"
na = 0.8
size = [5, 9, 9]
"""
# A few nuclei that divide within the movie, beside beads that stay
SCENE = f"""seed = 5
frames = {FRAMES}
[grid]
size = [18, 44, 48]
pitch_nm = [400, 300, 300]
[nuclei]
count = 4
radius_um = 1.2
gap_um = 0.15
roughness = 0.05
[beads]
count = 3
diameter_um = 0.7
""" + MOVING + LENS
# Whole cells with something of everything, that divide, too
CELLS = f"""seed = 7
frames = {FRAMES}
[grid]
size = [18, 52, 56]
pitch_nm = [400, 300, 300]
[cells]
count = 3
radius_um = 2
axis_ratios = [0.6, 1.0, 1.2]
gap_um = 0.15
nucleus_radius_um = 0.9
mitochondria = 3
mitochondria_length_um = 2
microtubules = 5
vesicles = 4
spots = 6
filopodia = 4
filopodium_length_um = 1
""" + MOVING + "bleaching_seconds = 20000\n" + LENS
STILL = ["--set", "time.diffusion_um2_per_second=0", "--set", "time.turning_rad2_per_second=0",
         "--set", "time.division=false"]


class Movies(ProgramTest):
    def setUp(self):
        super().setUp()
        self.text("scene.toml", SCENE)

    def simulate(self, folder, *options):
        return self.result_of("simulate", "scene.toml", "-o", folder, "--quiet", *options)

    def table(self, name):
        with open(self.path(name), encoding="utf-8") as file:
            return list(csv.DictReader(file))

    def tracks(self, folder):
        return [{key: int(value) for key, value in row.items()}
                for row in self.table(f"{folder}/tracks.csv")]

    def stack(self, folder, name, frame):
        return self.read(f"{folder}/{name}_t{frame:03}.ome.tif")

    def check_story(self, folder, frames, read):
        """Masks, objects.csv and tracks.csv agree about who is where and when."""
        tracks = {track["id"]: track for track in self.tracks(folder)}
        rows = {(int(row["id"]), int(row["frame"])): row
                for row in self.table(f"{folder}/objects.csv")}
        seen = set()
        for frame in range(frames):
            labels = read(frame)
            ids, voxels = numpy.unique(labels[labels > 0], return_counts=True)
            for number, count in zip(map(int, ids), voxels):
                seen.add((number, frame))
                row = rows[number, frame]
                self.assertEqual(int(row["voxels"]), count)
                self.assertEqual(int(row["parent"]), tracks[number]["parent"])
                place = (numpy.argwhere(labels == number).mean(0) + 0.5) * [0.4, 0.3, 0.3]
                counted = [float(row[f"counted_centroid_{axis}_um"]) for axis in "zyx"]
                numpy.testing.assert_allclose(counted, place, atol=1e-5)
        self.assertEqual(seen, {(number, frame) for number, track in tracks.items()
                                for frame in range(track["begin"], track["end"] + 1)})
        self.assertEqual(seen, {key for key, row in rows.items() if row["voxels"] != "0"})
        for track in tracks.values():
            if track["parent"]:
                self.assertLess(tracks[track["parent"]]["end"], track["begin"])
        return tracks

    def test_tell_one_story_in_masks_tables_and_lineage(self):
        result = self.simulate("set")
        tracks = self.check_story("set", FRAMES, lambda frame: self.stack("set", "labels", frame))
        self.assertEqual(result["objects"], len(tracks))
        mothers = {track["parent"] for track in tracks.values() if track["parent"]}
        self.assertGreater(len(mothers), 1)
        for mother in mothers:
            daughters = [track for track in tracks.values() if track["parent"] == mother]
            self.assertEqual(len(daughters), 2)
            for daughter in daughters:
                self.assertEqual(daughter["begin"], tracks[mother]["end"] + 1)
        self.assertEqual([number for number, track in tracks.items() if track["begin"] == 0],
                         list(range(1, 8)))

    def test_keep_the_volume_of_a_mother_in_her_daughters(self):
        self.simulate("set", "--set", "time.mitosis=false")
        volume = {(int(row["id"]), int(row["frame"])): float(row["volume_um3"])
                  for row in self.table("set/objects.csv")}
        tracks = {track["id"]: track for track in self.tracks("set")}
        divisions = 0
        for mother, track in tracks.items():
            daughters = [t["id"] for t in tracks.values() if t["parent"] == mother]
            if not daughters:
                continue
            after = sum(volume[daughter, track["end"] + 1] for daughter in daughters)
            # Daughters have grown since they were born, by a twelfth of a cycle at most
            self.assertGreater(after, volume[mother, track["end"]] * (1 - 1e-6))
            self.assertLess(after, volume[mother, track["end"]] * 1.2)
            divisions += 1
        self.assertGreater(divisions, 1)

    def test_take_nuclei_through_mitosis(self):
        self.simulate("set", "--set", "time.interval_seconds=60", "--set", "time.cycle_hours=0.5")
        phases = {}
        for row in self.table("set/objects.csv"):
            phases.setdefault(int(row["id"]), []).append(row["phase"])
        mothers = {track["parent"]: track["id"] for track in self.tracks("set") if track["parent"]}
        self.assertGreater(len(mothers), 0)
        for mother, daughter in mothers.items():
            self.assertEqual(phases[mother][-1], "metaphase")
            self.assertIn(phases[daughter][0], ("anaphase", "telophase"))

    def test_of_nuclei_without_time_show_as_many_in_mitosis_as_asked_for(self):
        self.text("still.toml", SCENE[:SCENE.index("[time]")].replace("count = 4", "count = 6") +
                  LENS)
        self.result_of("simulate", "still.toml", "-o", "still", "--frames", "0-3",
                       "--quiet", "--set", "nuclei.mitotic_fraction=1", "--set",
                       "nuclei.radius_um=0.9")
        rows = [row for row in self.table("still/objects.csv") if row["class"] == "nucleus"]
        self.assertEqual(len(rows), 4 * 6)
        self.assertNotIn("interphase", [row["phase"] for row in rows])

    def test_are_laid_out_for_the_cell_tracking_challenge(self):
        self.simulate("set", "--truth-layout", "ctc")
        self.check_story("set", FRAMES,
                         lambda frame: self.read(f"set/01_GT/TRA/man_track{frame:03}.tif"))
        for frame in range(FRAMES):
            numpy.testing.assert_array_equal(self.read(f"set/01_GT/SEG/man_seg{frame:03}.tif"),
                                             self.read(f"set/01_GT/TRA/man_track{frame:03}.tif"))
        with open(self.path("set/01_GT/TRA/man_track.txt"), encoding="utf-8") as file:
            lines = [tuple(map(int, line.split(" "))) for line in file]
        self.assertEqual(lines, [(t["id"], t["begin"], t["end"], t["parent"])
                                 for t in self.tracks("set")])

    def test_have_the_same_masks_in_every_layout(self):
        self.simulate("native")
        for layout, mask in (("stardist", "masks/t{:03}.tif"),
                             ("cellpose", "images/t{:03}_masks.tif")):
            self.simulate(layout, "--truth-layout", layout)
            for frame in range(FRAMES):
                numpy.testing.assert_array_equal(self.read(f"{layout}/{mask.format(frame)}"),
                                                 self.stack("native", "labels", frame))

    def test_give_any_frame_alone_with_the_same_voxels(self):
        self.simulate("set", "--set", "time.bleaching_seconds=9000")
        for frame in (0, 4, FRAMES - 1):
            self.succeed("phantom", "scene.toml", "-o", f"light{frame}.tif", "--labels",
                         f"labels{frame}.tif", "--frame", frame, "--quiet", "--set",
                         "time.bleaching_seconds=9000")
            numpy.testing.assert_array_equal(self.read(f"labels{frame}.tif"),
                                             self.stack("set", "labels", frame))
            self.succeed("convolve", f"light{frame}.tif", "set/psf.ome.tif", "-o",
                         f"blurred{frame}.tif", "--quiet")
            photons = self.stack("set", "photons", frame)
            numpy.testing.assert_allclose(numpy.maximum(self.read(f"blurred{frame}.tif"), 0) + 4,
                                          photons, rtol=0, atol=1e-5 * photons.max())

    def check_parts(self, layout, *options):
        """Machines that make a part each make the bytes of the whole."""
        options = [*options, "--truth-layout", layout]
        self.simulate("set", *options)
        whole, rows, spots = self.files("set"), [], []
        frames = 0
        for first, last in ((0, 3), (4, 4), (5, FRAMES - 1)):
            result = self.simulate("part", *options, "--frames", f"{first}-{last}")
            frames += result["frames"]
            part = self.files("part")
            rows += self.table("part/objects.csv")
            spots += self.table("part/spots.csv") if "spots.csv" in part else []
            for name, content in part.items():
                if name not in ("scene.json", "objects.csv", "spots.csv", "preview.png"):
                    self.assertEqual(content, whole.pop(name, content), name)
            self.succeed("report", "part", "-o", "page.html", "--frame", last, "--overwrite")
            again = self.result_of("simulate", "scene.toml", "-o", "part", "--quiet", "--resume",
                                   *options, "--frames", f"{first}-{last}")
            self.assertEqual(again.get("made", 0), 0)
            shutil.rmtree(self.path("part"))
        self.assertEqual(frames, FRAMES)
        self.assertEqual(rows, self.table("set/objects.csv"))
        if spots:
            self.assertEqual(spots, self.table("set/spots.csv"))
        kept = {name for name in whole if re.search(r"t[0-9]{3}[._]", name)}
        self.assertEqual(kept, set(), "all frames were made in parts")

    def test_are_made_in_parts(self):
        self.check_parts("native")

    def test_of_cells_are_made_in_parts(self):
        self.text("scene.toml", CELLS)
        self.check_parts("ctc")

    def test_have_no_parts_beyond_their_frames(self):
        for given, said in ((f"3-{FRAMES}", f"the scene has frames 0-{FRAMES - 1}"),
                            ("3-2", "frame 2 comes before 3"), ("a-b", "--frames")):
            result = self.command("simulate", "scene.toml", "-o", "set", "--frames", given)
            self.assertEqual(result.returncode, 2, result.stderr)
            self.assertIn(said, result.stderr)

    def test_have_the_same_bytes_for_any_number_of_threads(self):
        self.simulate("one", "--threads", 1)
        self.simulate("three", "--threads", 3)
        self.assertEqual(self.files("one"), self.files("three"))

    def test_of_fewer_frames_are_their_beginning(self):
        self.simulate("all")
        self.simulate("some", "--set", "frames=4")
        for frame in range(4):
            for name in ("labels", "photons", "image"):
                numpy.testing.assert_array_equal(self.stack("some", name, frame),
                                                 self.stack("all", name, frame))

    def test_drift_with_all_that_they_hold(self):
        """By a voxel along y and two along x in each interval."""
        self.simulate("set", *STILL, "--set", "frames=3", "--set",
                      "time.drift_um_per_second=0,0.00025,-0.0005")
        first, last = self.stack("set", "labels", 0), self.stack("set", "labels", 2)
        numpy.testing.assert_array_equal(last[:, 2:, :-4], first[:, :-2, 4:])
        light = [self.stack("set", "photons", frame) for frame in (0, 2)]
        numpy.testing.assert_allclose(light[1][:, 12:-10, 10:-14], light[0][:, 10:-12, 14:-10],
                                      rtol=1e-3, atol=1e-3 * light[0].max())

    def test_drift_out_of_focus_without_their_labels(self):
        """By a plane in each interval, towards larger z."""
        self.simulate("set", *STILL, "--set", "frames=3", "--set",
                      f"time.focus_drift_um_per_second={0.4 / 1200}")
        for frame in (1, 2):
            numpy.testing.assert_array_equal(self.stack("set", "labels", frame),
                                             self.stack("set", "labels", 0))
        light = [self.stack("set", "photons", frame) for frame in (0, 2)]
        numpy.testing.assert_allclose(light[1][6:-3], light[0][4:-5], rtol=1e-3,
                                      atol=1e-3 * light[0].max())

    def test_fade(self):
        result = self.simulate("set", *STILL, "--set", "time.bleaching_seconds=2400", "--set",
                               "background.photons_per_pixel=0")
        sums = [self.stack("set", "photons", frame).sum(dtype=float) for frame in range(FRAMES)]
        numpy.testing.assert_allclose(sums / sums[0], numpy.exp(-numpy.arange(FRAMES) / 2),
                                      rtol=1e-5)
        self.assertAlmostEqual(result["photons"]["image"] / sum(sums), 1, places=4)

    def test_are_refused_where_the_scene_cannot_move(self):
        for settings, said in (
                (["time.interval_seconds=0"], "time.interval_seconds is 0; give above 0"),
                (["time.interval_seconds=3600"], "at most a tenth of time.cycle_hours, 1440 s"),
                (["nuclei.kind=granulocyte"], "nuclei of several lobes do not divide"),
                (["target.kind=points", "time.drift_um_per_second=0,1,0"],
                 "which lie in the middle of voxels"),
                (["time.cycle_spread=0.3"], "time.cycle_spread is 0.3; give 0 to 0.25"),
                (["nuclei.count=60", "nuclei.radius_um=0.8", "frames=60"],
                 "nuclei no longer fit")):
            with self.subTest(said):
                options = [part for setting in settings for part in ("--set", setting)]
                result = self.command("simulate", "scene.toml", "-o", "set", *options)
                self.assertEqual(result.returncode, 2, result.stderr)
                self.assertIn(said, result.stderr)
                self.assertEqual(self.listing(), ["scene.toml"])
        self.text("scene.toml", SCENE.replace("interval_seconds = 1200\n", ""))
        result = self.command("simulate", "scene.toml", "-o", "set")
        self.assertEqual(result.returncode, 2)
        self.assertIn("give time.interval_seconds", result.stderr)
        self.text("scene.toml", SCENE)
        result = self.command("phantom", "scene.toml", "-o", "a.tif", "--frame", FRAMES)
        self.assertEqual(result.returncode, 2)
        self.assertIn(f"--frame is {FRAMES}", result.stderr)
        result = self.command("simulate", "scene.toml", "-o", "set", "--truth-layout", "ctc",
                              "--set", "time.drift_um_per_second=0,0,0.1")
        self.assertEqual(result.returncode, 2)
        self.assertIn("a slower time.drift_um_per_second", result.stderr)

    def test_are_swept_and_resumed(self):
        self.text("scene.toml", SCENE.replace(f"frames = {FRAMES}", "frames = 2") +
                  "[sweep]\ntime.turning_rad2_per_second = [0, 1e-4]\n")
        self.succeed("simulate", "scene.toml", "-o", "sets", "--quiet")
        folders = [row["folder"] for row in self.table("sets/sweep.csv")]
        self.assertEqual(len(folders), 2)
        before = self.files("sets")
        os.remove(self.path(f"sets/{folders[1]}/tracks.csv"))
        result = self.command("simulate", "scene.toml", "-o", "sets", "--resume", "--quiet")
        self.assertIn("tracks.csv is missing", result.stderr)
        result = self.result_of("simulate", "scene.toml", "-o", "sets", "--resume", "--quiet",
                                "--overwrite")
        self.assertEqual((result["made"], result["kept"]), (1, 1))
        self.assertEqual(self.files("sets"), before)

    def test_are_reported_with_their_tracks(self):
        self.simulate("set")
        self.succeed("report", "set", "-o", "page.html", "--frame", 5)
        with open(self.path("page.html"), encoding="utf-8") as file:
            page = file.read()
        self.assertIn("Tracks", page)
        self.assertIn(f"Frame 6 of {FRAMES}", page)

    def test_of_whole_cells_tell_one_story(self):
        self.text("scene.toml", CELLS)
        self.simulate("set")
        tracks = self.check_story("set", FRAMES, lambda frame: self.stack("set", "labels", frame))
        self.assertGreater(sum(track["parent"] > 0 for track in tracks.values()), 1)
        spots = self.table("set/spots.csv")
        cell_of = {}
        for spot in spots:
            track = tracks[int(spot["cell"])]
            self.assertTrue(track["begin"] <= int(spot["frame"]) <= track["end"])
            self.assertEqual(cell_of.setdefault(spot["id"], track["object"]), track["object"])
            self.assertAlmostEqual(float(spot["photons"]) /
                                   (3000 * numpy.exp(-1200 * int(spot["frame"]) / 20000)), 1, 4)
        self.assertEqual(len(cell_of), 6 * len({track["object"] for track in tracks.values()}))
        self.assertEqual(len(spots), 6 * len(self.table("set/objects.csv")))
        seen = set()
        for frame in range(FRAMES):
            labels = self.stack("set", "labels", frame)
            structures = self.stack("set", "structures", frame)
            numpy.testing.assert_array_equal(structures > 0, labels > 0)
            seen |= set(numpy.unique(structures))
        self.assertTrue({2, 3, 4, 7, 8, 9, 10} <= seen, seen)

    def test_of_whole_cells_give_any_frame_alone(self):
        self.text("scene.toml", CELLS)
        self.simulate("set", "--threads", 1)
        self.simulate("three", "--threads", 3)
        self.assertEqual(self.files("set"), self.files("three"))
        for frame in (3, FRAMES - 1):
            self.succeed("phantom", "scene.toml", "-o", f"light{frame}.tif", "--labels",
                         f"labels{frame}.tif", "--frame", frame, "--quiet")
            numpy.testing.assert_array_equal(self.read(f"labels{frame}.tif"),
                                             self.stack("set", "labels", frame))

    def test_of_whole_cells_tell_what_found_no_place(self):
        """Once, whichever frames are made."""
        self.text("scene.toml", CELLS)
        crowded = ["--set", "cells.vesicles=40", "--set", "cells.vesicle_radius_um=0.6"]
        for frames in ("0-8", "5-6"):
            said = self.command("simulate", "scene.toml", "-o", f"set{frames}", *crowded,
                                "--frames", frames).stderr
            self.assertEqual(said.count("were placed; a smaller cells.vesicle_radius_um"), 1,
                             said)
        said = self.command("phantom", "scene.toml", "-o", "light.tif", *crowded, "--frame", 3)
        self.assertEqual(said.stderr.count("warning: cells.vesicles: "), 1, said.stderr)

    def test_of_tissue_drift(self):
        """By a voxel along y and two along x in each interval."""
        self.text("scene.toml", CELLS.replace("[cells]\ncount = 3", "[cells]\ncount = 0")
                  .replace("[optics]", "[tissue]\ncount = 6\n[optics]"))
        self.simulate("set", *STILL, "--set", "frames=3", "--set",
                      "time.drift_um_per_second=0,0.00025,-0.0005")
        first, last = self.stack("set", "labels", 0), self.stack("set", "labels", 2)
        numpy.testing.assert_array_equal(last[:, 2:, :-4], first[:, :-2, 4:])
        self.assertTrue((last[:, :2] > 0).any(), "a tissue goes on beyond the grid")

    @unittest.skipIf(h5py is None, "h5py is not here")
    def test_of_whole_cells_stand_in_world_h5(self):
        """A spot as it was drawn, put into a pose, lies where spots.csv says."""
        self.text("scene.toml", CELLS)
        self.simulate("set", "--set", "time.drift_um_per_second=0,1e-4,-1e-4")
        tracks = {track["id"]: track["object"] for track in self.tracks("set")}
        with h5py.File(self.path("set/world.h5")) as world:
            cells = {number: i for i, number in enumerate(world["cell/id"][:])}
            segments, poses = world["cell/segment"], world["cell/pose"]
            spots = {number: segments["from_um"][(segments["cell"][:] == number) &
                                                 (segments["structure"][:] == 10)]
                     for number in cells}
            pose_of = {(number, frame): i for i, (number, frame) in
                       enumerate(zip(poses["cell"][:], poses["frame"][:]))}
            first_spot = {}
            for spot in self.table("set/spots.csv"):
                number, frame = tracks[int(spot["cell"])], int(spot["frame"])
                place = int(spot["id"]) - first_spot.setdefault(number, int(spot["id"]))
                drawn = spots[number][place] - world["cell/centre_um"][cells[number]]
                pose = pose_of[number, frame]
                there = poses["centre_um"][pose] + numpy.linalg.solve(poses["to_shape"][pose],
                                                                      drawn)
                numpy.testing.assert_allclose(
                    there, [float(spot[f"{axis}_um"]) for axis in "zyx"], atol=2e-6)

    @unittest.skipIf(h5py is None, "h5py is not here")
    def test_are_rebuilt_from_world_h5_by_what_its_page_shows(self):
        self.simulate("set", "--set", "time.drift_um_per_second=0,1e-4,-1e-4", "--set",
                      "nuclei.gap_um=-0.1")
        with open(os.path.join(SOURCE, "docs/reference/world.md"), encoding="utf-8") as file:
            defined = {}
            exec(re.findall(r"^```python\n(.*?)^```", file.read(), re.DOTALL | re.MULTILINE)[0],
                 defined)
        with h5py.File(self.path("set/world.h5")) as world:
            self.assertEqual(json.loads(world.attrs["provenance"])["scene"]["frames"], FRAMES)
            for frame in range(FRAMES):
                masks = defined["masks_of"](world, frame)
                differing = (masks != self.stack("set", "labels", frame)).sum()
                self.assertLess(differing, 3, frame)  # centres that lie on a surface


if __name__ == "__main__":
    main()
