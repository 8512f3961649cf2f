# Whether `studio` can serve its page: SYNTHOSCOPE_HAS_HTTP. Later versions of cpp-httplib than
# 0.14 have other signatures where studio/server/ derives from its classes.
set(SYNTHOSCOPE_HTTP AUTO CACHE STRING
  "Use cpp-httplib 0.11 to 0.14: ON, OFF, or AUTO where it is found")
set_property(CACHE SYNTHOSCOPE_HTTP PROPERTY STRINGS AUTO ON OFF)

set(SYNTHOSCOPE_HAS_HTTP OFF)
if(SYNTHOSCOPE_HTTP)
  find_package(PkgConfig QUIET)
  if(PkgConfig_FOUND)
    pkg_check_modules(HTTPLIB QUIET IMPORTED_TARGET GLOBAL "cpp-httplib>=0.11" "cpp-httplib<0.15")
  endif()
  if(HTTPLIB_FOUND)
    set(SYNTHOSCOPE_HAS_HTTP ON)
  elseif(NOT SYNTHOSCOPE_HTTP STREQUAL "AUTO")
    message(FATAL_ERROR "SYNTHOSCOPE_HTTP is ON, but there is no cpp-httplib 0.11 to 0.14: install "
      "libcpp-httplib-dev, or leave it at AUTO")
  endif()
endif()
message(STATUS "HTTP: ${SYNTHOSCOPE_HAS_HTTP}")
