# Packages of the program for others: cpack -G DEB takes its libraries from Debian, cpack -G TGZ
# brings them along and runs wherever it is unpacked (docs/do/install.md).
set(CPACK_PACKAGE_NAME synthoscope)
set(CPACK_PACKAGE_VENDOR "The synthoscope authors")
set(CPACK_PACKAGE_CONTACT "The synthoscope authors <synthoscope@localhost>")
set(CPACK_RESOURCE_FILE_LICENSE "${PROJECT_SOURCE_DIR}/LICENSE")
set(CPACK_STRIP_FILES ON)
if(CMAKE_CROSSCOMPILING)
  set(CPACK_SYSTEM_NAME "${CMAKE_SYSTEM_NAME}-${CMAKE_SYSTEM_PROCESSOR}")
endif()
set(CPACK_VERBATIM_VARIABLES ON)
set(CPACK_COMPONENTS_GROUPING ALL_COMPONENTS_IN_ONE)
set(CPACK_COMPONENTS_ALL program pages)
set(CPACK_PROJECT_CONFIG_FILE "${CMAKE_CURRENT_LIST_DIR}/SynthoscopePackageKind.cmake")

set(CPACK_DEB_COMPONENT_INSTALL ON)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_SECTION science)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_PACKAGE_DESCRIPTION
"Simulates phantoms, the light that a lens makes of them, and the camera that
records it, with the truth of every voxel beside the image. Convolves,
deconvolves, filters and resamples images larger than memory.")
set(CPACK_PRE_BUILD_SCRIPTS "${CMAKE_CURRENT_LIST_DIR}/finish_debian_package.cmake")
set(CPACK_ARCHIVE_COMPONENT_INSTALL ON)

install(FILES "${PROJECT_SOURCE_DIR}/LICENSE" RENAME copyright
  DESTINATION "${CMAKE_INSTALL_DOCDIR}" COMPONENT pages)
install(DIRECTORY "${PROJECT_SOURCE_DIR}/examples" DESTINATION "${CMAKE_INSTALL_DOCDIR}"
  COMPONENT pages FILES_MATCHING PATTERN "*.toml" PATTERN "*.swc" PATTERN "*.csv")

# Only where asked for: cpack -G TGZ, or cmake --install BUILD --component libraries
configure_file(cmake/bundle_libraries.cmake.in bundle_libraries.cmake.in @ONLY)
file(GENERATE OUTPUT "${PROJECT_BINARY_DIR}/bundle_libraries.cmake"
  INPUT "${PROJECT_BINARY_DIR}/bundle_libraries.cmake.in")
install(SCRIPT "${PROJECT_BINARY_DIR}/bundle_libraries.cmake"
  COMPONENT libraries EXCLUDE_FROM_ALL)

include(CPack)
