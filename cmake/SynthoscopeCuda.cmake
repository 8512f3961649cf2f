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

# synthoscope_device_code(folder file... [SHARED path...] [OPTIONS option...]): device code travels
# as text inside the library, and is compiled with these options of NVRTC when a device wants it.
# device_library(), which programs.hpp in `folder` declares, has these files of the library (whose
# CMakeLists.txt this is), and the files of the project that device code shares with the host.
function(synthoscope_device_code code_folder)
  if(NOT SYNTHOSCOPE_CUDA)
    return()
  endif()
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "" "SHARED;OPTIONS")
  string(REGEX REPLACE "/.*" "" library "${code_folder}")
  set(device_sources "")
  list(TRANSFORM arg_UNPARSED_ARGUMENTS PREPEND "${library}/")
  foreach(path IN LISTS arg_UNPARSED_ARGUMENTS arg_SHARED)
    set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS "${PROJECT_SOURCE_DIR}/${path}")
    file(READ "${PROJECT_SOURCE_DIR}/${path}" text)
    string(APPEND device_sources "\n      {\"${path}\", R\"device(${text})device\"},")
  endforeach()
  list(TRANSFORM arg_OPTIONS REPLACE "(.+)" "\"\\1\"")
  list(JOIN arg_OPTIONS ", " device_options)
  configure_file("${PROJECT_SOURCE_DIR}/cmake/device_library.cpp.in" device/library.cpp @ONLY)
  target_sources(synthoscope_${library} PRIVATE "${CMAKE_CURRENT_BINARY_DIR}/device/library.cpp")
endfunction()

# Options of device code that gives the host's bits: functions are the device's, and multiply-adds
# are fused only where the text says so.
set(SYNTHOSCOPE_HOSTS_BITS
  -default-device -fmad=false -ftz=false -prec-div=true -prec-sqrt=true)
