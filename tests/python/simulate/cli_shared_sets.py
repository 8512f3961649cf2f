# SPDX-License-Identifier: MIT
# tests/python/simulate/cli_shared_sets.py — processes that make a sweep together make what one
# makes.
import json
import os
import shutil
import signal

from held_run import HeldTest, needs_held_runs, random_calls
from program import main

USAGE, IO = 2, 4
SCENE = """seed = 7
[grid]
size = [4, 10, 64]  # long and thin: previews take time where there is much to paint
pitch_nm = [300, 150, 150]
[nuclei]
count = 2
radius_um = 0.4
gap_um = 0
[optics]
model = "gaussian"
na = 0.8
size = [3, 9, 9]
"""
SWEEP = """[sweep]
repeats = 2
nuclei.clustering = [0, 0.25, 0.5]
"""
SETS = [f"clustering-{value}_repeat-{repeat}" for value in ("0", "0.25", "0.5")
        for repeat in (1, 2)]


class Shared(HeldTest):
    """What several processes make in the folder `out`, beside what one makes in `whole`."""

    scene = SCENE + SWEEP

    def setUp(self):
        super().setUp()
        self.text("scene.toml", self.scene)

    def whole(self):
        self.succeed("simulate", "scene.toml", "-o", "whole")
        return self.files("whole")

    @staticmethod
    def words(shard, *further):
        return ["simulate", "scene.toml", "-o", "out", "--threads", "1", "--shard", shard, *further]

    def shard(self, shard, *further):
        return self.result_of(*self.words(shard, *further))

    def refuse(self, code, *words, mentions):
        result = self.command(*words)
        self.assertEqual(result.returncode, code, result.stderr)
        for text in mentions:
            self.assertIn(text, result.stderr)

    def assert_whole(self, expected):
        self.assertEqual(sorted(self.files("out")), sorted(expected))
        self.assertTrue(self.files("out") == expected, "other bytes than one process makes")
        self.assertEqual([name for name in self.listing() if name.startswith("out")], ["out"])
        os.rename(self.path("out"), self.path(f"done-{len(self.listing())}"))

    def together_they_make_the_bytes_of_one(self):
        expected = self.whole()
        for count in (1, 2, 3, 4):
            with self.subTest(count=count):
                running = [self.start(*self.words(f"{i + 1}/{count}"), "--json")
                           for i in range(count)]
                said = [run.end() for run in running]
                self.assertEqual([code for code, _, _ in said], [0] * count, said)
                self.assertIn(True, [json.loads(out)["whole"] for _, out, _ in said])
                self.assert_whole(expected)

    def start_over(self):
        for name in self.listing():
            if name.startswith("out"):
                remove = shutil.rmtree if os.path.isdir(self.path(name)) else os.remove
                remove(self.path(name))

    def killed_at_random_moments_they_go_on_to(self, expected):
        """Kills three shards several times, and then runs them to the end."""
        self.start_over()
        most = self.calls_of(*self.words("1/3"))
        self.start_over()
        for seed in range(4):
            for calls in (random_calls(most, 3, seed), random_calls(most, 3, 100 + seed)):
                running = [self.start(*self.words(f"{i + 1}/3"), how=signal.SIGKILL, at=at)
                           for i, at in enumerate(calls)]
                for run in running:
                    code, _, errors = run.end()
                    self.assertIn(code, (0, IO, -signal.SIGKILL), errors)
            for i in (3, 1, 2):
                self.shard(f"{i}/3")
            self.assert_whole(expected)

    def tasks_of_an_array_find_their_part(self):
        expected = self.whole()
        array = {"SLURM_ARRAY_TASK_COUNT": "2", "SLURM_ARRAY_TASK_MIN": "4"}
        for task in ("5", "4", "5"):  # one that is queued again has nothing to do
            code, out, errors = self.start(
                *self.words("auto"), "--json",
                environment={"SLURM_ARRAY_TASK_ID": task, **array}).end()
            self.assertEqual(code, 0, errors)
        self.assertTrue(json.loads(out)["whole"])
        self.assert_whole(expected)


