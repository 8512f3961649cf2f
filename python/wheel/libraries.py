# SPDX-License-Identifier: MIT
# python/wheel/libraries.py — libtiff and HDF5 for wheels, from the distribution's own sources.
"""What the distribution builds would not do: its libtiff reads JBIG by a library under the GPL, and
its HDF5 reads from S3 by 30 more libraries. These are without, of the same sources and patches."""
import glob
import os
import re
import subprocess

# Source package, what is built of it, and what must not be in it
SOURCES = {
    "tiff": ["-Djbig=OFF", "-Dtiff-tools=OFF", "-Dtiff-tests=OFF", "-Dtiff-contrib=OFF",
             "-Dtiff-docs=OFF", "-Dtiff-opengl=OFF", "-Dcxx=OFF"],
    "hdf5": ["-DHDF5_ENABLE_THREADSAFE=ON", "-DHDF5_ENABLE_Z_LIB_SUPPORT=ON",
             "-DHDF5_BUILD_TOOLS=OFF", "-DHDF5_BUILD_UTILS=OFF", "-DHDF5_BUILD_EXAMPLES=OFF",
             "-DHDF5_BUILD_HL_LIB=OFF", "-DONLY_SHARED_LIBS=ON", "-DBUILD_TESTING=OFF"],
}

# Found before the distribution's own, whose name it has
HDF5_FOR_PKG_CONFIG = """Name: HDF5
Description: Hierarchical data
Version: {version}
Cflags: -I{prefix}/include
Libs: -L{prefix}/lib -lhdf5
"""


def libraries_for_wheels(folder):
    """The prefix that the libraries are installed in, below `folder`; built where not there yet."""
    folder = os.path.abspath(folder)
    prefix = os.path.join(folder, "prefix")
    for name, options in SOURCES.items():
        if not glob.glob(os.path.join(prefix, "lib", f"lib{name}.so")):
            print(f"Building {name} without what wheels may not carry.", flush=True)
            build(source_of(name, folder), os.path.join(folder, name + "-build"), prefix, options)
    describe_hdf5(prefix)
    return prefix


def run(command, **named):
    subprocess.run(command, check=True, **named)


def source_of(name, folder):
    """The unpacked sources, with the distribution's patches."""
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
    os.makedirs(folder, exist_ok=True)
    for command in (
            ["cmake", source, "-G", "Ninja", "-Wno-dev", "-DCMAKE_BUILD_TYPE=Release",
             "-DBUILD_SHARED_LIBS=ON", f"-DCMAKE_INSTALL_PREFIX={prefix}",
             "-DCMAKE_INSTALL_LIBDIR=lib", *options],
            ["cmake", "--build", ".", "--target", "install/strip"]):
        run(command, cwd=folder, stdout=subprocess.DEVNULL)


def describe_hdf5(prefix):
    folder = os.path.join(prefix, "lib", "pkgconfig")
    os.makedirs(folder, exist_ok=True)
    [library] = glob.glob(os.path.join(prefix, "lib", "libhdf5.so.*.*.*"))
    version = library.split(".so.")[1]
    with open(os.path.join(folder, "hdf5-serial.pc"), "w", encoding="utf-8") as file:
        file.write(HDF5_FOR_PKG_CONFIG.format(prefix=prefix, version=version))
