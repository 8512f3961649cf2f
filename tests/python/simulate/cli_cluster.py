# SPDX-License-Identifier: MIT
# tests/python/simulate/cli_cluster.py — the templates of examples/cluster run as they are.
import json
import os
import shutil
import signal
import subprocess
import unittest

from held_run import needs_held_runs, preloaded
from program import HANG_SECONDS, PROGRAM, SOURCE, ProgramTest, main

TEMPLATES = os.path.join(SOURCE, "examples", "cluster")

# Slurm's commands, as far as the templates use them: a task that is told to stop gets a TERM when
# it writes what $STOP holds.
COMMANDS = {
    "srun": 'exec env $STOP "$@"\n',
    "scontrol": 'echo "$@" >> scontrol.log\n',
}


def runs(program):
    """Whether it is here and whole: Nextflow's launcher fetches the rest of itself."""
    asked = [program, "-version"]
    return shutil.which(program) and subprocess.run(
        asked, check=False, capture_output=True, timeout=HANG_SECONDS).returncode == 0


class Templates(ProgramTest):
    def setUp(self):
        super().setUp()
        for name in os.listdir(TEMPLATES):
            shutil.copy(os.path.join(TEMPLATES, name), self.folder)
        os.mkdir(self.path("bin"))
        os.symlink(PROGRAM, self.path("bin/synthoscope"))
        for name, text in COMMANDS.items():
            self.text(f"bin/{name}", "#!/bin/sh\n" + text)
            os.chmod(self.path(f"bin/{name}"), 0o755)

    def run_here(self, *words, **environment):
        return subprocess.run(
            words, cwd=self.folder, text=True, capture_output=True, timeout=HANG_SECONDS,
            check=False,
            env={**self.environment(), "PATH": self.path("bin") + os.pathsep + os.environ["PATH"],
                 **environment})

    def task(self, number, **environment):
        array = {"SLURM_ARRAY_TASK_ID": str(number), "SLURM_ARRAY_TASK_COUNT": "3",
                 "SLURM_ARRAY_TASK_MIN": "1", "SLURM_ARRAY_JOB_ID": "77",
                 "SLURM_MEM_PER_NODE": "1000", "SLURM_CPUS_PER_TASK": "1"}
        return self.run_here("bash", "array.sbatch", "simulate", "sweep.toml", "-o", "benchmark",
                             **array, **environment)

    def assert_as_of_one(self):
        self.succeed("simulate", "sweep.toml", "-o", "one")
        expected = self.files("one")
        self.assertEqual(len([name for name in expected if name.endswith("scene.json")]), 12)
        self.assertTrue(self.files("benchmark") == expected, "other bytes than of one process")

    @needs_held_runs
    def test_tasks_of_an_array_are_queued_again_and_go_on(self):
        stop = preloaded(self.folder, signal.SIGTERM, 1, name="/image.ome.tif")
        stopped = self.task(2, STOP=" ".join(f"{name}={value}" for name, value in stop.items()))
        self.assertEqual(stopped.returncode, 7, stopped.stderr)
        with open(self.path("scontrol.log"), encoding="utf-8") as file:
            self.assertEqual(file.read(), "requeue 77_2\n")
        for number in (1, 2, 3):
            result = self.task(number)
            self.assertEqual(result.returncode, 0, result.stderr)
        self.assert_as_of_one()

    @unittest.skipUnless(shutil.which("snakemake"), "snakemake is not here")
    def test_snakemake_makes_twelve_data_sets(self):
        result = self.run_here("snakemake", "--cores", "2")
        self.assertEqual(result.returncode, 0, result.stderr)
        with open(self.path("benchmark.json"), encoding="utf-8") as file:
            self.assertEqual((json.load(file)["parts"]), 12)
        self.assert_as_of_one()

    @unittest.skipUnless(runs("nextflow"), "nextflow is not here")
    def test_nextflow_makes_twelve_data_sets(self):
        result = self.run_here("nextflow", "run", "main.nf")
        self.assertEqual(result.returncode, 0, result.stdout + result.stderr)
        self.assertIn("complete; nothing to do", result.stdout)
        self.assert_as_of_one()


if __name__ == "__main__":
    main()
