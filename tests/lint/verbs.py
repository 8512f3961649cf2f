# SPDX-License-Identifier: MIT
# tests/lint/verbs.py — the verbs that ./dev accepts are those that its help and CONTRIBUTING name.
import os
import re

from sources import lines_of, report, root_from_arguments


def text_of(root, path):
    return "\n".join(lines_of(root, path)) if os.path.exists(os.path.join(root, path)) else ""


def verbs_of_dev(root):
    """@returns the verbs of the help and those of main()"""
    text = text_of(root, "dev")
    usage = text[text.index("<<'TEXT'"):text.index("\nTEXT\n")]
    main = text[text.index("\nmain() {"):]
    return (set(re.findall(r"^  ([a-z][a-z0-9-]+)(?: |$)", usage, re.MULTILINE)),
            set(re.findall(r"^    ([a-z][a-z0-9-]+)\) ", main, re.MULTILINE)))


def complaints(root):
    described, accepted = verbs_of_dev(root)
    for verb in sorted(described ^ accepted):
        where = "its help" if verb in described else "main()"
        yield f"dev: {verb} is in {where} alone"
    named = set(re.findall(r"\./dev ([a-z][a-z0-9-]+)", text_of(root, "CONTRIBUTING.md")))
    for verb in sorted(named - accepted):
        yield f"CONTRIBUTING.md: ./dev has no verb {verb}"


if __name__ == "__main__":
    report("verbs", list(complaints(root_from_arguments())))
