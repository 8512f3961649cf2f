# Every third-party library, in one place. The installed package reads this file too, so that a
# project which finds synthoscope finds the same targets.
include(CMakeFindDependencyMacro)

find_dependency(Threads)
find_dependency(TBB)
find_dependency(fmt)
find_dependency(TIFF)
find_dependency(PNG)
find_dependency(pugixml)
find_dependency(tomlplusplus)
find_dependency(nlohmann_json)
find_dependency(Boost COMPONENTS program_options)
if(SYNTHOSCOPE_CUDA)
  find_dependency(CUDAToolkit)
endif()

if(SYNTHOSCOPE_HAS_MPI)
  find_dependency(MPI COMPONENTS CXX)
endif()

# No package files of CMake come with these.
find_dependency(PkgConfig)
if(NOT TARGET PkgConfig::HDF5)
  pkg_search_module(HDF5 REQUIRED IMPORTED_TARGET GLOBAL hdf5-serial hdf5)
  pkg_check_modules(BLOSC REQUIRED IMPORTED_TARGET GLOBAL blosc)
  pkg_check_modules(LIBDEFLATE REQUIRED IMPORTED_TARGET GLOBAL libdeflate)
  pkg_check_modules(LIBZSTD REQUIRED IMPORTED_TARGET GLOBAL libzstd)
endif()
