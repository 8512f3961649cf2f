# CUDA is used when it is found and never required. Device code is compiled when the program runs,
# for the device that is there: the build needs CUDA's headers and its static runtime, no compiler
# of its own. A program built with it starts on machines without a driver, and says so.
if(SYNTHOSCOPE_CUDA)
  find_package(CUDAToolkit 12.8 QUIET)  # the first whose runtime loads code from memory
  find_path(SYNTHOSCOPE_NVRTC_HEADER nvrtc.h HINTS ${CUDAToolkit_INCLUDE_DIRS})
  if(NOT TARGET CUDA::cudart_static OR NOT SYNTHOSCOPE_NVRTC_HEADER)
    set(SYNTHOSCOPE_CUDA OFF)
  endif()
endif()
message(STATUS "synthoscope: CUDA ${SYNTHOSCOPE_CUDA} ${CUDAToolkit_VERSION}")

# synthoscope_device_code(name file... [SHARED path...]): device code travels as text inside the
# library and is compiled when a device wants it. Puts the files of the library's folder device/
# behind device_sources(), which device/sources.hpp declares, and with them the files of the project
# that device code shares with the host.
function(synthoscope_device_code name)
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "" "SHARED")
  set(device_folder ${name})
  set(device_sources "")
  list(TRANSFORM arg_UNPARSED_ARGUMENTS PREPEND "${name}/device/")
  foreach(path IN LISTS arg_UNPARSED_ARGUMENTS arg_SHARED)
    set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS "${PROJECT_SOURCE_DIR}/${path}")
    file(READ "${PROJECT_SOURCE_DIR}/${path}" text)
    string(APPEND device_sources "\n      {\"${path}\", R\"device(${text})device\"},")
  endforeach()
  configure_file("${PROJECT_SOURCE_DIR}/cmake/device_sources.cpp.in" device/sources.cpp @ONLY)
  target_sources(synthoscope_${name} PRIVATE "${CMAKE_CURRENT_BINARY_DIR}/device/sources.cpp")
endfunction()
