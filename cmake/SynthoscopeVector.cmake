# synthoscope_per_vector_level(library file [OPTIONS option...]): compiles a source once per vector
# level of core/vector/vector_level.hpp, whose name it finds in SYNTHOSCOPE_VECTOR_LEVEL.
# `for_levels_here` chooses when the program runs.
set(SYNTHOSCOPE_VECTOR_LEVELS baseline)
if(CMAKE_SYSTEM_PROCESSOR MATCHES "x86_64|AMD64")
  list(APPEND SYNTHOSCOPE_VECTOR_LEVELS avx2 avx512)
endif()
set(SYNTHOSCOPE_VECTOR_OPTIONS_baseline "")
set(SYNTHOSCOPE_VECTOR_OPTIONS_avx2 -mavx2 -mfma)
set(SYNTHOSCOPE_VECTOR_OPTIONS_avx512 -mavx512f -mavx512bw -mavx512dq -mavx512vl -mfma)

function(synthoscope_per_vector_level library file)
  cmake_parse_arguments(PARSE_ARGV 2 arg "" "" "OPTIONS")
  string(REGEX REPLACE "\\.[a-z]+$" "" stem "${file}")
  foreach(level IN LISTS SYNTHOSCOPE_VECTOR_LEVELS)
    set(source "${CMAKE_CURRENT_BINARY_DIR}/${stem}_${level}.cpp")
    file(CONFIGURE OUTPUT "${source}" @ONLY CONTENT
"// Made by synthoscope_per_vector_level.
#define SYNTHOSCOPE_VECTOR_LEVEL @level@
#include \"@library@/@file@\"
")
    target_sources(synthoscope_${library} PRIVATE "${source}")
    set_source_files_properties("${source}" PROPERTIES
      COMPILE_OPTIONS "${arg_OPTIONS};${SYNTHOSCOPE_VECTOR_OPTIONS_${level}}")
  endforeach()
endfunction()
