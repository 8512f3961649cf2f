# SPDX-License-Identifier: MIT
# tests/python/simulate/cli_sweep.py — a sweep makes its data sets, and goes on after a kill.
import csv
import json
import os
import shutil
import signal

from held_run import HeldTest, needs_held_runs, random_calls
from program import main

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
nuclei.clustering = {from = 0, to = 0.5, step = 0.25}
"""
SETS = [f"clustering-{value}_repeat-{repeat}" for value in ("0", "0.25", "0.5")
        for repeat in (1, 2)]


class Sweep(HeldTest):
    def setUp(self):
        super().setUp()
        self.text("scene.toml", SCENE + SWEEP)

    def sweep(self, folder, *options):
        return self.result_of("simulate", "scene.toml", "-o", folder, "--quiet", *options)

    def refused(self, said, *arguments):
        result = self.command("simulate", "scene.toml", *arguments)
        self.assertEqual(result.returncode, 2, result.stderr)
        self.assertIn(said, result.stderr)

    def test_makes_every_combination_in_a_folder_that_says_which(self):
        result = self.sweep("out")
        self.assertEqual((result["folders"], result["made"], result["kept"]), (SETS, 6, 0))
        self.assertEqual(sorted(os.listdir(self.path("out"))),
                         sorted([*SETS, "sweep.csv", "sweep.json"]))
        with open(self.path("out/sweep.csv"), encoding="utf-8") as file:
            rows = list(csv.DictReader(file))
        self.assertEqual([row["folder"] for row in rows], SETS)
        self.assertEqual(len({row["seed"] for row in rows}), 6)
        for row in rows:
            with open(self.path(f"out/{row['folder']}/scene.json"), encoding="utf-8") as file:
                scene = json.load(file)["scene"]
            self.assertEqual(str(scene["seed"]), row["seed"])
            self.assertEqual(scene["nuclei"]["clustering"], float(row["nuclei.clustering"]))
        with open(self.path("out/sweep.json"), encoding="utf-8") as file:
            record = json.load(file)
        self.assertEqual([row["folder"] for row in record["sets"]], SETS)
        self.assertEqual([str(row["seed"]) for row in record["sets"]],
                         [row["seed"] for row in rows])

    def test_makes_the_data_sets_that_single_scenes_with_those_values_make(self):
        self.sweep("out")
        self.text("scene.toml", SCENE)
        with open(self.path("out/sweep.csv"), encoding="utf-8") as file:
            row = list(csv.DictReader(file))[3]
        self.sweep("one", "--seed", row["seed"], "--set",
                   f"nuclei.clustering={row['nuclei.clustering']}")
        self.assertEqual(self.files("one"), self.files(f"out/{row['folder']}"))

    @needs_held_runs
    def test_goes_on_after_kills_at_any_moment_to_the_same_bytes(self):
        self.text("scene.toml", SCENE + SWEEP.replace("= 2", "= 5").replace("0.5", "0.75"))
        most = self.calls_of("simulate", "scene.toml", "-o", "whole", "--quiet")
        command = ["simulate", "scene.toml", "-o", "out", "--resume"]
        for at in random_calls(most // 3, 6, 13):  # each adds at most a third of the whole
            code, _, errors = self.meet(signal.SIGKILL, *command, at=at)
            self.assertIn(code, (0, -signal.SIGKILL), errors)
        result = self.result_of(*command)
        self.assertEqual(result["made"] + result["kept"], 20)
        self.assertGreater(result["kept"], 0)
        self.assertEqual(self.files("out"), self.files("whole"))

    def hold_in_set(self, number, *options):
        """A run that is held at its first write to the image of this set, from 1."""
        return self.hold("simulate", "scene.toml", "-o", "out", *options, at=1,
                         name=f"{SETS[number - 1]}.partial/image.ome.tif")

    @needs_held_runs
    def test_keeps_what_is_whole_when_it_is_asked_to_stop(self):
        code, _, said = self.hold_in_set(3).end(signal.SIGTERM)
        self.assertEqual(code, 7, said)
        self.assertIn("when 2 of 6 data sets were complete; resume with --resume", said)
        self.assertEqual(set(os.listdir(self.path("out"))), {*SETS[:2], "sweep.json"})
        result = self.sweep("out", "--resume")
        self.assertEqual((result["made"], result["kept"]), (4, 2))

    def test_makes_again_what_is_gone_and_leaves_the_rest_untouched(self):
        self.sweep("out")
        before = self.files("out")
        os.remove(self.path(f"out/{SETS[3]}/psf.ome.tif"))
        self.refused(f"{SETS[3]} is not what would be made now: its psf.ome.tif is missing", "-o",
                     "out", "--resume")
        times = {name: os.stat(self.path(f"out/{name}")).st_mtime_ns for name in SETS}
        result = self.command("simulate", "scene.toml", "-o", "out", "--resume", "--overwrite",
                              "--verbose")
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertIn("1 data sets in addition to 5 that were complete", result.stdout)
        self.assertRegex(result.stderr, r"blur and record +[0-9.]+ s")
        self.assertEqual(self.files("out"), before)
        for name in set(SETS) - {SETS[3]}:
            self.assertEqual(os.stat(self.path(f"out/{name}")).st_mtime_ns, times[name])

    def test_grows_by_more_values_without_a_change_to_what_is_there(self):
        self.sweep("out")
        self.text("scene.toml", SCENE + SWEEP.replace("0.5", "0.75"))
        result = self.sweep("out", "--resume")
        self.assertEqual((result["made"], result["kept"]), (2, 6))
        self.sweep("whole")
        self.assertEqual(self.files("out"), self.files("whole"))

    def test_remembers_a_seed_that_was_drawn(self):
        self.text("scene.toml", (SCENE + SWEEP).replace("seed = 7\n", ""))
        drawn = self.sweep("out")["seed"]
        again = self.sweep("out", "--resume")
        self.assertEqual((again["seed"], again["kept"]), (drawn, 6))
        self.assertEqual(list(again["stages"]), ["plan"])
        self.refused(f"begun with seed {drawn}, and 3 is given", "-o", "out", "--resume", "--seed",
                     3)

    def test_refuses_what_would_be_lost_or_is_not_its_own(self):
        self.sweep("out")
        before = self.files("out")
        self.refused("resume it with --resume", "-o", "out")
        self.refused("--set nuclei.clustering=1 and [sweep] both set nuclei.clustering", "-o",
                     "other", "--set", "nuclei.clustering=1")
        self.refused("scene.nuclei.count was 2 and is 1 now", "-o", "out", "--resume", "--set",
                     "nuclei.count=1")
        self.assertEqual(self.files("out"), before)
        os.mkdir(self.path("mine"))
        self.text("mine/notes.txt", "mine")
        for options in (["--resume"], ["--overwrite"]):
            self.refused("holds notes.txt and no sweep.json", "-o", "mine", *options)

    def test_of_a_kind_keeps_what_the_file_and_set_give(self):
        self.text("scene.toml", SCENE + """[camera]
