# SPDX-License-Identifier: MIT
# tests/python/studio/cli_studio_channels.py — what the page asks the server about channels and
# seeds.
#
#   cli_studio_channels.py PROGRAM [unittest arguments]
import json

from program import main
from studio_page import JSON, StudioTest

ONE = """seed = 3
[beads]
count = 2
[[channel]]
name = "red"
light.beads = 1 # all
"""


class Channels(StudioTest):
    def setUp(self):
        super().setUp()
        self.page = self.opened()

    def post(self, status, path, **asked):
        body = json.dumps(asked).encode()
        answer = self.page.ask(path, "POST", body, JSON)
        self.assertEqual(answer[0], status, answer[2][:300])
        return json.loads(answer[2])

    def test_are_edited_in_the_text(self):
        edited = self.post(200, "/api/set", toml=ONE, key="optics.na", value=1.1, channel=0)
        self.assertEqual(edited["toml"], ONE + "optics.na = 1.1\n")
        self.assertEqual(edited["in_channels"][0]["values"]["optics.na"], 1.1)
        self.assertEqual(edited["in_channels"][0]["given"], ["light.beads", "optics.na"])
        self.assertEqual(edited["values"]["optics.na"], 1.4)
        two = self.post(200, "/api/channels/add", toml=ONE)
        self.assertEqual(two["channels"], ["red", "red-2"])
        one = self.post(200, "/api/channels/remove", toml=two["toml"], channel=1)
        self.assertEqual(one["toml"], ONE)

    def test_that_cannot_be_edited_are_refused_in_one_sentence(self):
        for path, asked, words in (
                ("set", {"key": "optics.na", "value": 1, "channel": 1}, "from 0 to 0"),
                ("set", {"key": "optics.na", "value": 1, "channel": "red"}, "from 0"),
                ("set", {"key": "optics.na", "value": 1, "channel": -1}, "from 0"),
                ("set", {"key": "name", "value": "a"}, "name"),
                ("channels/remove", {}, "from 0"), ("channels/remove", {"channel": 9}, "0 to 0")):
            with self.subTest(path=path, asked=asked):
                refused = self.post(400, f"/api/{path}", toml=ONE, **asked)
                self.assertIn(words, refused["error"])
        same = self.post(200, "/api/set", toml=ONE, key="beads.count", value=3, channel=0)
        self.assertFalse(same["ok"])
        self.assertIn("the same in all channels", same["error"])

    def test_lines_have_the_seed_that_was_drawn(self):
        lines = self.post(200, "/api/copy", toml="", name="a.toml", seed=7)
        self.assertEqual(lines["command"], "synthoscope simulate a.toml -o data --seed 7")
        self.assertIn("seed=7", lines["python"])
        self.post(400, "/api/copy", toml="", name="a.toml", seed="x")


if __name__ == "__main__":
    main()
