# SPDX-License-Identifier: MIT
# packaging/spack/package.py — for Spack, from a checkout: docs/do/install.md
from spack.package import *
from spack_repo.builtin.build_systems.cmake import CMakePackage, generator


class Synthoscope(CMakePackage):
    """Microscopy images with exact ground truth, and convolution of any size."""

    license("MIT")

    version("0.1.0")

    variant("mpi", default=False, description="Share convolutions among processes by MPI")
    variant("cuda", default=False, description="Use NVIDIA GPUs")

    depends_on("cxx", type="build")
    depends_on("cmake@3.25:", type="build")
    depends_on("ninja", type="build")
    depends_on("pkgconfig", type="build")
    depends_on("boost+program_options")
    depends_on("c-blosc")
    depends_on("fmt")
    depends_on("eigen")
    depends_on("giflib")
    depends_on("hdf5")
    depends_on("intel-oneapi-tbb")
    depends_on("libdeflate")
    depends_on("libpng")
    depends_on("libtiff")
    depends_on("nlohmann-json")
    depends_on("pugixml")
    depends_on("tomlplusplus")
    depends_on("xxhash")
    depends_on("zstd")
    depends_on("mpi", when="+mpi")
    depends_on("cuda", when="+cuda")

    generator("ninja")

    def cmake_args(self):
        return [self.define("SYNTHOSCOPE_TESTS", False),
                self.define_from_variant("SYNTHOSCOPE_MPI", "mpi"),
                self.define_from_variant("SYNTHOSCOPE_CUDA", "cuda")]
