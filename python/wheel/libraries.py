# SPDX-License-Identifier: MIT
# python/wheel/libraries.py — libtiff and HDF5 for wheels, from the distribution's own sources.
"""What the distribution builds would not do: its libtiff reads JBIG by a library under the GPL, and
its HDF5 reads from S3 by 30 more libraries. These are without, of the same sources and patches."""
import glob
import os
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(1, os.path.join(HERE, "..", "..", "packaging"))
from distribution_sources import build, source_of

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


def describe_hdf5(prefix):
    folder = os.path.join(prefix, "lib", "pkgconfig")
    os.makedirs(folder, exist_ok=True)
    [library] = glob.glob(os.path.join(prefix, "lib", "libhdf5.so.*.*.*"))
    version = library.split(".so.")[1]
    with open(os.path.join(folder, "hdf5-serial.pc"), "w", encoding="utf-8") as file:
        file.write(HDF5_FOR_PKG_CONFIG.format(prefix=prefix, version=version))
