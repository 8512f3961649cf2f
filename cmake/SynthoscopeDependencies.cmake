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

# Debian's FFTW ships a CMake package for neither precision, but pkg-config files for both.
find_dependency(PkgConfig)
foreach(precision fftw3 fftw3f)
  if(NOT TARGET PkgConfig::${precision})
    pkg_check_modules(${precision} REQUIRED IMPORTED_TARGET ${precision})
  endif()
endforeach()
