# SPDX-License-Identifier: MIT
# tests/python/images/cli_resume.py — runs that are killed, stopped or out of disk go on to the
# same bytes.
#
#   cli_resume.py PROGRAM [--kills N] [--output NAME] [unittest arguments]
#
# --kills: how often each of the long loops kills; --output: what kind of file they write.
import json
import os
import resource
import shutil
import signal

import numpy

from held_run import HeldTest, needs_held_runs, random_calls
from program import main, random_volume, taken

USAGE, INPUT, IO, MEMORY, INTERRUPTED = 2, 3, 4, 5, 7


KILLS = int(taken("--kills", "3"))
OUTPUT = taken("--output", "out.ome.tif")
IS_TIFF = OUTPUT.endswith(".tif")
COMPRESSIONS = ["none", "deflate"] + (["lzw"] if IS_TIFF else [])
SMALL_CHUNKS = [] if IS_TIFF else ["--chunks", "3,50,50"]  # of which a layer fits the memory
UNCERTIFIED = OUTPUT + ".uncertified" + ("" if IS_TIFF else os.path.splitext(OUTPUT)[1])


class Resume(HeldTest):
    """A convolution in many steps: its memory has room for a few planes only."""

    def setUp(self):
        super().setUp()
        self.write("image.tif", random_volume((64, 120, 130), 1, numpy.uint16))
        self.write("kernel.tif", random_volume((5, 9, 9), 2))

    def words(self, output=OUTPUT, compression="none", *further, memory="9500k", threads="1"):
        return ["convolve", "image.tif", "kernel.tif", "-o", output, "--memory", memory,
                "--threads", threads, "--compression", compression, "--journal-every", "0",
                *(SMALL_CHUNKS if output.endswith(OUTPUT) else []), *further]

    def bytes_of(self, name):
        """Of a folder those of all files in it, with their names."""
        if os.path.isdir(self.path(name)):
            files = sorted(os.path.relpath(os.path.join(folder, file), self.folder)
                           for folder, _, inside in os.walk(self.path(name)) for file in inside)
            return b"".join(file[len(name):].encode() + b":" + self.bytes_of(file)
                            for file in files)
        with open(self.path(name), "rb") as file:
            return file.read()

    def whole(self, compression="none", *further, **budget):
        """The bytes that an uninterrupted run writes."""
        self.succeed(*self.words("whole." + OUTPUT, compression, "--quiet", *further, **budget))
        return self.bytes_of("whole." + OUTPUT)

    def records(self, output=OUTPUT):
        try:
            return self.bytes_of(output + ".partial.journal").count(b"\n") - 1
        except FileNotFoundError:
            return -1

    def end_after_records(self, records, *words, how=signal.SIGKILL, output=OUTPUT):
        """Ends a run just before the journal gets another record."""
        # It is removed, opened, made durable and begun by the calls before its records
        for at in range(5 + records, 50):
            ended = self.meet(how, *words, at=at, name=output + ".partial.journal")
            self.assertNotEqual(ended.returncode, 0, "the run has fewer records")
            if self.records(output) >= records:
                return ended
            self.remove(output)
        return self.fail("the journal does not grow")

    def meet_certifying(self, how, *words):
        """A run that `how` meets when it reads its result for the last time."""
        reads = self.calls_of(*words, calls="read", name=UNCERTIFIED)
        self.remove()
        return self.meet(how, *words, at=reads, calls="read", name=UNCERTIFIED)

    def leave_unfinished(self, *further, compression="none", records=2, **budget):
        """A run that is killed in the middle."""
        self.end_after_records(records, *self.words(OUTPUT, compression, *further, **budget))

    def remove(self, output=OUTPUT):
        for name in self.listing():
            if name.startswith(output):
                if os.path.isdir(self.path(name)):
                    shutil.rmtree(self.path(name))
                else:
                    os.remove(self.path(name))

    def assert_done(self, result, expected, output=OUTPUT):
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertTrue(self.bytes_of(output) == expected, "other bytes than without a break")
        self.assertEqual([name for name in self.listing() if name.startswith(output)],
                         [output, output + ".json"])
        self.remove(output)


