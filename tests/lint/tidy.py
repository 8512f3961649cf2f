# SPDX-License-Identifier: MIT
# tests/lint/tidy.py — runs clang-tidy over sources and headers; compiler errors count as findings.
#
#   tidy.py BUILD [FILE...]    BUILD holds compile_commands.json; without FILE, all of it is checked
import concurrent.futures
import json
import os
import re
import shlex
import subprocess
import sys
import time

ROOT = os.path.normpath(os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", ".."))
FINDING = re.compile(r"^(.+?):\d+:\d+: (?:warning|error): .*\[[\w.,-]+\]$")
INCLUDE = re.compile(r'^#include [<"](.+?)[>"]', re.MULTILINE)

# All files of a library compile as one (tests/lint/CMakeLists.txt). Others reuse names: of these,
# the last word before a value or a body is what a file declares outside of functions and classes.
REUSES_NAMES = ("python", "tests", "bench", "build")
DECLARED = re.compile(
    r"^(?!namespace|using n|template|INST|TEST)[A-Za-z][^\n(\[{=;]*?(\w+) ?[(\[{=;]", re.MULTILINE)

FILES_TOGETHER = 40


def sources_of(file):
    """Returns `file`, or what it includes if CMake wrote it for a unity build or a header."""
    if "/Unity/" not in file and "_verify_interface_header_sets/" not in file:
        return [file]
    with open(file, encoding="utf-8") as text:
        return [os.path.join(ROOT, name) for name in INCLUDE.findall(text.read())]


def options_of_files(build):
    """Returns {path below ROOT: options that matter to the reader of it}, in order of paths."""
    options = {}
    with open(os.path.join(build, "compile_commands.json"), encoding="utf-8") as file:
        commands = json.load(file)
    for command in commands:
        words = shlex.split(command["command"])
        wanted = [word for before, word in zip(words, words[1:])
                  if before == "-isystem" or re.match("-([IDfm]|std=|isystem)", word)]
        for source in sources_of(command["file"]):
            is_ours = source.startswith(ROOT) and "/site-packages/" not in source
            if is_ours and os.path.isfile(source):  # files that a build makes may be missing
                options.setdefault(os.path.relpath(source, ROOT), wanted)
    return dict(sorted(options.items()))


def checked_by(path, options):
    """Returns the file whose check covers `path`; for a header, its source or an includer."""
    source = re.sub(r"\.hpp$", ".cpp", path)
    if path in options or source in options:
        return path if path in options else source
    for source in options:
        with open(os.path.join(ROOT, source), encoding="utf-8") as text:
            if path in INCLUDE.findall(text.read()):
                return source
    return None


def units_of(paths, options, most):
    """Returns [(options, paths)]: files that are read together, because most of the time goes into
    headers that all of them include. They have the same options and declare no name twice."""
    units = []
    for path in paths:
        folder, names = path.split("/")[0], set()
        if folder in REUSES_NAMES:
            with open(os.path.join(ROOT, path), encoding="utf-8") as text:
                names.update(DECLARED.findall(text.read()))
        alike = (folder, options[path])
        for unit in units:
            if unit[0] == alike and len(unit[1]) < most and not names & unit[2]:
                break
        else:
            unit = (alike, [], set())
            units.append(unit)
        unit[1].append(path)
        unit[2].update(names)
    return [(alike[1], together) for alike, together, _ in units]


def header_filter(folders):
    """Returns the pattern of paths whose findings count. Files are checked as parts of a unit, so
    that clang-tidy takes all of them for headers."""
    return f"^{re.escape(ROOT)}/({'|'.join(sorted(folders))})/.*\\.[ch]pp$"


def clang_tidy(build, number, options, paths, pattern):
    """Returns {finding: lines that explain it}."""
    unit = os.path.join(build, "tidy", f"{number}.cpp")
    os.makedirs(os.path.dirname(unit), exist_ok=True)
    with open(unit, "w", encoding="utf-8") as file:
        file.writelines(f'#include "{path}"\n' for path in paths)
    ended = subprocess.run(
        ["clang-tidy-14", "--quiet", f"--config-file={ROOT}/.clang-tidy",
         f"--header-filter={pattern}", unit, "--", "-I", ROOT, *options,
         "-Wall", "-Wno-unknown-pragmas", "-ferror-limit=0"],
        cwd=build, capture_output=True, text=True, check=False)
    found = {}
    for line in ended.stdout.replace(ROOT + "/", "").splitlines():
        if FINDING.match(line):
            notes = found.setdefault(line, [])
        elif found:
            notes.append(line)
    if ended.returncode != 0 and not found:
        found[f"{' '.join(paths)}: clang-tidy ended with {ended.returncode}"] = [ended.stderr]
    return found


def check(build, number, options, paths, pattern):
    """Returns the findings in a unit. If it does not compile, each of its files is read alone."""
    started = time.monotonic()
    found = clang_tidy(build, number, options, paths, pattern)
    if len(paths) > 1 and any("[clang-diagnostic-error]" in finding for finding in found):
        found = {}
        for path in paths:
            found.update(clang_tidy(build, number, options, [path], pattern))
    shown = paths[0] if len(paths) == 1 else f"{paths[0]} and {len(paths) - 1} more"
    print(f"{shown}: {time.monotonic() - started:.0f} s, {len(found) or 'no'} findings", flush=True)
    return found


def main():
    started = time.monotonic()
    build = os.path.abspath(sys.argv[1])
    options = options_of_files(build)
    paths = list(options)
    if sys.argv[2:]:
        paths = sorted({checked_by(path, options) for path in sys.argv[2:]} - {None})
    pattern = header_filter({path.split("/")[0] for path in options} - {"build"})
    cores = len(os.sched_getaffinity(0))
    units = units_of(paths, options, min(FILES_TOGETHER, -(-len(paths) // cores)))
    found = {}
    with concurrent.futures.ThreadPoolExecutor(cores) as pool:
        for some in pool.map(lambda job: check(build, job[0], *job[1], pattern), enumerate(units)):
            found.update(some)
    for finding in sorted(found):
        print(finding, *found[finding], sep="\n", file=sys.stderr)
    print(f"tidy: {len(found) or 'no'} finding{'' if len(found) == 1 else 's'} "
          f"in {len(paths)} files, {time.monotonic() - started:.0f} s")
    sys.exit(1 if found else 0)


if __name__ == "__main__":
    main()
