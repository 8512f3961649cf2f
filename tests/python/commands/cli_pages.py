# SPDX-License-Identifier: MIT
# tests/python/commands/cli_pages.py — manual pages and completion: man and the shells take them as
# they are.
import os
import shutil
import subprocess
import unittest

from program import PROGRAM, ProgramTest, main

STUBBED_ZSH = """compdef() {}
_arguments() { print -rl -- "$@" }
_describe() { print -rl -- $next }
"""


class ManualPages(ProgramTest):
    def test_are_there_for_the_program_and_every_command(self):
        self.assertIn(".SH COMMANDS", self.succeed("--man"))
        for command in self.succeed("--list-commands").splitlines():
            page = self.succeed("--man", *command.split())
            self.assertIn(f"synthoscope {command}".replace("-", "\\-"), page)
            for section in (".SH NAME", ".SH OPTIONS", ".SH EXIT STATUS"):
                if command != "plan" or section != ".SH OPTIONS":
                    self.assertIn(section, page)

    @unittest.skipUnless(shutil.which("man") and shutil.which("groff"), "man or groff is not here")
    def test_render_without_a_warning_and_say_what_the_help_says(self):
        for command in ["", *self.succeed("--list-commands").splitlines()]:
            with self.subTest(command):
                page = self.text("page.1", self.succeed("--man", *command.split()))
                shown = subprocess.run(["man", "--warnings", "-l", self.path(page)], text=True,
                                       env={**os.environ, "MANWIDTH": "200", "LC_ALL": "C.UTF-8"},
                                       capture_output=True, check=True)
                self.assertEqual(shown.stderr, "")
                options = [line.split()[0].rstrip(",")
                           for line in self.succeed(*command.split(), "--help").splitlines()
                           if line.startswith("  -")]
                for option in options:
                    self.assertIn(option, shown.stdout)

    def test_of_what_is_no_command_are_refused(self):
        result = self.command("--man", "bake")
        self.assertEqual(result.returncode, 2)
        self.assertIn("--list-commands", result.stderr)


class Completion(ProgramTest):
    """What a shell offers behind words of a command line, the last of which is being typed."""

    def setUp(self):
        super().setUp()
        for name in ("one.tif", "two words.tif"):
            self.text(name, "")
        os.mkdir(self.path("folder"))

    def script(self, shell):
        return self.text(f"{shell}_script", self.succeed("--completion", shell))

    def shown_by(self, *command):
        result = subprocess.run(command, cwd=self.folder, text=True, capture_output=True,
                                env={**self.environment(), "HOME": self.folder}, check=False)
        self.assertEqual(result.stderr, "")
        self.assertEqual(result.returncode, 0)
        return result.stdout.splitlines()

    def test_of_another_shell_is_refused(self):
        result = self.command("--completion", "dash")
        self.assertEqual(result.returncode, 2)
        self.assertIn("bash, zsh and fish", result.stderr)

    def bash_offers(self, *words):
        return self.shown_by(
            "bash", "--norc", "-c",
            'source "$1"; shift; COMP_WORDS=(synthoscope "$@"); COMP_CWORD=$#; _synthoscope; '
            'printf "%s\\n" "${COMPREPLY[@]}"', "bash", self.script("bash"), *words)

    def test_in_bash(self):
        cases = [
            (["convo"], ["convolve"]),
            (["words", "c"], ["classify", "compare"]),
            (["plan", ""], ["convolve", "simulate", "--help"]),
            (["--ver"], ["--version"]),
            (["--completion", ""], ["bash", "zsh", "fish"]),
            (["convolve", "--bound"], ["--boundary"]),
            (["plan", "convolve", "--bound"], ["--boundary"]),
            (["words", "train", "--bank", "l"], ["lm"]),
            (["convolve", "--boundary", "n"], ["nearest"]),
            (["convolve", "--boundary", "=", "w"], ["wrap"]),
            (["convolve", "--boundary", "="], ["zero", "nearest", "reflect", "mirror", "wrap"]),
            (["convolve", "--kernel-background", ""], ["auto", "none"]),
            (["convolve", "--threads", ""], [""]),
            (["convolve", "two"], ["two words.tif"]),
            (["convolve", "one.tif", "-o", "on"], ["one.tif"]),
            (["simulate", "scene.toml", "-o", ""], ["folder"]),
            (["psf", "--file", "on"], ["one.tif"]),
        ]
        for words, offered in cases:
            with self.subTest(words):
                self.assertEqual(self.bash_offers(*words), offered)

    def test_in_bash_knows_every_option_of_every_command(self):
        for command in self.succeed("--list-commands").splitlines():
            if command == "plan":
                continue
            with self.subTest(command):
                text = self.succeed(*command.split(), "--help").splitlines()
                options = {word for line in text if line.startswith("  -")
                           for word in line.replace(",", " ").split() if word.startswith("--")}
                self.assertEqual(set(self.bash_offers(*command.split(), "-")),
                                 options | {"--help"})

    @unittest.skipUnless(shutil.which("zsh"), "zsh is not here")
    def test_in_zsh(self):
        script = self.script("zsh")
        self.shown_by("zsh", "-n", self.path(script))

        def offers(*words):
            return self.shown_by("zsh", "-fc", f'{STUBBED_ZSH}source "$1"; shift; '
                                 'words=(synthoscope "$@"); CURRENT=$#words; _synthoscope',
                                 "zsh", self.path(script), *words)
        self.assertIn("convolve:Convolves an image with a kernel, both files of any size",
                      offers(""))
        self.assertEqual([word.split(":")[0] for word in offers("words", "")],
                         ["train", "assign", "classify", "compare"])
        for words in (["convolve", ""], ["plan", "convolve", "-"]):
            self.assertIn("--tiff-flavor[metadata of a TIFF\\: OME-XML, ImageJ's, or "
                          "none]:ome|imagej|plain:(ome imagej plain)", offers(*words))
        self.assertTrue(any(line.startswith("--bank[") for line in offers("words", "train", "-")))

    @unittest.skipUnless(shutil.which("fish"), "fish is not here")
    def test_in_fish(self):
        script = self.script("fish")

        def offers(line):
            shown = self.shown_by("fish", "--no-config", "-c",
                                  "source $argv[1]; complete -C $argv[2]", script, line)
            return [word.split("\t")[0] for word in shown]
        self.assertEqual(offers("synthoscope convo"), ["convolve"])
        self.assertEqual(set(offers("synthoscope words c")), {"classify", "compare"})
        self.assertEqual(set(offers("synthoscope plan ")), {"convolve", "simulate"})
        for before in ("", "plan "):
            self.assertEqual(offers(f"synthoscope {before}convolve --boundary n"), ["nearest"])
        self.assertEqual(offers("synthoscope convolve one.tif --bound"), ["--boundary"])
        self.assertEqual(offers("synthoscope simulate scene.toml -o f"), ["folder/"])


if __name__ == "__main__":
    assert os.access(PROGRAM, os.X_OK)
    main()