exposure_seconds = 0.7
[sweep]
camera.kind = ["ccd", "emccd"]
""")
        self.sweep("out", "--set", "camera.offset_dn = 123")
        for kind in ("ccd", "emccd"):
            with open(self.path(f"out/kind-{kind}/scene.json"), encoding="utf-8") as file:
                camera = json.load(file)["scene"]["camera"]
            self.assertEqual(
                [camera[key] for key in ("kind", "exposure_seconds", "offset_dn")],
                [kind, 0.7, 123])
        self.refused("[sweep] both set camera.kind", "-o", "other", "--set", "camera.kind = ccd")

    def test_of_a_kind_takes_keys_that_no_other_kind_has(self):
        self.text("scene.toml", SCENE + '[camera]\nem_gain = 200\n[sweep]\n'
                  'camera.kind = ["emccd"]\ncamera.bit_depth = [12, 14]\n')
        config = self.succeed("simulate", "scene.toml", "--print-config")
        self.sweep("out")
        self.text("scene.toml", config)
        self.assertEqual(self.sweep("out", "--resume")["kept"], 2)
        self.refused("set kind-emccd_bit_depth-12: optics: the numerical aperture", "-o", "other",
                     "--set", "optics.na=1.6", "--print-config")
        other = self.command("phantom", "scene.toml", "-o", "light.tif")
        self.assertEqual(other.returncode, 2)
        self.assertIn("a camera of kind scmos has no register", other.stderr)

    def test_that_shares_seeds_has_the_same_objects_in_all_sets_of_a_repeat(self):
        scene = SCENE + 'repeats = 2\noptics.na = [0.5, 0.9]\n'
        self.text("scene.toml", scene.replace("repeats", '[sweep]\nseed = "shared"\nrepeats'))
        self.sweep("out")
        stacks = {name: [self.read(f"out/na-{na}_repeat-{repeat}/{name}.ome.tif").tobytes()
                         for repeat in (1, 2) for na in (0.5, 0.9)]
                  for name in ("labels", "photons")}
        labels, photons = stacks["labels"], stacks["photons"]
        self.assertEqual((labels[0], labels[2]), (labels[1], labels[3]))
        self.assertNotEqual(labels[0], labels[2])
        self.assertEqual(len(set(photons)), 4)
        self.text("scene.toml", scene.replace("repeats", "[sweep]\nrepeats"))
        self.refused("scene.seed was", "-o", "out", "--resume")

    def test_over_apertures_warns_where_all_of_them_collect_as_much_light(self):
        self.text("scene.toml", SCENE + "[sweep]\noptics.na = [0.4, 0.8]\n")
        said = "optics.na varies while optics.collection is \"all\""
        self.assertIn(said, " ".join(self.sweep("out")["warnings"]))
        self.assertIn(said, self.command("simulate", "scene.toml", "--dry-run").stderr)
        self.text("scene.toml", SCENE + 'collection = "aperture"\n'
                  "[sweep]\noptics.na = [0.4, 0.8]\n")
        self.assertNotIn("optics.na varies", " ".join(self.sweep("other")["warnings"]))

    @needs_held_runs
    def test_keeps_other_runs_out_from_its_beginning_to_its_end(self):
        run = self.hold_in_set(3)
        before = self.files("out")
        for options in ([], ["--resume"], ["--overwrite"]):
            other = self.command("simulate", "scene.toml", "-o", "out", *options)
            self.assertEqual(other.returncode, 4, other.stderr)
            self.assertIn("write sweep out: another run is writing it", other.stderr)
        self.assertEqual(self.files("out"), before)
        code, _, said = run.end()
        self.assertEqual(code, 0, said)
        self.assertEqual(sorted(os.listdir(self.path("out"))),
                         sorted([*SETS, "sweep.csv", "sweep.json"]))

    @needs_held_runs
    def test_has_its_table_only_while_all_is_whole(self):
        self.sweep("out")
        table = self.path("out/sweep.csv")
        made = os.stat(table).st_mtime_ns
        for options, stop in ((("--overwrite",), 1), (("--resume",), 4)):
            self.hold_in_set(stop, *options).end(signal.SIGKILL)
            self.assertFalse(os.path.exists(table), options)
            self.sweep("out", "--resume")
            self.assertGreater(os.stat(table).st_mtime_ns, made)
            shutil.rmtree(self.path(f"out/{SETS[3]}"))

    def test_leaves_out_no_set_that_was_there_but_by_overwrite(self):
        self.sweep("out")
        before = self.files("out")
        self.text("scene.toml", SCENE + SWEEP.replace("to = 0.5", "to = 0.25"))
        self.refused(f"it holds {SETS[4]}, which is no longer in [sweep]", "-o", "out", "--resume")
        self.assertEqual(self.files("out"), before)
        self.text(f"out/{SETS[5]}/notes.txt", "mine")
        self.refused("holds notes.txt, which no simulation wrote", "-o", "out", "--overwrite")
        os.remove(self.path(f"out/{SETS[5]}/notes.txt"))
        self.assertEqual(self.files("out"), before)
        result = self.sweep("out", "--resume", "--overwrite")
        self.assertEqual((result["made"], result["kept"]), (0, 4))
        self.sweep("whole")
        self.assertEqual(self.files("out"), self.files("whole"))
        self.assertEqual(sorted(os.listdir(self.path("out"))),
                         sorted([*SETS[:4], "sweep.csv", "sweep.json"]))

    def test_names_the_set_that_fails(self):
        self.text("scene.toml", SCENE + "[sweep]\ngrid.size = [[6, 32, 24], [600, 3200, 2400]]\n")
        result = self.command("simulate", "scene.toml", "-o", "out", "--memory", "100M")
        self.assertEqual(result.returncode, 5, result.stderr)
        self.assertIn("sweep, data set size-600x3200x2400: ", result.stderr)
        self.text("scene.toml", SCENE + "[sweep]\nnuclei.count = [1, 300]\n")
        result = self.command("simulate", "scene.toml", "-o", "other")
        self.assertNotEqual(result.returncode, 0)
        self.assertIn("sweep, data set count-300: ", result.stderr)

    def test_a_dry_run_says_which_sets_cannot_be_placed_and_how_many_objects_fit(self):
        self.text("scene.toml", SCENE + "[sweep]\nnuclei.count = [1, 300, 2, 400]\n")
        for form in ((), ("--json",)):
            result = self.command("simulate", "scene.toml", "--dry-run", *form)
            self.assertEqual((result.returncode, result.stdout), (2, ""), result.stderr)
            self.assertRegex(result.stderr, "sweep, data set count-300: .* only [0-9]+ found a ")
            self.assertIn("the same is true of 1 of 3 other data sets: count-400", result.stderr)
        self.text("scene.toml", SCENE.replace("count = 2", "count = 300"))
        result = self.command("simulate", "scene.toml", "--dry-run")
        self.assertEqual((result.returncode, result.stdout), (2, ""), result.stderr)
        self.assertRegex(result.stderr, "only [0-9]+ found a free place")

    def test_a_dry_run_predicts_every_stage(self):
        said = self.succeed("simulate", "scene.toml", "--dry-run").splitlines()[-1]
        self.assertRegex(said, "^the simulation takes about [0-9.e-]+ s here: ")
        self.assertIn("blur and record", said)

    def test_is_written_in_the_file_and_not_with_set(self):
        self.refused("a line [sweep] and below it a line such as nuclei.count = [4, 8, 16]", "-o",
                     "out", "--set", "sweep.nuclei.count=[1,2]")

    def test_is_listed_by_info_and_refused_where_one_set_is_needed(self):
        self.text("scene.toml", SCENE + SWEEP)
        self.sweep("out")
        shutil.rmtree(self.path(f"out/{SETS[1]}"))
        listed = self.succeed("info", "out").splitlines()
        self.assertEqual(listed[0], "out: a sweep of 6 data sets")
        self.assertEqual(listed[1].split(),
                         ["folder", "seed", "repeat", "nuclei.clustering", "made"])
        self.assertEqual([line.split()[0] for line in listed[2:]], SETS)
        self.assertEqual([line.split()[-1] for line in listed[2:4]], ["yes", "no"])
        told = self.result_of("info", "out")
        self.assertEqual((told["keys"], told["sets"][1]["made"]), (["nuclei.clustering"], False))
        report = self.command("report", "out", "-o", "page.html")
        self.assertEqual(report.returncode, 2, report.stderr)
        for words in ("a sweep of 6 data sets", f"such as out/{SETS[0]}", "info out"):
            self.assertIn(words, report.stderr)
        self.text("out/sweep.json", "[]")
        self.assertIn("not the record of a sweep", self.command("info", "out").stderr)

    def test_leaves_no_folder_where_nothing_can_be_made(self):
        self.text("scene.toml", SCENE.replace("na = 0.8\n", "") + "[sweep]\noptics.na = [1, 1.7]\n")
        self.refused("data set na-1.7: ", "-o", "out")
        self.assertEqual(self.listing(), ["scene.toml"])

    def test_tells_all_plans_without_making_anything(self):
        plans = json.loads(self.succeed("simulate", "scene.toml", "--dry-run", "--json"))
        self.assertEqual([row["folder"] for row in plans], SETS)
        self.assertEqual(self.listing(), ["scene.toml"])


if __name__ == "__main__":
    main()