class Sweeps(Shared):
    def test_together_make_the_bytes_of_one_process(self):
        self.together_they_make_the_bytes_of_one()

    @needs_held_runs
    def test_killed_at_random_moments_go_on_to_the_same_bytes(self):
        self.killed_at_random_moments_they_go_on_to(self.whole())

    def test_tasks_of_an_array_find_their_part(self):
        self.tasks_of_an_array_find_their_part()

    def test_one_after_the_other_say_what_is_missing(self):
        expected = self.whole()
        first = self.shard("3/3")
        self.assertEqual((first["made"], first["whole"], first["missing"]),
                         (2, False, [SETS[0], SETS[1], SETS[3], SETS[4]]))
        self.assertNotIn("sweep.csv", os.listdir(self.path("out")))
        said = self.succeed(*self.words("1/3"))
        self.assertIn(f"shard 1/3: 2 data sets, 4 objects, seed 7, ", said)
        self.assertIn(f"; 2 of 6 are missing: {SETS[1]}, {SETS[4]}", said)
        self.assertEqual(self.shard("1/3")["kept"], 2)
        self.assertTrue(self.shard("2/3")["whole"])
        again = self.shard("2/3")  # all is there
        self.assertEqual((again["made"], again["kept"], again["whole"]), (0, 6, True))
        self.assert_whole(expected)

    def test_have_a_seed_that_the_first_draws(self):
        self.text("scene.toml", self.scene.replace("seed = 7\n", ""))
        seeds = {self.shard(f"{i}/2")["seed"] for i in (2, 1)}
        self.assertEqual(len(seeds), 1)
        self.succeed("simulate", "scene.toml", "-o", "whole", "--seed", seeds.pop())
        self.assert_whole(self.files("whole"))

    def test_are_gone_on_with_by_one_process(self):
        expected = self.whole()
        self.shard("2/3")
        result = self.result_of("simulate", "scene.toml", "-o", "out", "--resume")
        self.assertEqual((result["made"], result["kept"]), (4, 2))
        self.assert_whole(expected)

    def test_of_something_else_are_refused_with_what_differs(self):
        self.shard("1/2")
        before = self.files("out")
        for words, said in (
                (self.words("1/3"), ("begun in 2 shards", "this is 1/3", "--shard I/2")),
                (self.words("2/2", "--seed", "8"),
                 ("begun with seed 7, and 8 is given", "remove out/sweep.shards")),
                (self.words("2/2", "--set", "nuclei.count=1"),
                 ("scene.nuclei.count was 2 and is 1 now",)),
                (self.words("2/2", "--compression", "deflate"),
                 ('files.compression was "none" and is "deflate" now',)),
                (self.words("2/2", "--frames", "0-0"), ("--shard with --frames",)),
                (["simulate", "scene.toml", "-o", "out"], ("resume it with --resume",))):
            with self.subTest(said=said):
                self.refuse(USAGE, *words, mentions=said)
                self.assertEqual(self.files("out"), before)

    def test_of_another_number_of_sets_or_channels_are_refused(self):
        self.shard("1/2")
        self.text("scene.toml", self.scene.replace("repeats = 2", "repeats = 1"))
        self.refuse(USAGE, *self.words("2/2"), mentions=("sweep.repeats was 2 and is 1 now",))
        self.text("scene.toml", self.scene + '[[channel]]\nname = "a"\nlight.nuclei = 1\n'
                                             '[[channel]]\nname = "b"\nlight.nuclei = 1\n')
        self.refuse(USAGE, *self.words("2/2"),
                    mentions=("begun with 1 image a frame, and this has 2 images",))

    @needs_held_runs
    def test_keep_out_those_who_work_alone(self):
        expected = self.whole()
        run = self.hold(*self.words("1/2"), at=1, name="/image.ome.tif")  # of its first set
        self.assertTrue(os.path.exists(self.path("out/sweep.json")))
        self.refuse(IO, "simulate", "scene.toml", "-o", "out", "--resume",
                    mentions=("another run is writing it",))
        self.assertEqual(run.end().returncode, 0)
        self.shard("2/2")
        self.assert_whole(expected)


KINDS = {
    "frames": (SCENE.replace("seed", "frames = 5\nseed", 1), []),
    "movie": (SCENE.replace("seed", "frames = 5\nseed", 1) +
              "[time]\ninterval_seconds = 60\ndiffusion_um2_per_second = 0.001\n", []),
    "challenge": (SCENE.replace("seed", "frames = 5\nseed", 1) +
                  "[time]\ninterval_seconds = 60\n", ["--truth-layout", "ctc"]),
    "independent challenge": (SCENE.replace("seed", "frames = 5\nseed", 1),
                              ["--truth-layout", "ctc"]),
    "cells": ("""seed = 5
frames = 4
[grid]
size = [28, 56, 56]
pitch_nm = [300, 150, 150]
[cells]
count = 1
radius_um = 1.6
nucleus_radius_um = 0.6
spots = 3
[optics]
model = "gaussian"
na = 0.8
size = [3, 9, 9]
[[channel]]
name = "a"
light.cytoplasm = 1
[[channel]]
name = "b"
light.membrane = 1
optics.wavelength_nm = 600
""", ["--format", "hdf5"]),
}


