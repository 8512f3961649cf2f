# SPDX-License-Identifier: MIT
# tests/docs/every_block.py — every block of code in README.md and docs/ is run by a test or says
# why not; a command cannot hide in a language that nobody runs.
import re
import sys
import tomllib

import blocks

RUN = ("console", "python")
SHOWN = ("", "text", "toml")  # output and formulas, how commands are used, parts of scenes
COMMAND = re.compile(r"^(\$ |\./dev|(synthoscope|python3?|pip|mpirun|sbatch|docker|apt-get) )",
                     re.MULTILINE)


def complaint_about(block):
    if block.language == "console" and not blocks.commands_of(block):
        return 'no line of it begins with "$ "'
    if block.language not in RUN + SHOWN:
        return f"nobody runs {block.language}: write it as {' or '.join(RUN)}"
    if block.language == "" and COMMAND.search(block.text):
        return "it shows a command: write it as console"
    if block.language == "toml":
        try:
            tomllib.loads(block.text)
        except tomllib.TOMLDecodeError as error:
            return f"it is no TOML: {error}"
    return None


def main():
    every = [block for page in blocks.pages() for block in blocks.blocks_of(page)]
    shown = [block for block in every if block.language in RUN]
    not_run = [block for block in shown if block.why_not]
    complaints = [(block, complaint_about(block)) for block in every]
    for block, complaint in complaints:
        if complaint:
            print(f"{block.place}: {complaint}")
    for block in not_run:
        print(f"{block.place} is not run: {block.why_not}")
    print(f"{len(shown) - len(not_run)} blocks are run, {len(not_run)} say why they are not")
    sys.exit(1 if not shown or any(complaint for _, complaint in complaints) else 0)


if __name__ == "__main__":
    main()
