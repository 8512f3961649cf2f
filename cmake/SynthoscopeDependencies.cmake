# Every third-party library, in one place. The installed package reads this file too, so that a
# project which finds synthoscope finds the same targets.
include(CMakeFindDependencyMacro)

find_dependency(Threads)
find_dependency(TBB)
find_dependency(fmt)
find_dependency(TIFF)
find_dependency(PNG)
find_dependency(GIF)
find_dependency(pugixml)
find_dependency(tomlplusplus)
find_dependency(nlohmann_json)
find_dependency(Boost COMPONENTS program_options)
find_dependency(Eigen3 NO_MODULE)
if(SYNTHOSCOPE_CUDA)
  find_dependency(CUDAToolkit)
endif()

if(SYNTHOSCOPE_HAS_MPI)
  find_dependency(MPI COMPONENTS CXX)
endif()

# No package files of CMake come with these.
find_dependency(PkgConfig)
if(NOT TARGET PkgConfig::BLOSC)
  pkg_search_module(HDF5 QUIET IMPORTED_TARGET GLOBAL hdf5-serial hdf5)
  pkg_check_modules(BLOSC REQUIRED IMPORTED_TARGET GLOBAL blosc)
  pkg_check_modules(LIBDEFLATE REQUIRED IMPORTED_TARGET GLOBAL libdeflate)
  pkg_check_modules(LIBXXHASH REQUIRED IMPORTED_TARGET GLOBAL libxxhash)
  pkg_check_modules(LIBZSTD REQUIRED IMPORTED_TARGET GLOBAL libzstd)
endif()

if(SYNTHOSCOPE_HAS_HTTP AND NOT TARGET PkgConfig::HTTPLIB)
  pkg_check_modules(HTTPLIB REQUIRED IMPORTED_TARGET GLOBAL "cpp-httplib>=0.11" "cpp-httplib<0.15")
endif()

if(SYNTHOSCOPE_FFTW AND NOT TARGET PkgConfig::FFTW)
  pkg_check_modules(FFTW REQUIRED IMPORTED_TARGET GLOBAL fftw3)
  pkg_check_modules(FFTWF REQUIRED IMPORTED_TARGET GLOBAL fftw3f)
endif()

# HDF5 tells pkg-config of itself in some builds only: not in that of conda-forge.
if(NOT TARGET PkgConfig::HDF5)
  find_path(SYNTHOSCOPE_HDF5_HEADERS hdf5.h REQUIRED)
  find_library(SYNTHOSCOPE_HDF5_LIBRARY hdf5 REQUIRED)
  add_library(PkgConfig::HDF5 INTERFACE IMPORTED GLOBAL)
  target_include_directories(PkgConfig::HDF5 INTERFACE "${SYNTHOSCOPE_HDF5_HEADERS}")
  target_link_libraries(PkgConfig::HDF5 INTERFACE "${SYNTHOSCOPE_HDF5_LIBRARY}")
endif()
