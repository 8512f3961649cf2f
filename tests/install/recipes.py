# SPDX-License-Identifier: MIT
# tests/install/recipes.py — recipes of package managers name this version and every library.
import ast
import os
import re
import sys

ROOT = os.path.normpath(os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", ".."))
CONDA, SPACK = "packaging/conda/meta.yaml", "packaging/spack/package.py"

# What CMake looks for -> what conda-forge and Spack call it; None is part of the compiler, or left
# out there.
NAMES = {
    "Threads": (None, None), "PkgConfig": ("pkg-config", "pkgconfig"),
    "TBB": ("tbb-devel", "intel-oneapi-tbb"), "fmt": ("fmt", "fmt"),
    "TIFF": ("libtiff", "libtiff"), "PNG": ("libpng", "libpng"),
    "GIF": ("giflib", "giflib"), "Eigen3": ("eigen", "eigen"),
    "pugixml": ("pugixml", "pugixml"), "tomlplusplus": ("tomlplusplus", "tomlplusplus"),
    "nlohmann_json": ("nlohmann_json", "nlohmann-json"),
    "Boost": ("libboost-devel", "boost+program_options"), "HDF5": ("hdf5", "hdf5"),
    "BLOSC": ("blosc", "c-blosc"), "LIBDEFLATE": ("libdeflate", "libdeflate"),
    "LIBXXHASH": ("xxhash", "xxhash"), "LIBZSTD": ("zstd", "zstd"),
    "HTTPLIB": (None, None),  # they have other versions of it; `studio` is left out
    "FFTW": (None, None), "FFTWF": (None, None),  # only the GPL lets recipes have it
    "CUDAToolkit": (None, "cuda"), "MPI": (None, "mpi"),
}


def text_of(path):
    with open(os.path.join(ROOT, path), encoding="utf-8") as file:
        return file.read()


def complaints():
    conda, spack = text_of(CONDA), text_of(SPACK)
    version = re.search(r"project\(synthoscope VERSION (\S+)", text_of("CMakeLists.txt"))[1]
    if f'version = "{version}"' not in conda:
        yield f"{CONDA} is not of version {version}"
    if f'version("{version}")' not in spack:
        yield f"{SPACK} is not of version {version}"
    in_conda = re.findall(r"^    - ([\w-]+)", conda, re.MULTILINE)
    in_spack = [call.args[0].value for call in ast.walk(ast.parse(spack))
                if isinstance(call, ast.Call) and getattr(call.func, "id", "") == "depends_on"]
    wanted = re.findall(r"(?:find_dependency|pkg_(?:check_modules|search_module))\((\w+)",
                        text_of("cmake/SynthoscopeDependencies.cmake"))
    for name in wanted:
        if name not in NAMES:
            yield f"tests/install/recipes.py does not know what recipes call {name}"
            continue
        for recipe, has, known in zip((CONDA, SPACK), (in_conda, in_spack), NAMES[name]):
            if known and known not in has:
                yield f"{recipe} lacks {known}, which CMake looks for as {name}"
    if len(wanted) < 10:
        yield "cmake/SynthoscopeDependencies.cmake was not understood"


if __name__ == "__main__":
    found = list(complaints())
    print("\n".join(found) or "recipes: no complaints")
    sys.exit(1 if found else 0)