class Frames(Shared):
    scene = KINDS["frames"][0]

    def test_together_make_the_bytes_of_one_process(self):
        self.together_they_make_the_bytes_of_one()

    @needs_held_runs
    def test_killed_at_random_moments_go_on_to_the_same_bytes(self):
        self.killed_at_random_moments_they_go_on_to(self.whole())

    def test_tasks_of_an_array_find_their_part(self):
        self.tasks_of_an_array_find_their_part()

    def test_of_every_kind_are_those_of_one_process(self):
        for kind, (scene, options) in KINDS.items():
            with self.subTest(kind=kind):
                self.text("scene.toml", scene)
                self.succeed("simulate", "scene.toml", "-o", f"whole {kind}", *options)
                for i in (2, 3, 1):
                    self.shard(f"{i}/3", *options)
                self.assert_whole(self.files(f"whole {kind}"))

    def test_one_after_the_other_say_what_is_missing(self):
        expected = self.whole()
        first = self.shard("3/3")
        self.assertEqual((first["frames"], first["whole"], first["missing"]),
                         ([3, 4], False, [1, 2]))
        self.assertNotIn("out", self.listing())
        said = self.succeed(*self.words("1/3"))
        self.assertIn("out: shard 1/3: frames 0-0, seed 7, ", said)
        self.assertIn("; 2 not yet", said)
        self.assertTrue(self.shard("1/3")["kept"])
        self.assertTrue(self.shard("2/3")["whole"])
        self.assertTrue(self.shard("2/3")["kept"])
        self.assert_whole(expected)

    def test_fewer_than_shards_leave_some_nothing_to_do(self):
        expected = self.whole()
        for i in range(1, 8):
            self.shard(f"{i}/7")
        self.assert_whole(expected)

    def test_have_a_seed_that_the_first_draws(self):
        self.text("scene.toml", self.scene.replace("seed = 7\n", ""))
        seeds = {self.shard(f"{i}/2")["seed"] for i in (2, 1)}
        self.assertEqual(len(seeds), 1)
        self.succeed("simulate", "scene.toml", "-o", "whole", "--seed", seeds.pop())
        self.assert_whole(self.files("whole"))

    def test_of_something_else_are_refused_with_what_differs(self):
        self.shard("1/2")
        before = self.listing()
        for words, said in (
                (self.words("1/3"), ("begun in 2 shards", "remove out.shards")),
                (self.words("2/2", "--seed", "8"), ("begun with seed 7, and 8 is given",)),
                (self.words("2/2", "--set", "nuclei.count=1"),
                 ("scene.nuclei.count was 2 and is 1 now",)),
                (self.words("2/2", "--frames", "0-0"), ("--shard with --frames",))):
            with self.subTest(said=said):
                self.refuse(USAGE, *words, mentions=said)
                self.assertEqual(self.listing(), before)

    def test_of_other_channels_are_refused(self):
        scene, options = KINDS["cells"]
        self.text("scene.toml", scene)
        third = scene + '[[channel]]\nname = "c"\nlight.cytoplasm = 1\n'
        self.shard("1/2", *options)
        for text, further, said in ((third, [], "begun with 2 images a frame, and this has 3"),
                                    (scene, ["--channel", "a"], "this has 1 image a frame")):
            with self.subTest(said=said):
                self.text("scene.toml", text)
                self.refuse(USAGE, *self.words("2/2", *options, *further), mentions=(said,))

    def test_with_a_record_that_no_simulation_writes_are_refused(self):
        for lost in ("shards", "seed", "request", "plans"):
            with self.subTest(lost=lost):
                self.shard("1/2")
                with open(self.path("out.shards"), encoding="utf-8") as file:
                    record = json.load(file)
                version = record["request"]["version"]
                del record[lost]
                self.text("out.shards", json.dumps(record))
                self.refuse(USAGE, *self.words("2/2"), mentions=("out.shards is not what",))
                os.remove(self.path("out.shards"))
        record["request"] = {"version": version + "1"}
        self.text("out.shards", json.dumps(record))
        self.refuse(USAGE, *self.words("2/2"), mentions=(f"begun by version {version}1",))

    def test_leave_alone_what_lies_beside_their_parts(self):
        os.mkdir(self.path("out.parts"))
        self.text("out.parts/notes.txt", "mine")
        for i in (1, 2):
            self.shard(f"{i}/2")
        self.assertEqual(os.listdir(self.path("out.parts")), ["notes.txt"])
        self.assertEqual(self.files("out"), self.whole())

    def test_of_a_whole_that_is_another_replace_it_only_when_told_to(self):
        self.succeed("simulate", "scene.toml", "-o", "out", "--set", "nuclei.count=1")
        self.refuse(USAGE, *self.words("1/2"), mentions=("out: it exists", "--overwrite"))
        for i in (1, 2):
            self.shard(f"{i}/2", "--overwrite")
        self.assert_whole(self.whole())


