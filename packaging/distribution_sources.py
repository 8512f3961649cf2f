# SPDX-License-Identifier: MIT
# packaging/distribution_sources.py — libraries built otherwise than the distribution builds them,
# from its own sources with its own patches.
import glob
import os
import re
import subprocess


def run(command, **named):
    subprocess.run(command, check=True, **named)


def source_of(name, folder):
    """The unpacked sources of a package, in `folder`, with the distribution's patches. Needs
    dpkg-source and the network that apt-get needs; what apt knows of the machine stays as it is."""
    lists = os.path.join(folder, "apt-lists")
    os.makedirs(os.path.join(lists, "partial"), exist_ok=True)
    apt = ["apt-get", "-qq", "-o", "Dir::Etc::SourceList=/dev/null",
           "-o", f"Dir::Etc::SourceParts={sources_of_the_distribution(folder)}",
           "-o", f"Dir::State::Lists={lists}", "-o", f"Dir::Cache={lists}",
           "-o", "APT::Sandbox::User=root"]
    run([*apt, "update"])
    run([*apt, "source", name], cwd=folder, stdout=subprocess.DEVNULL)
    [unpacked] = [path for path in glob.glob(os.path.join(folder, name + "-[0-9]*"))
                  if os.path.isdir(path)]
    return unpacked


def sources_of_the_distribution(folder):
    """A folder of apt's lists that names the sources of what the machine's lists name."""
    into = os.path.join(folder, "apt-sources")
    os.makedirs(into, exist_ok=True)
    for path in glob.glob("/etc/apt/sources.list") + glob.glob("/etc/apt/sources.list.d/*"):
        if path.endswith((".list", ".sources")):
            with open(path, encoding="utf-8") as file:
                text = file.read()
            text = re.sub(r"^deb ", "deb-src ", text, flags=re.MULTILINE)
            text = re.sub(r"^Types:.*", "Types: deb-src", text, flags=re.MULTILINE)
            with open(os.path.join(into, os.path.basename(path)), "w", encoding="utf-8") as file:
                file.write(text)
    return into


def build(source, folder, prefix, options):
    """Builds shared libraries of `source` in `folder` with CMake and installs them in `prefix`."""
    os.makedirs(folder, exist_ok=True)
    for command in (
            ["cmake", source, "-G", "Ninja", "-Wno-dev", "-DCMAKE_BUILD_TYPE=Release",
             "-DBUILD_SHARED_LIBS=ON", f"-DCMAKE_INSTALL_PREFIX={prefix}",
             "-DCMAKE_INSTALL_LIBDIR=lib", *options],
            ["cmake", "--build", ".", "--target", "install/strip"]):
        run(command, cwd=folder, stdout=subprocess.DEVNULL)
