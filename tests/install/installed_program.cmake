# Installs what packages hold into a folder below SCRATCH, moves it, and runs the program there,
# with the libraries that it brought along.
function(run)
  execute_process(COMMAND ${ARGV} COMMAND_ERROR_IS_FATAL ANY)
endfunction()

file(REMOVE_RECURSE "${SCRATCH}/packed" "${SCRATCH}/moved")
foreach(component program pages libraries)
  run(${CMAKE_COMMAND} --install "${BUILD}" --prefix "${SCRATCH}/packed" --component ${component})
endforeach()
file(RENAME "${SCRATCH}/packed" "${SCRATCH}/moved")

foreach(file bin/synthoscope share/man/man1/synthoscope-convolve.1
    share/bash-completion/completions/synthoscope share/doc/synthoscope/copyright
    share/doc/synthoscope/examples/first.toml share/doc/synthoscope/examples/neuron.swc)
  if(NOT EXISTS "${SCRATCH}/moved/${file}")
    message(FATAL_ERROR "${file} is not among what is installed")
  endif()
endforeach()

# Every library that was brought along is the one that is loaded
file(GLOB brought "${SCRATCH}/moved/${LIBDIR}/*.so*")
execute_process(COMMAND ldd "${SCRATCH}/moved/bin/synthoscope" OUTPUT_VARIABLE loaded
  COMMAND_ERROR_IS_FATAL ANY)
if(NOT brought MATCHES "libtiff")
  message(FATAL_ERROR "libtiff was not brought along, but only: ${brought}")
endif()
foreach(library ${brought})
  get_filename_component(name "${library}" NAME)
  string(REGEX REPLACE "([.+])" "[\\1]" pattern "${name}")
  if(loaded MATCHES "${pattern} => /" AND
      NOT loaded MATCHES "${pattern} => [^\n]*moved/bin/[.][.]/")
    message(FATAL_ERROR "${name} of another place is loaded:\n${loaded}")
  endif()
endforeach()
run("${SCRATCH}/moved/bin/synthoscope" simulate
  "${SCRATCH}/moved/share/doc/synthoscope/examples/first.toml" --print-config)
