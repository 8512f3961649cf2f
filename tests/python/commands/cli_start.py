# SPDX-License-Identifier: MIT
# tests/python/commands/cli_start.py — from an empty folder to a data set, with the binary alone:
# init, keys, and what is said of scenes that are none.
import pathlib
import re

from program import TINY_SCENE, ProgramTest, main, numpy, random_volume

USAGE, IO = 2, 4
EXAMPLES = pathlib.Path(__file__).resolve().parents[3] / "examples"
TEXTURES = [f"textures/{path.stem}" for path in (EXAMPLES / "textures").glob("*.toml")]


class Init(ProgramTest):
    def test_lists_every_example_with_a_sentence(self):
        listed = self.result_of("init")["examples"]
        self.assertEqual(sorted(row["name"] for row in listed),
                         sorted([*(path.stem for path in EXAMPLES.glob("*.toml")), *TEXTURES]))
        self.assertEqual(listed[0]["name"], "first")
        text = self.succeed("init")
        for row in listed:
            self.assertRegex(row["about"], r"^[A-Z].{20,}[^.]$")
            self.assertIn(row["about"], text)
        self.assertEqual(self.listing(), [])

    def test_writes_a_scene_that_is_simulated_as_the_comment_says(self):
        said = self.succeed("init", "first")
        self.assertEqual(self.listing(), ["first.toml"])
        text = pathlib.Path(self.path("first.toml")).read_text("utf-8")
        self.assertEqual(text, (EXAMPLES / "first.toml").read_text("utf-8"))
        for words in (said, text):
            self.assertIn("synthoscope simulate first.toml -o first", words)
        self.succeed("simulate", "first.toml", "-o", "first", "--quiet")
        self.assertIn("image.ome.tif", self.files("first"))

    def test_writes_the_files_that_a_scene_names(self):
        self.succeed("init", "neuron", "-o", "new/folder")
        self.assertEqual(sorted(self.files("new/folder")), ["neuron.swc", "neuron.toml"])
        self.succeed("simulate", "new/folder/neuron.toml", "--dry-run")

    def test_writes_all_examples(self):
        self.succeed("init", "all", "-o", "examples")
        self.assertEqual(set(self.files("examples")),
                         {file.name for file in EXAMPLES.glob("*") if file.is_file()
                          and file.suffix in (".toml", ".swc")}
                         | {f"{texture}.toml" for texture in TEXTURES})

    def test_writes_a_scene_of_a_folder_into_this_folder(self):
        said = self.succeed("init", "textures/tissue", "-o", "new")
        self.assertEqual(list(self.files("new")), ["textures/tissue.toml"])
        self.assertIn("simulate new/textures/tissue.toml -o textures/tissue", said)

    def test_knows_names_as_people_write_them(self):
        for name in ("FIRST", "first.toml"):
            self.succeed("init", name, "-o", name)
            self.assertEqual(sorted(self.files(name)), ["first.toml"])

    def test_replaces_only_what_it_is_asked_to(self):
        self.text("neuron.swc", "mine")
        self.refused(USAGE, ["neuron.swc", "--overwrite"], "init", "neuron")
        self.assertEqual(self.listing(), ["neuron.swc"])
        self.succeed("init", "neuron", "--overwrite")
        self.assertEqual(self.listing(), ["neuron.swc", "neuron.toml"])
        self.text("file", "")
        self.refused(IO, ["file"], "init", "first", "-o", "file/inside")
        self.refused(USAGE, ["did you mean first?"], "init", "frist")
        self.refused(USAGE, ["init: there is no example", "choose first, ", " or all"], "init",
                     "zzz")


class Keys(ProgramTest):
    def test_have_lines_that_a_scene_can_have(self):
        keys = self.result_of("keys")["keys"]
        self.assertGreater(len(keys), 150)
        for row in keys:
            self.assertTrue(row["example"].startswith(row["key"] + " = "), row)
        # Several keys cannot be in one scene; what is read is complained about only together
        chosen = [row["example"] for row in keys if re.match(r"(camera|optics)\.", row["key"])
                  and "file.tif" not in row["example"]]
        self.text("scene.toml", "\n".join(chosen) + "\n")
        said = self.command("simulate", "scene.toml", "--print-config").stderr
        self.assertNotIn("line ", said)

    def test_are_found_by_words_in_their_name_or_meaning(self):
        found = [row["key"] for row in self.result_of("keys", "EXPOSURE")["keys"]]
        self.assertEqual(found[0], "camera.exposure_seconds")
        self.assertIn("nuclei.photons_per_um3", found)  # by its meaning
        for word in ("sweep", "SWEEP"):
            self.assertIn('sweep.seed = "shared"', self.succeed("keys", word))
        self.assertIn("for touching nuclei", self.succeed("keys", "touching"))
        text = self.succeed("keys", "gap nuclei")
        self.assertTrue(text.startswith("nuclei.gap_um = 0.3\n    "), text)
        self.assertIn("in um (default: 0.3)", text)
        self.assertLessEqual(max(map(len, text.splitlines())), 80)
        self.refused(USAGE, ["no key has 'gaq_um'", "did you mean gap_um?"], "keys", "gaq_um")