@needs_held_runs
class Kills(Resume):
    def test_at_random_moments_change_no_byte(self):
        for compression in COMPRESSIONS:
            calls = self.calls_of(*self.words("whole." + OUTPUT, compression, "--quiet"))
            expected = self.bytes_of("whole." + OUTPUT)
            words = self.words(OUTPUT, compression, "--resume")
            for at in random_calls(calls, KILLS, 7):
                with self.subTest(compression=compression, at=at):
                    code, _, errors = self.meet(signal.SIGKILL, *words, at=at)
                    self.assertIn(code, (0, -signal.SIGKILL), errors)
                    if os.path.exists(self.path(OUTPUT)):
                        self.assertTrue(self.bytes_of(OUTPUT) == expected, "half a file")
                    if OUTPUT + ".partial.journal" not in self.listing():
                        self.remove()  # before the first step, or done: begin again
            with self.subTest(compression=compression):
                self.assert_done(self.command(*words), expected)
            self.remove("whole." + OUTPUT)

    def test_after_each_record_change_no_byte(self):
        for compression in ("none", "deflate"):
            expected = self.whole(compression)
            words = self.words(OUTPUT, compression)
            for records in range(KILLS + 1):
                with self.subTest(compression=compression, records=records):
                    code, _, errors = self.end_after_records(records, *words)
                    self.assertEqual(code, -signal.SIGKILL, errors)
                    self.assert_done(self.command(*words, "--resume"), expected)
                    self.remove()
            self.remove("whole." + OUTPUT)

    def test_while_the_result_is_certified_change_no_byte(self):
        budget = {"memory": "12M"}  # a certificate needs some of it
        expected = self.whole("none", "--certify", "40", **budget)
        words = self.words(OUTPUT, "none", "--certify", "40", **budget)
        for moment, end in (
                ("computed", lambda: self.end_after_records(2, *words, output=UNCERTIFIED)),
                ("read again", lambda: self.meet_certifying(signal.SIGKILL, *words))):
            with self.subTest(moment):
                code, _, errors = end()
                self.assertEqual(code, -signal.SIGKILL, errors)
                result = self.command(*words, "--resume")
                self.assertIn("resumes", result.stderr)
                self.assert_done(result, expected)

    def test_of_plans_without_steps_lose_no_file_that_was_computed(self):
        words = self.words(OUTPUT, "none", "--strategy", "parts", "--certify", "20000",
                           memory="40M")
        self.succeed(*words, "--quiet")
        expected = self.bytes_of(OUTPUT)
        self.remove()
        for how in (signal.SIGKILL, signal.SIGTERM):
            with self.subTest(how=how.name):
                code, _, errors = self.meet_certifying(how, *words)
                self.assertIn(code, (INTERRUPTED, -signal.SIGKILL), errors)
                self.assertEqual("--resume continues" in errors, how == signal.SIGTERM)
                result = self.command(*words, "--resume")
                self.assertIn("resumes", result.stderr)
                self.assertIn("an interrupted run cannot be resumed", result.stderr)
                self.assert_done(result, expected)


@needs_held_runs
class Stops(Resume):
    def test_by_a_signal_leave_a_run_that_goes_on(self):
        # There are so many steps that what is computed ahead is not all when one step is recorded
        expected, words = self.whole(), self.words()
        for how in (signal.SIGTERM, signal.SIGINT, signal.SIGUSR1, signal.SIGHUP):
            with self.subTest(how=how.name):
                code, _, errors = self.end_after_records(1, *words, how=how)
                self.assertEqual(code, INTERRUPTED, errors)
                self.assertEqual(errors.count("error"), 1, errors)
                self.assertIn("--resume continues", errors)
                self.assertNotIn(OUTPUT, self.listing())
                result = self.command(*words, "--resume")
                self.assertIn("resumes " + OUTPUT, result.stderr)
                self.assert_done(result, expected)


