# SPDX-License-Identifier: MIT
# tests/python/cli_examples.py — every scene in examples/ is one, and has its picture in the docs.
import pathlib

from program import ProgramTest, main

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent


class Examples(ProgramTest):
    def test_every_scene_can_be_simulated(self):
        scenes = sorted((ROOT / "examples").glob("*.toml"))
        self.assertGreaterEqual(len(scenes), 6)
        for scene in scenes:
            with self.subTest(scene.name):
                said = self.succeed("simulate", scene, "--dry-run", "--memory", "2G")
                self.assertIn("strategy", said)
        self.assertEqual(self.listing(), [])

    def test_every_shown_scene_has_its_picture(self):
        page = (ROOT / "docs/do/example-scenes.md").read_text(encoding="utf-8")
        shown = [scene.stem for scene in (ROOT / "examples").glob("*.toml")
                 if f"examples/{scene.name})" in page]
        self.assertGreaterEqual(len(shown), 6)
        for name in shown:
            self.assertIn(f"(../images/{name}.png)", page)


if __name__ == "__main__":
    main()
