# SPDX-License-Identifier: MIT
# python/wheel/third_party.py — whose work a wheel carries, and under which terms.
"""A library that is not in the tables is not let into a wheel: look at its licence first. None of
the GPL is among them, so that the wheel stays under permissive terms."""
import glob
import os
import re
import shutil
import subprocess
import sys
import tempfile

# Libraries that lie in a wheel as files: the name there, its terms, a header of the package that
# words them
BUNDLED = {
    "Lerc": ("Apache-2.0", "Lerc_c_api.h"),
    "blosc": ("BSD-3-Clause", "blosc.h"),
    "deflate": ("MIT", "libdeflate.h"),
    "fmt": ("MIT", "fmt/core.h"),
    "hdf5": ("BSD-3-Clause", "hdf5.h"),
    "jpeg": ("IJG AND BSD-3-Clause AND Zlib", "jpeglib.h"),
    "lz4": ("BSD-2-Clause", "lz4.h"),
    "lzma": ("public domain", "lzma.h"),
    "png16": ("libpng-2.0", "png.h"),
    "pugixml": ("MIT", "pugixml.hpp"),
    "sharpyuv": ("BSD-3-Clause", "webp/decode.h"),
    "snappy": ("BSD-3-Clause", "snappy.h"),
    "tbb": ("Apache-2.0", "tbb/tbb.h"),
    "tiff": ("libtiff", "tiffio.h"),
    "tomlplusplus": ("MIT", "toml++/toml.h"),
    "webp": ("BSD-3-Clause", "webp/decode.h"),
    "xxhash": ("BSD-2-Clause", "xxhash.h"),
    "zstd": ("BSD-3-Clause", "zstd.h"),
}

# Of which parts are compiled into the module
COMPILED_IN = {
    "Boost": ("BSL-1.0, which asks nothing of compiled code", None),
    "nanobind": ("BSD-3-Clause", "nanobind-*.dist-info/licenses/LICENSE"),
    "nlohmann-json": ("MIT", "nlohmann/json.hpp"),
    "robin-map": ("MIT", "nanobind/ext/robin_map/include/tsl/robin_map.h"),
    "toml++": ("MIT", "toml++/toml.h"),
}

PAGE = """# Work of others in this wheel

synthoscope is under the MIT licence, LICENSE beside this file. These travel with it, each under the
terms in the file of its name.

| | terms | where |
|---|---|---|
{rows}
"""


def add_licences(wheel, tools):
    """Puts the terms of all that `wheel` carries into it. Ends the program where a library is none
    of those above."""
    with tempfile.TemporaryDirectory() as scratch:
        run_wheel(tools, "unpack", "-d", scratch, wheel)
        [content] = glob.glob(os.path.join(scratch, "*"))
        [folder] = glob.glob(os.path.join(content, "*.dist-info", "licenses"))
        libraries = names_of(glob.glob(os.path.join(content, "*.libs", "*.so*")))
        if strangers := unknown(libraries):
            sys.exit(f"wheel: it would carry {', '.join(strangers)}, whose licence nobody looked "
                     "at; do so, and add a row to python/wheel/third_party.py")
        rows = [(name, BUNDLED[name], "a file") for name in libraries]
        rows += [(name, terms, "compiled in") for name, terms in COMPILED_IN.items()]
        for name, (_, where), _ in rows:
            if where:
                shutil.copy(words_of(where, tools), os.path.join(folder, f"{name}.txt"))
        with open(os.path.join(folder, "THIRD_PARTY.md"), "w", encoding="utf-8") as page:
            page.write(PAGE.format(rows="\n".join(
                f"| {name} | {terms} | {where} |" for name, (terms, _), where in rows)))
        run_wheel(tools, "pack", "-d", os.path.dirname(wheel), content)


def names_of(paths):
    """tbb of libtbb-3b1f2c4d.so.12, in order, each once."""
    names = [re.match(r"(?:lib)?(.+?)(?:-[0-9a-f]{8})?\.so", os.path.basename(path)).group(1)
             for path in paths]
    return sorted(set(names))


def unknown(names):
    """Those that are in no table."""
    return [name for name in names if name not in BUNDLED]


def words_of(where, tools):
    """The file that holds the terms: of a module of the environment, or of an installed package."""
    modules = os.path.join(os.path.dirname(tools), "lib", "python*", "site-packages")
    if found := glob.glob(os.path.join(modules, where)):
        return found[0]
    owner = subprocess.run(["dpkg-query", "-S", "*/include/" + where, "*/include/*/" + where],
                           capture_output=True, text=True, check=False).stdout
    return f"/usr/share/doc/{re.match('[^:,]+', owner).group()}/copyright"


def run_wheel(tools, *arguments):
    subprocess.run([os.path.join(tools, "wheel"), *arguments], check=True,
                   stdout=subprocess.DEVNULL)