class FullDisks(Resume):
    def test_of_any_size_keep_what_is_finished_and_the_older_output(self):
        for compression in ("none", "deflate"):
            expected = self.whole(compression)
            kept = 0
            for tenth in range(10):
                limit = len(expected) * tenth // 10 + 100
                with self.subTest(compression=compression, limit=limit):
                    self.text(OUTPUT, "older")
                    words = self.words(OUTPUT, compression, "--overwrite")
                    result = self.command(*words, preexec_fn=lambda: resource.setrlimit(
                        resource.RLIMIT_FSIZE, (limit, limit)))
                    self.assertEqual(result.returncode, IO, result.stderr)
                    error = [line for line in result.stderr.splitlines() if "error: " in line]
                    self.assertEqual(len(error), 1, result.stderr)
                    for word in (OUTPUT, "are needed", "ulimit -f"):
                        self.assertIn(word, error[0])
                    self.assertEqual(self.bytes_of(OUTPUT), b"older")
                    has_journal = OUTPUT + ".partial.journal" in self.listing()
                    self.assertEqual("--resume continues" in error[0], has_journal)
                    self.assertEqual(OUTPUT + ".partial" in self.listing(), has_journal)
                    kept += has_journal
                    self.assert_done(self.command(*words, "--resume"), expected)
            # What is laid out first meets a full disk before the first step
            self.assertEqual(kept > 0, compression != "none")
            self.remove("whole." + OUTPUT)

    def test_behind_a_pipe_that_nobody_reads_are_failures(self):
        reading, writing = os.pipe()
        os.close(reading)
        result = self.command("info", "image.tif", capture_output=False, stdout=writing, stderr=-1)
        os.close(writing)
        self.assertEqual(result.returncode, IO, result.stderr)
        self.assertIn("standard output", result.stderr)


