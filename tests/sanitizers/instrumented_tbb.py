# SPDX-License-Identifier: MIT
# tests/sanitizers/instrumented_tbb.py — oneTBB as the thread sanitizer wants it:
#
#   instrumented_tbb.py FOLDER
#
# The sanitizer has to see every lock and atomic. What the distribution's library does is hidden
# from it, so that all that threads hand to each other there looks like a race. This one is built
# of the distribution's own sources, into FOLDER/prefix, where the preset tsan looks for it.
import os
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(1, os.path.join(HERE, "..", "..", "packaging"))
from distribution_sources import build, source_of

OPTIONS = ["-DTBB_TEST=OFF", "-DTBB_STRICT=OFF", "-DTBBMALLOC_BUILD=OFF", "-DTBB_SANITIZE=thread"]


def main():
    folder = os.path.abspath(sys.argv[1])
    prefix = os.path.join(folder, "prefix")
    if not os.path.exists(os.path.join(prefix, "lib", "libtbb.so")):
        print("Building oneTBB with the thread sanitizer.", flush=True)
        os.makedirs(folder, exist_ok=True)
        build(source_of("onetbb", folder), os.path.join(folder, "onetbb-build"), prefix, OPTIONS)


if __name__ == "__main__":
    main()
