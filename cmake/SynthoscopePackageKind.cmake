# Read by cpack for each kind of package: an archive brings the libraries along.
if(CPACK_GENERATOR MATCHES "TGZ")
  list(APPEND CPACK_COMPONENTS_ALL libraries)
  set(CPACK_COMPONENT_INCLUDE_TOPLEVEL_DIRECTORY ON)
endif()
