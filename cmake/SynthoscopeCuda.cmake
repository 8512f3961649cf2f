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
