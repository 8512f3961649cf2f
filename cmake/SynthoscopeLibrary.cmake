# One library per folder. Adds synthoscope::<name> whose headers are includable as "<name>/...".
#
#   synthoscope_library(fftconv HEADERS plan.hpp SOURCES planner.cpp DEPENDS synthoscope::imageio)
#
# PUBLIC_HEADERS are for users: docs/reference/cpp.md describes them. HEADERS are installed too,
# because public headers include them; installed headers include only installed ones. A library
# without PUBLIC_HEADERS offers all its HEADERS. PRIVATE_HEADERS stay in the source tree.
# tests/lint/installed.py checks this.
#
# Each header stands alone: it is the first that its own source includes; those without a source are
# compiled by themselves. PRIVATE_DEPENDS are linked but seen by no header.

add_library(synthoscope_warnings INTERFACE)
# clang also warns where a name is that of a type in another file of the same unit, of signs, and of
# pragmas for GCC
target_compile_options(synthoscope_warnings INTERFACE
  -Wall -Wextra -Wconversion $<$<CXX_COMPILER_ID:GNU>:-Wshadow>
  $<$<CXX_COMPILER_ID:Clang>:-Wno-sign-conversion> $<$<CXX_COMPILER_ID:Clang>:-Wno-unknown-pragmas>)
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU" AND CMAKE_CXX_COMPILER_VERSION VERSION_LESS 13)
  # It warns of an assignment of a literal to std::string (GCC bug 105651)
  target_compile_options(synthoscope_warnings INTERFACE -Wno-restrict)
endif()
if(SYNTHOSCOPE_WERROR)
  target_compile_options(synthoscope_warnings INTERFACE -Werror)
endif()

# Results must not depend on which multiply-adds a compiler chose to fuse.
add_library(synthoscope_reproducible INTERFACE)
target_compile_options(synthoscope_reproducible INTERFACE -ffp-contract=off)

# For people who build all files once, headers are read once for several files. Who builds again and
# again has a compiler cache, which wants every file alone.
function(synthoscope_build_once target)
  if(CMAKE_CXX_COMPILER_LAUNCHER OR NOT SYNTHOSCOPE_UNITY)
    return()
  endif()
  set_target_properties(${target} PROPERTIES UNITY_BUILD ON UNITY_BUILD_BATCH_SIZE 40)
  # Types of an unnamed namespace in templates: each file is its own again as far as these go
  target_compile_options(${target} PRIVATE $<$<CXX_COMPILER_ID:GNU>:-Wno-subobject-linkage>)
endfunction()

# Sets `variable` to the headers that no source of the same name includes first.
function(synthoscope_headers_without_source variable headers sources)
  set(without_source "")
  foreach(header IN LISTS headers)
    string(REGEX REPLACE "hpp$" "cpp" source "${header}")
    if(NOT source IN_LIST sources)
      list(APPEND without_source ${header})
    endif()
  endforeach()
  set(${variable} "${without_source}" PARENT_SCOPE)
endfunction()