class Scenes(ProgramTest):
    def test_of_no_file_are_the_defaults(self):
        text = self.succeed("simulate", "--print-config", "--set", "optics.na=0.5")
        self.assertIn("\nna = 0.5\n", text)
        self.text("all.toml", text)
        self.assertEqual(self.succeed("simulate", "all.toml", "--print-config"), text)
        self.refused(USAGE, ["SCENE is missing", "init"], "simulate", "-o", "out")

    def test_of_data_sets_are_those_that_were_simulated(self):
        self.text("tiny.toml", TINY_SCENE)
        self.text("two.toml", TINY_SCENE + """[[channel]]
name = "a"
optics.na = 0.9
light.nuclei = 1
[[channel]]
name = "b"
light.nuclei = 2
""")
        self.succeed("init", "neuron", "-o", "far/away")
        for scene in ("tiny.toml", "two.toml", "far/away/neuron.toml"):
            words = ("--set", "grid.size=[12,48,40]") if "neuron" in scene else ()
            self.succeed("simulate", scene, "-o", "set", "--quiet", *words, "--overwrite")
            made = self.files("set")
            with self.subTest(scene):
                self.succeed("simulate", "set/scene.toml", "-o", "more", "--quiet", "--overwrite")
                self.assertEqual(self.files("more")["scene.toml"], made["scene.toml"])
                for name, content in self.files("more").items():
                    if "neuron" not in scene:  # records name the path of its file
                        self.assertEqual(made[name], content, name)
            # A record lists all light of a channel, so that images have other records
            with self.subTest(scene, record=True):
                self.succeed("simulate", "set/scene.json", "-o", "more", "--quiet", "--overwrite")
                for name, content in self.files("more").items():
                    if name.endswith(".csv"):
                        self.assertEqual(made[name], content, name)
                    elif name.endswith(".tif"):
                        numpy.testing.assert_array_equal(self.read(f"more/{name}"),
                                                         self.read(f"set/{name}"))

    def test_that_are_none_are_refused_for_what_they_are(self):
        self.write("image.tif", random_volume((2, 8, 8), 1))
        self.text("other.json", '{"scene": 3}')
        for name, code, words in (("image.tif", USAGE, ["it is an image", "convolve", "init"]),
                                  ("other.json", USAGE, ["not the scene.json"]),
                                  (".", IO, ["it is a folder", "scene.toml"]),
                                  ("none.toml", IO, ["no such file"])):
            with self.subTest(name):
                self.refused(code, words, "simulate", name, "-o", "out")
        self.refused(USAGE, ["it is an image"], "detect", "image.tif", "-o", "out.tif", "--camera",
                     "image.tif")

    def test_with_several_faults_are_told_all_of_them_in_the_order_of_the_file(self):
        self.text("bad.toml", "sed = 1\n[optics]\nna = 9\nwavelength = 3\n[banana]\n[grid]\n"
                              "size = 3\n[[channel]]\nname = \"a\"\noptics.na = 7\nlight.x = 1\n")
        said = self.command("simulate", "bad.toml", "-o", "out")
        self.assertEqual(said.returncode, USAGE)
        lines = said.stderr.splitlines()
        self.assertEqual([re.search(r"line (\d+)", line).group(1) for line in lines],
                         ["1", "3", "4", "5", "7", "10", "11"], said.stderr)
        for line in lines:
            self.assertTrue(line.startswith("synthoscope: error: read bad.toml, "), line)
        # Keys that are right by themselves, and wrong together
        self.text("bad.toml", "[grid]\nsize = [4, 9, 9]\n[camera]\nbinning = 2\n[time]\n"
                              "interval_seconds = 1e6\ndivision = true\n")
        said = self.command("simulate", "bad.toml", "-o", "out").stderr
        self.assertEqual(len(said.splitlines()), 2, said)
        self.assertIn("camera.binning is 2", said)
        self.assertIn("time.", said)
        self.assertEqual(self.listing(), ["bad.toml"])


if __name__ == "__main__":
    main()
