# SPDX-License-Identifier: MIT
# tests/python/files/cli_shards.py — processes that write one file together write the bytes of one.
import json
import os
import shutil
import signal
import subprocess
import unittest

import numpy

from held_run import HeldTest, needs_held_runs, random_calls
from program import HANG_SECONDS, PROGRAM, main, random_volume

USAGE, IO, INTERRUPTED = 2, 4, 7
FILES = {"out.ome.tif": [], "out.tif": ["--tiff-flavor", "imagej"], "out.h5": [],
         "chunked.h5": ["--chunks", "3,50,50"]}


class Shards(HeldTest):
    """A convolution in many steps: its memory has room for a few planes only."""

    def setUp(self):
        super().setUp()
        self.write("image.tif", random_volume((64, 120, 130), 1, numpy.uint16))
        self.write("kernel.tif", random_volume((5, 9, 9), 2))
        self.memory = "9M"

    def words(self, output, *further):
        return ["convolve", "image.tif", "kernel.tif", "-o", output, "--memory", self.memory,
                "--threads", "1", "--journal-every", "0", *FILES.get(output, []), *further]

    def bytes_of(self, name):
        with open(self.path(name), "rb") as file:
            return file.read()

    def whole(self, output="out.ome.tif", *further):
        """The bytes that one process writes, and what it counts."""
        result = self.result_of(*self.words(output, "--output-type", "uint8", *further))
        content = self.bytes_of(output)
        self.remove(output)
        return content, result["clipped"]

    def remove(self, output):
        for name in self.listing():
            if name.startswith(output):
                os.remove(self.path(name))

    def shard(self, text, output="out.ome.tif", *further):
        return self.words(output, "--shard", text, "--output-type", "uint8", *further)

    @staticmethod
    def journal_of(shard):
        return f".share-{shard.replace('/', '-of-')}.journal"

    def when_begun(self, shard, at=4):
        """Calls for its journal: the fourth records the first step, and the sixth the third."""
        return {"at": at, "name": self.journal_of(shard)}

    def records(self, shard):
        journal = self.bytes_of("out.ome.tif.partial" + self.journal_of(shard))
        return journal.count(b"\n") - 1

    def refuse(self, code, *words, mentions):
        result = self.command(*words)
        self.assertEqual(result.returncode, code, result.stderr)
        for text in mentions:
            self.assertIn(text, result.stderr)

    def assert_whole(self, expected, output="out.ome.tif"):
        self.assertTrue(self.bytes_of(output) == expected, "other bytes than one process writes")
        self.assertEqual([name for name in self.listing() if name.startswith(output)],
                         [output, output + ".json"])
        self.remove(output)


class Together(Shards):
    def test_they_write_the_bytes_and_counts_of_one_process(self):
        for output in FILES:
            expected, clipped = self.whole(output)
            self.assertGreater(clipped, 0)
            for count in (1, 2, 3, 4):
                with self.subTest(output=output, count=count):
                    running = [self.start(*self.shard(f"{i + 1}/{count}", output), "--json")
                               for i in range(count)]
                    results = [run.end() for run in running]
                    self.assertEqual([code for code, _, _ in results], [0] * count, results)
                    said = [json.loads(out) for _, out, _ in results]
                    last = [each for each in said if "clipped" in each]
                    self.assertEqual([each["clipped"] for each in last], [clipped])
                    self.assert_whole(expected, output)

    def test_one_after_the_other_in_any_order(self):
        expected, clipped = self.whole()
        for i, missing in ((3, [1, 2]), (1, [2]), (1, [2])):  # one that is done is done again
            result = self.result_of(*self.shard(f"{i}/3"))
            self.assertEqual((result["whole"], result["missing"]), (False, missing))
            self.assertNotIn("out.ome.tif", self.listing())
        result = self.result_of(*self.shard("2/3"))
        self.assertEqual(result["clipped"], clipped)
        self.succeed(*self.shard("1/3"))  # a task that is queued again
        self.refuse(USAGE, *self.shard("1/2"), mentions=("begun in 3 shards", "1/2"))
        self.write("kernel.tif", random_volume((5, 9, 9), 3))
        self.refuse(USAGE, *self.shard("1/3"),
                    mentions=("kernel", "when the run began", "to start over"))
        self.assert_whole(expected)

    def test_more_shards_than_steps_have_nothing_to_do(self):
        ring = ("out.ome.tif", "--strategy", "ring")
        self.memory = "12M"  # few planes in each step
        expected, _ = self.whole(*ring)
        said = self.command(*self.shard("1/40", *ring)).stderr
        self.assertIn("steps for 40 shards", said)
        for i in range(2, 41):
            self.succeed(*self.shard(f"{i}/40", *ring))
        self.assert_whole(expected)

    def test_tasks_of_an_array_find_their_part(self):
        expected, _ = self.whole()
        array = {"SLURM_ARRAY_TASK_COUNT": "2", "SLURM_ARRAY_TASK_MIN": "4"}
        for task in ("4", "5"):
            run = self.start(*self.shard("auto"),
                             environment={"SLURM_ARRAY_TASK_ID": task, **array})
            code, _, errors = run.end()
            self.assertEqual(code, 0, errors)
        self.assert_whole(expected)

    @unittest.skipUnless(shutil.which("mpirun"), "mpirun is not here")
    def test_ranks_find_their_part(self):
        expected, _ = self.whole()
        for ranks in (1, 2, 3, 4):
            with self.subTest(ranks=ranks):
                subprocess.run(["mpirun", "--allow-run-as-root", "--oversubscribe", "-n",
                                str(ranks), PROGRAM, *self.shard("auto")], cwd=self.folder,
                               check=True, capture_output=True, timeout=HANG_SECONDS)
                self.assert_whole(expected)


