# Run by cpack -G DEB over what it has installed: as Debian wants it, manual pages are compressed,
# and programs look for libraries where the system has them alone.
if(CPACK_GENERATOR STREQUAL "DEB")
  file(GLOB_RECURSE pages "${CPACK_TEMPORARY_DIRECTORY}/*.1")
  execute_process(COMMAND gzip -9n ${pages} COMMAND_ERROR_IS_FATAL ANY)
  file(GLOB_RECURSE programs "${CPACK_TEMPORARY_DIRECTORY}/synthoscope")
  list(FILTER programs INCLUDE REGEX "/bin/synthoscope$")
  foreach(program IN LISTS programs)
    file(RPATH_REMOVE FILE "${program}")
  endforeach()
endif()