function(synthoscope_library name)
  cmake_parse_arguments(PARSE_ARGV 1 arg "" ""
    "PUBLIC_HEADERS;HEADERS;PRIVATE_HEADERS;SOURCES;DEPENDS;PRIVATE_DEPENDS")
  add_library(synthoscope_${name} STATIC)
  add_library(synthoscope::${name} ALIAS synthoscope_${name})
  set_property(GLOBAL APPEND PROPERTY SYNTHOSCOPE_LIBRARIES ${name})
  set(installed ${arg_PUBLIC_HEADERS} ${arg_HEADERS})
  synthoscope_headers_without_source(without_source "${installed}" "${arg_SOURCES}")
  set(with_source ${installed})
  list(REMOVE_ITEM with_source ${without_source} "")
  target_sources(synthoscope_${name}
    PUBLIC FILE_SET HEADERS BASE_DIRS "${PROJECT_SOURCE_DIR}" FILES ${with_source}
    PUBLIC FILE_SET without_source TYPE HEADERS BASE_DIRS "${PROJECT_SOURCE_DIR}"
           FILES ${without_source}
    PRIVATE FILE_SET private_headers TYPE HEADERS BASE_DIRS "${PROJECT_SOURCE_DIR}"
            FILES ${arg_PRIVATE_HEADERS}
    PRIVATE ${arg_SOURCES})
  target_compile_features(synthoscope_${name} PUBLIC cxx_std_20)
  target_link_libraries(synthoscope_${name}
    PUBLIC ${arg_DEPENDS}
    PRIVATE ${arg_PRIVATE_DEPENDS}
            $<BUILD_INTERFACE:synthoscope_warnings> $<BUILD_INTERFACE:synthoscope_reproducible>)
  synthoscope_build_once(synthoscope_${name})
  set_target_properties(synthoscope_${name} PROPERTIES
    EXPORT_NAME ${name} VERIFY_INTERFACE_HEADER_SETS ON
    INTERFACE_HEADER_SETS_TO_VERIFY without_source POSITION_INDEPENDENT_CODE ON)
  install(TARGETS synthoscope_${name} EXPORT synthoscope
    FILE_SET HEADERS DESTINATION include/synthoscope
    FILE_SET without_source DESTINATION include/synthoscope)
  synthoscope_verify_private_headers(
    ${name} "${arg_PRIVATE_HEADERS}" "${arg_SOURCES}" "${arg_PRIVATE_DEPENDS}")
endfunction()

# CMake verifies headers of an interface only, so the private ones get a target whose interface they
# are, and which sees what the sources see. Nothing links to it.
function(synthoscope_verify_private_headers name headers sources depends)
  synthoscope_headers_without_source(without_source "${headers}" "${sources}")
  if(NOT without_source)
    return()
  endif()
  set(target synthoscope_${name}_private_headers)
  add_library(${target} INTERFACE)
  target_sources(${target} INTERFACE
    FILE_SET HEADERS BASE_DIRS "${PROJECT_SOURCE_DIR}" FILES ${without_source})
  target_link_libraries(${target} INTERFACE synthoscope_${name} ${depends})
  set_target_properties(${target} PROPERTIES VERIFY_INTERFACE_HEADER_SETS ON)
endfunction()

# Most of the time of a test is spent in the libraries, so its own code is compiled quickly rather
# than well. At -O1 GCC warns of bounds where two std::string are added.
function(synthoscope_compile_quickly target)
  set(options -O1)
  if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
    list(APPEND options -Wno-array-bounds -Wno-stringop-overread -Wno-stringop-overflow)
  endif()
  target_compile_options(${target} PRIVATE "$<$<CONFIG:Release>:${options}>")
  if(NOT CMAKE_CXX_COMPILER_LAUNCHER)
    target_precompile_headers(${target} PRIVATE <gtest/gtest.h>)
  endif()
endfunction()

# One GoogleTest program per mirrored folder: synthoscope_test(core SOURCES box_test.cpp ...).
# The case tables get warnings too; test data folders arrive through the environment.
function(synthoscope_test name)
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "" "SOURCES;DEPENDS")
  add_executable(${name}_test ${arg_SOURCES})
  target_include_directories(${name}_test PRIVATE "${PROJECT_SOURCE_DIR}")
  target_link_libraries(${name}_test PRIVATE synthoscope::${name} ${arg_DEPENDS}
    GTest::gtest_main synthoscope_warnings synthoscope_reproducible)
  synthoscope_compile_quickly(${name}_test)
  gtest_discover_tests(${name}_test TEST_PREFIX "${name}." NO_PRETTY_VALUES
    DISCOVERY_TIMEOUT 3600 PROPERTIES LABELS unit)
  add_dependencies(unit_tests ${name}_test)
endfunction()