@needs_held_runs
class Killed(Shards):
    def test_a_shard_that_is_killed_is_gone_on_with(self):
        expected, clipped = self.whole()
        for how, at, code in ((signal.SIGKILL, 6, -signal.SIGKILL),
                              (signal.SIGTERM, 4, INTERRUPTED)):
            with self.subTest(how=how.name):
                ended = self.meet(how, *self.shard("2/2"), **self.when_begun("2/2", at))
                self.assertEqual(ended.returncode, code, ended.stderr)
                self.assertGreater(self.records("2/2"), 0)
                results = [self.result_of(*self.shard(f"{i}/2")) for i in (1, 2)]
                self.assertEqual([result.get("clipped") for result in results], [None, clipped])
                self.assert_whole(expected)

    def test_at_random_moments_change_no_byte(self):
        expected, _ = self.whole()
        most = self.calls_of(*self.shard("1/3"))
        self.remove("out.ome.tif")
        for seed in range(12):
            calls = random_calls(most, 3, seed)
            with self.subTest(calls=calls):
                running = [self.start(*self.shard(f"{i + 1}/3"), how=signal.SIGKILL, at=at)
                           for i, at in enumerate(calls)]
                for run in running:
                    code, _, errors = run.end()
                    # The first of all lays the file out; the others may need fewer calls
                    self.assertIn(code, (0, IO, -signal.SIGKILL), errors)
                for i in (3, 1, 2):
                    self.succeed(*self.shard(f"{i}/3"))
                self.assert_whole(expected)

    def test_a_run_by_one_process_begins_anew(self):
        expected, _ = self.whole()
        self.succeed(*self.shard("1/2"))
        self.succeed(*self.words("out.ome.tif", "--output-type", "uint8"))
        self.assert_whole(expected)

    def test_journals_of_what_was_begun_anew_are_not_believed(self):
        expected, _ = self.whole()
        self.succeed(*self.shard("1/2"))
        self.succeed(*self.words("out.ome.tif", "--output-type", "uint8"))
        self.succeed(*self.shard("2/2", "out.ome.tif", "--overwrite"))
        self.succeed(*self.shard("1/2", "out.ome.tif", "--overwrite"))
        self.assert_whole(expected)


class Changed(Shards):
    def test_what_a_shard_wrote_is_checked_before_the_file_has_its_name(self):
        expected, clipped = self.whole()
        self.succeed(*self.shard("1/2"))
        partial = self.path("out.ome.tif.partial")
        with open(partial, "r+b") as file:
            file.seek(os.path.getsize(partial) // 5)  # the first of two halves
            byte = file.read(1)
            file.seek(-1, os.SEEK_CUR)
            file.write(bytes([byte[0] ^ 0x40]))
        result = self.command(*self.shard("2/2"), "--json")
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertIn("shard 1 of 2", result.stderr)
        self.assertEqual(json.loads(result.stdout)["missing"], [1])
        self.assertNotIn("out.ome.tif", self.listing())
        self.assertEqual(self.result_of(*self.shard("1/2"))["clipped"], clipped)
        self.assert_whole(expected)


class Refusals(Shards):
    def test_what_cannot_be_shared_is_refused_with_a_sentence(self):
        for words, texts in (
                (self.shard("0/2"), ("convolve: --shard: '0/2' is", "I/N")),
                (self.shard("auto"), ("convolve: --shard: 'auto' finds no shard", "--shard 1/4")),
                (self.shard("1/2", "out.ome.tif", "--compression", "deflate"),
                 ("--shard with --compression",)),
                (self.shard("1/2", "out.ome.tif", "--certify", "9"),
                 ("--shard with --certify",)),
                (["convolve", "image.tif", "kernel.tif", "-o", "out.ome.tif", "--shard", "1/2",
                  "--strategy", "in-core"], ("only one step", "--strategy ring"))):
            with self.subTest(texts=texts):
                self.refuse(USAGE, *words, mentions=texts)
                self.assertEqual(self.listing(), ["image.tif", "kernel.tif"])

    def test_another_number_of_shards_or_another_kernel_is_refused(self):
        self.succeed(*self.shard("1/2"))
        before = self.listing()
        self.refuse(USAGE, *self.shard("1/3"), mentions=("begun in 2 shards", "1/3", "remove"))
        self.write("kernel.tif", random_volume((5, 9, 9), 3))
        self.refuse(USAGE, *self.shard("2/2"), mentions=("kernel", "when the run began", "remove"))
        self.assertEqual(self.listing(), before)

    @needs_held_runs
    def test_a_shard_of_a_file_that_is_removed_meanwhile_fails(self):
        run = self.hold(*self.shard("1/2"), **self.when_begun("1/2"))
        for name in ("out.ome.tif.partial", "out.ome.tif.partial.shares"):
            os.remove(self.path(name))
        code, _, errors = run.end()
        self.assertEqual(code, IO, errors)
        self.assertIn("out.ome.tif", errors)

    @needs_held_runs
    def test_the_same_shard_twice_at_once_is_refused(self):
        expected, _ = self.whole()
        run = self.hold(*self.shard("1/2"), **self.when_begun("1/2"))
        self.refuse(IO, *self.shard("1/2"), mentions=("another process is doing shard 1 of 2",))
        self.refuse(IO, *self.words("out.ome.tif"), mentions=("another process is writing",))
        self.assertEqual(run.end().returncode, 0)
        self.succeed(*self.shard("2/2"))
        self.assert_whole(expected)


if __name__ == "__main__":
    main()