@needs_held_runs
class Changes(Resume):
    def test_are_refused_by_name_and_cost_nothing(self):
        expected = self.whole()
        self.leave_unfinished()
        before = self.listing()
        image = self.bytes_of("image.tif")
        kernel = self.bytes_of("kernel.tif")
        cases = [
            ("boundary", self.words(OUTPUT, "none", "--boundary", "wrap"), None, USAGE,
             "boundary was \"zero\""),
            ("type", self.words(OUTPUT, "none", "--output-type", "uint16"), None, USAGE,
             "output type was \"float32\""),
            ("flavor", self.words(OUTPUT, "none", "--tiff-flavor", "imagej"), None, USAGE,
             "tiff flavor was \"ome\""),
            ("strategy", self.words(OUTPUT, "none", "--strategy", "ring"), None, USAGE,
             "strategy was \"auto\""),
            ("library", self.words(OUTPUT, "none", "--fft", "own"), None, USAGE,
             "fft was \"not given\""),
            ("memory", self.words(memory="100K"), None, MEMORY, "raise it"),
            ("image", self.words(), ("image.tif", image + b"\0"), USAGE, "image bytes was"),
            ("touched", self.words(), ("image.tif", image), USAGE, "image time of change was"),
            ("kernel", self.words(), ("kernel.tif", kernel[:-4] + b"\0\0\0\0"), USAGE,
             "kernel"),
        ]
        for name, command, content, code, words in cases:
            with self.subTest(name):
                was = os.stat(self.path(content[0])) if content else None
                if content:
                    with open(self.path(content[0]), "wb") as file:
                        file.write(content[1])
                result = self.command(*command, "--resume")
                self.assertEqual(result.returncode, code, result.stderr)
                self.assertIn(words, result.stderr)
                self.assertEqual(self.listing(), before)
                if content:
                    with open(self.path(content[0]), "wb") as file:
                        file.write(image if content[0] == "image.tif" else kernel)
                    os.utime(self.path(content[0]), ns=(was.st_atime_ns, was.st_mtime_ns))
        self.assert_done(self.command(*self.words(memory="64M", threads="2"), "--resume"),
                         expected)

    def test_of_any_file_of_a_set_are_refused(self):
        voxels = self.read("image.tif")
        names = ["image.tif", "rest.tif"]
        identities = [f"urn:uuid:{digit * 8}-1111-1111-1111-111111111111" for digit in "12"]
        planes = "".join(
            f'<TiffData IFD="{z % 32}" FirstZ="{z}" PlaneCount="1">'
            f'<UUID FileName="{names[z // 32]}">{identities[z // 32]}</UUID></TiffData>'
            for z in range(64))
        for i, name in enumerate(names):
            self.write(name, voxels[32 * i:32 * (i + 1)], metadata=None, description=(
                '<?xml version="1.0" encoding="UTF-8"?><OME xmlns="http://www.openmicroscopy.org/'
                f'Schemas/OME/2016-06" UUID="{identities[i]}"><Image ID="Image:0"><Pixels '
                'ID="Pixels:0" DimensionOrder="XYZCT" Type="uint16" SizeX="130" SizeY="120" '
                'SizeZ="64" SizeC="1" SizeT="1"><Channel ID="Channel:0:0" SamplesPerPixel="1"/>'
                f'{planes}</Pixels></Image></OME>'))
        expected = self.whole()
        with open(self.path("whole." + OUTPUT + ".json"), encoding="utf-8") as file:
            inputs = [entry["path"] for entry in json.load(file)["inputs"]]
        self.assertEqual(inputs, ["image.tif", "rest.tif", "kernel.tif"])
        self.leave_unfinished()
        before = self.listing()
        rest = self.bytes_of("rest.tif")
        was = os.stat(self.path("rest.tif"))
        with open(self.path("rest.tif"), "wb") as file:
            file.write(rest[:-2] + b"\0\1")
        result = self.command(*self.words(), "--resume")
        self.assertEqual(result.returncode, USAGE, result.stderr)
        self.assertIn("image rest.tif", result.stderr)
        self.assertEqual(self.listing(), before)
        with open(self.path("rest.tif"), "wb") as file:
            file.write(rest)
        os.utime(self.path("rest.tif"), ns=(was.st_atime_ns, was.st_mtime_ns))
        self.assert_done(self.command(*self.words(), "--resume"), expected)
        result = self.command(*self.words("rest.tif"), "--format", "tiff", "--overwrite")
        self.assertEqual(result.returncode, USAGE, result.stderr)
        self.assertIn("it is the image rest.tif itself", result.stderr)

    def test_of_a_plan_file_are_refused(self):
        plan = self.succeed(*self.words(), "--dry-run", "--json")
        self.text("plan.json", plan)
        self.text("other.json", self.succeed(*self.words(), "--strategy", "tiles", "--dry-run",
                                             "--json"))
        expected = self.whole()
        self.leave_unfinished("--plan", "plan.json")
        result = self.command(*self.words(), "--resume", "--plan", "other.json")
        self.assertEqual(result.returncode, USAGE, result.stderr)
        self.assertIn("other.json", result.stderr)
        self.assert_done(self.command(*self.words(), "--resume", "--plan", "plan.json"), expected)