VOLUME = """seed = 7
[grid]
size = [24, 20, 64]
pitch_nm = [300, 150, 150]
[nuclei]
count = 2
radius_um = 0.8
gap_um = 0
[optics]
model = "gaussian"
na = 0.8
size = [5, 9, 9]
"""
OPTIONS_OF_VOLUMES = {
    "plain": [],
    "challenge": ["--truth-layout", "ctc"],
    "zarr": ["--format", "zarr"],
    "hdf5": ["--format", "hdf5"],
    "binned": ["--set", "camera.binning=2"],
    "finer blur": ["--set", "optics.oversample=2"],
    "tiles": ["--strategy", "tiles"],
}


class Volumes(Shared):
    """Shards of the volume of one frame."""

    scene = VOLUME

    def whole(self):
        self.succeed("simulate", "scene.toml", "-o", "whole", "--strategy", "ring", "--threads",
                     "1")
        return self.files("whole")

    def expected(self, *options):
        """What one process makes by the plan of the shards that have begun."""
        with open(self.path("out.shards"), encoding="utf-8") as file:
            self.text("plan.json", json.load(file)["plans"][0])
        self.succeed("simulate", "scene.toml", "-o", "whole", "--plan", "plan.json", "--overwrite",
                     "--threads", "1", *options)
        return self.files("whole")

    def test_together_make_the_bytes_of_one_process(self):
        for count in (1, 2, 4):
            with self.subTest(count=count):
                self.shard(f"1/{count}")
                if count > 1:
                    expected = self.expected()
                else:
                    expected = self.whole()
                running = [self.start(*self.words(f"{i + 1}/{count}"), "--json")
                           for i in range(count)]
                said = [run.end() for run in running]
                self.assertEqual([code for code, _, _ in said], [0] * count, said)
                self.assertIn(True, [json.loads(out)["whole"] for _, out, _ in said])
                self.assert_whole(expected)

    def test_in_every_format_are_those_of_one_process(self):
        for kind, options in OPTIONS_OF_VOLUMES.items():
            with self.subTest(kind=kind):
                first = self.shard("2/2", *options)
                self.assertEqual((len(first["steps"]), first["whole"], first["missing"]),
                                 (2, False, [1]))
                expected = self.expected(*[word for word in options
                                           if word not in ("--strategy", "tiles")])
                self.assertTrue(self.shard("1/2", *options)["whole"])
                self.assert_whole(expected)

    def test_of_few_steps_leave_some_shards_nothing_to_do(self):
        said = [self.shard(f"{i}/9") for i in range(1, 10)]
        self.assertIn([], [shard["steps"] for shard in said])
        self.assertEqual([shard["whole"] for shard in said], 8 * [False] + [True])

    @needs_held_runs
    def test_killed_at_random_moments_go_on_to_the_same_bytes(self):
        self.shard("3/3")
        expected = self.expected()
        self.shard("1/3")
        self.shard("2/3")
        self.assert_whole(expected)
        self.killed_at_random_moments_they_go_on_to(expected)

    def test_that_are_missing_are_listed(self):
        self.shard("2/2")
        result = self.command("finalize", "out")
        self.assertEqual(result.returncode, 3, result.stderr)
        self.assertIn("1/2", result.stderr)

    def test_that_were_changed_are_made_again(self):
        self.shard("1/2")
        expected = self.expected()
        photons = self.path("out.parts/stacks/photons.ome.tif.partial")
        with open(photons, "r+b") as file:
            file.seek(os.path.getsize(photons) - 24 * 20 * 64 * 4)  # its first voxels
            file.write(b"another")
        said = self.shard("2/2")
        self.assertEqual((said["whole"], said["missing"]), (False, [1]))
        self.assertIn("shard 1 of 2", said["warnings"][0])
        self.assertTrue(self.shard("1/2")["whole"])
        self.assert_whole(expected)

    def test_that_cannot_be_written_together_are_refused(self):
        for options, said in ((["--compression", "zstd"], ("--compression none", "one frame")),
                              (["--strategy", "in-core"], ("only one step", "--strategy ring"))):
            with self.subTest(options=options):
                self.refuse(USAGE, *self.words("1/2", *options), mentions=said)
                self.assertEqual(self.listing(), ["scene.toml"])


if __name__ == "__main__":
    main()
