# Install and export: find_package(synthoscope) gives synthoscope::core, ::imageio, ::fftconv and
# ::simulator.
include(CMakePackageConfigHelpers)
set(package_dir "${CMAKE_INSTALL_LIBDIR}/cmake/synthoscope")

install(EXPORT synthoscope NAMESPACE synthoscope:: DESTINATION "${package_dir}"
  FILE synthoscope-targets.cmake)
configure_package_config_file(cmake/synthoscope-config.cmake.in synthoscope-config.cmake
  INSTALL_DESTINATION "${package_dir}")
write_basic_package_version_file(synthoscope-config-version.cmake COMPATIBILITY SameMinorVersion)
install(FILES "${PROJECT_BINARY_DIR}/synthoscope-config.cmake"
              "${PROJECT_BINARY_DIR}/synthoscope-config-version.cmake"
              cmake/SynthoscopeDependencies.cmake
  DESTINATION "${package_dir}")