@needs_held_runs
class Pieces(Resume):
    """Finished pieces of an interrupted run, which others change before it is resumed."""

    def pieces(self):
        """Files of the unfinished output, the largest first; journals are none."""
        roots = [name for name in self.listing()
                 if name.startswith(OUTPUT) and name.endswith(".partial")]
        files = [os.path.join(folder, file) for root in roots if os.path.isdir(self.path(root))
                 for folder, _, inside in os.walk(self.path(root)) for file in inside]
        files += [self.path(root) for root in roots if os.path.isfile(self.path(root))]
        return sorted((file for file in files if os.path.getsize(file) > 0),
                      key=lambda file: (-os.path.getsize(file), file))

    @staticmethod
    def flip(file):
        with open(file, "r+b") as opened:
            opened.seek(os.path.getsize(file) // 5)
            byte = opened.read(1)
            opened.seek(-1, os.SEEK_CUR)
            opened.write(bytes([byte[0] ^ 0x40]))

    @staticmethod
    def cut(file):
        os.truncate(file, os.path.getsize(file) // 2)

    def test_that_were_changed_are_never_taken(self):
        planes = {"memory": "12M"}  # four in each of 16 steps
        ring = ["--strategy", "ring"]
        for compression in ("none", "deflate"):
            expected = self.whole(compression, *ring, **planes)
            for change in (self.flip, self.cut, os.remove):
                with self.subTest(compression=compression, change=change.__name__):
                    self.leave_unfinished(*ring, compression=compression, records=6, **planes)
                    change(self.pieces()[0])
                    result = self.command(*self.words(OUTPUT, compression, *ring, "--resume",
                                                      **planes))
                    self.assertIn("starts from the beginning", result.stderr)
                    self.assert_done(result, expected)
            self.remove("whole." + OUTPUT)

    def test_of_a_result_that_is_not_certified_yet_are_not_taken_when_it_was_changed(self):
        words = self.words(OUTPUT, "none", "--strategy", "parts", "--certify", "20000",
                           memory="40M")
        self.succeed(*words, "--quiet")
        expected = self.bytes_of(OUTPUT)
        self.remove()
        ended = self.meet_certifying(signal.SIGKILL, *words)
        self.assertEqual(ended.returncode, -signal.SIGKILL, ended.stderr)
        named = self.path(UNCERTIFIED)
        files = [named] if os.path.isfile(named) else sorted(
            os.path.join(folder, file) for folder, _, inside in os.walk(named) for file in inside)
        self.flip(max(files, key=os.path.getsize))
        result = self.command(*words, "--resume")
        self.assertIn("no unfinished run of", result.stderr)
        self.assert_done(result, expected)


@needs_held_runs
class Journals(Resume):
    def rewrite(self, change):
        name = OUTPUT + ".partial.journal"
        content = change(self.bytes_of(name))
        with open(self.path(name), "wb") as file:
            file.write(content)

    def test_that_are_torn_are_read_up_to_the_tear(self):
        expected = self.whole()
        for name, change in (("cut", lambda content: content[:-9]),
                             ("flipped", lambda content: content[:-40] + b"?" + content[-39:]),
                             ("lengthened", lambda content: content + b"0123456789abcdef {\"st"),
                             ("without records", lambda content: content.split(b"\n")[0] + b"\n"),
                             ("empty", lambda content: b"")):
            with self.subTest(name):
                self.leave_unfinished()
                self.rewrite(change)
                result = self.command(*self.words(), "--resume")
                self.assert_done(result, expected)

    def test_without_anything_finished_begin_from_the_start_and_say_so(self):
        expected = self.whole()
        result = self.command(*self.words(), "--resume")
        self.assertIn("no unfinished run of " + OUTPUT, result.stderr)
        self.assert_done(result, expected)

    def test_are_discarded_by_a_new_run_which_says_so(self):
        expected = self.whole()
        self.leave_unfinished()
        result = self.command(*self.words())
        self.assertIn("with --resume the earlier run would continue", result.stderr)
        self.assert_done(result, expected)

    def test_go_with_a_run_that_fails_for_good(self):
        image = random_volume((64, 120, 130), 1)
        image[-1, -1, -1] = numpy.nan
        self.write("image.tif", image)
        before = self.listing()
        result = self.command(*self.words())
        self.assertEqual(result.returncode, INPUT, result.stderr)
        self.assertEqual(self.listing(), before)

    def test_remember_what_was_counted(self):
        options = ("--output-type", "uint8")
        self.succeed(*self.words("whole.tif", "none", *options, "--quiet"))
        clipped = json.loads(self.succeed(*self.words("again.tif", "none", *options, "--json",
                                                      "--quiet")))["clipped"]
        self.assertGreater(clipped, 0)
        self.leave_unfinished(*options)
        result = json.loads(self.succeed(*self.words(OUTPUT, "none", *options), "--resume",
                                         "--json", "--quiet"))
        self.assertEqual(result["clipped"], clipped)


if __name__ == "__main__":
    main()
