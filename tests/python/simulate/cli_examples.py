# SPDX-License-Identifier: MIT
# tests/python/simulate/cli_examples.py — every scene in examples/ is one, and has its picture in
# the docs.
import pathlib

from program import ProgramTest, main

ROOT = pathlib.Path(__file__).resolve().parents[3]
SCENES = sorted((ROOT / "examples").glob("*.toml"))


class Examples(ProgramTest):
    def test_every_scene_fits_a_small_machine(self):
        self.assertGreaterEqual(len(SCENES), 6)
        for scene in SCENES:
            with self.subTest(scene.name):
                said = self.succeed("simulate", scene, "--dry-run", "--memory", "2G")
                self.assertIn("strategy", said)
        self.assertEqual(self.listing(), [])

    def test_every_scene_can_be_simulated(self):
        for scene in SCENES:
            with self.subTest(scene.name):
                # A sweep makes the same large volume for each of its values
                share = ("--shard", "1/4") if "[sweep]" in scene.read_text("utf-8") else ()
                self.succeed("simulate", scene, "-o", scene.stem, "--quiet", *share)

    def test_every_shown_scene_has_its_picture(self):
        page = (ROOT / "docs/do/example-scenes.md").read_text(encoding="utf-8")
        shown = [scene.stem for scene in SCENES
                 if f"examples/{scene.name})" in page]
        self.assertGreaterEqual(len(shown), 6)
        for name in shown:
            self.assertIn(f"(../images/{name}.png)", page)


if __name__ == "__main__":
    main()
