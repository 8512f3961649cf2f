# SPDX-License-Identifier: MIT
# tests/python/commands/cli_signals.py — every command answers SIGTERM and SIGINT in one of two
# ways: exit code 7 with nothing half-made, or 0 with the whole result.
#
#   cli_signals.py PROGRAM --failing-calls LIBRARY [--most N] [--only WORD] [unittest arguments]
#
# --most: at how many of the writes, reads and allocations of a command; 0: at each write and read.
import itertools
import signal
import subprocess
import sys

from every_command import COMMANDS, EveryCommandTest, convolution
from held_run import needs_held_runs, preloaded, spread_calls
from program import HANG_SECONDS, PROGRAM, main, taken

INTERRUPTED = 7
MOST = int(taken("--most", "4"))
ONLY = taken("--only", "")
SIGNALS = (signal.SIGTERM, signal.SIGINT)


@needs_held_runs
class Signals(EveryCommandTest):
    def undisturbed(self, words):
        """Its results; those of which two runs make the same bytes with them."""
        runs = []
        for _ in range(2):
            self.remove_results()
            ended = self.command(*words)
            self.assertEqual(ended.returncode, 0, ended.stderr)
            runs.append(self.results())
        self.remove_results()
        self.assertEqual(set(runs[0]), set(runs[1]))
        return {name: data if runs[1][name] == data else None for name, data in runs[0].items()}

    def wrong(self, words, goes_on, ended, expected):
        """What is wrong with how it ended; nothing as a rule."""
        found = self.results()
        if ended.returncode == 0:
            if set(found) != set(expected):
                return f"exit 0, and there are {sorted(found)}"
            others = [name for name, data in expected.items() if data not in (None, found[name])]
            return f"exit 0, and other bytes in {others}" if others else None
        if ended.returncode != INTERRUPTED:
            return f"exit {ended.returncode}: {ended.stderr}"
        if ended.stderr.count("was stopped ") != 1:
            return f"exit 7 said {ended.stderr}"
        if ended.stdout:
            return f"exit 7 printed {ended.stdout}"
        if not goes_on:
            return f"exit 7 left {sorted(found)}" if found else None
        if "--resume" not in ended.stderr:
            return f"exit 7 without --resume left {sorted(found)}" if found else None
        resumed = self.command(*words, "--resume")
        if resumed.returncode != 0:
            return f"going on: exit {resumed.returncode}: {resumed.stderr}"
        return self.wrong(words, goes_on, resumed, expected)

    def test_are_answered_in_one_of_two_ways_by_every_command(self):
        self.make_inputs()
        ends = {0: 0, INTERRUPTED: 0}
        for name, (words, goes_on) in COMMANDS.items():
            if ONLY not in name:
                continue
            expected = self.undisturbed(words)
            places = []
            for calls in ("write", "read", "allocate"):
                most = MOST or (0 if calls != "allocate" else 50)
                total = self.calls_of(*words, calls=calls)
                self.remove_results()
                places += [(calls, at) for at in spread_calls(total, most)]
            for (calls, at), how in zip(places, itertools.cycle(SIGNALS)):
                with self.subTest(command=name, calls=calls, at=at, how=how.name):
                    ended = self.meet(how, *words, at=at, calls=calls)
                    self.assertIsNone(self.wrong(words, goes_on, ended, expected))
                    ends[ended.returncode] += 1
                self.remove_results()
        print(f"{ends[INTERRUPTED]} runs ended with 7, and {ends[0]} with 0", file=sys.stderr)
        if not ONLY:
            self.assertGreater(ends[INTERRUPTED], 0)
            self.assertGreater(ends[0], 0)

    def test_that_come_twice_end_a_run_at_once(self):
        for how in SIGNALS:
            with self.subTest(how=how.name):
                run = self.hold(*convolution("--strategy", "ring"), at=1, name="out.tif.partial")
                run.send(how)
                other = next(other for other in SIGNALS if other != how)
                run.send(other)
                run.go_on()
                ended = run.end(how)
                self.assertEqual(ended.returncode, INTERRUPTED, ended.stderr)

    def test_of_one_kind_may_come_twice(self):
        run = self.hold(*convolution("--strategy", "ring"), at=1, name="out.tif.partial")
        run.send(signal.SIGUSR2)
        run.send(signal.SIGUSR2)
        run.go_on()
        ended = run.end(signal.SIGUSR2)
        self.assertEqual(ended.returncode, INTERRUPTED, ended.stderr)
        self.assertNotIn("out.tif.partial", self.listing())

    def test_that_were_ignored_stay_so(self):
        script = f'trap "" HUP INT TERM; exec "{PROGRAM}" "$@"'
        for how in (signal.SIGHUP, *SIGNALS):
            with self.subTest(how=how.name):
                environment = self.environment() | preloaded(self.folder, how, 1,
                                                             name="out.tif.partial")
                ended = subprocess.run(["sh", "-c", script, "sh", *convolution()], text=True,
                                       cwd=self.folder, env=environment, capture_output=True,
                                       timeout=HANG_SECONDS, check=False)
                self.assertEqual(ended.returncode, 0, ended.stderr)
                self.remove_results()


if __name__ == "__main__":
    main()
