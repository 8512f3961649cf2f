# Installs BUILD below SCRATCH, then configures, builds and runs CONSUMER against it.
function(run)
  execute_process(COMMAND ${ARGV} COMMAND_ERROR_IS_FATAL ANY)
endfunction()

file(REMOVE_RECURSE "${SCRATCH}/prefix" "${SCRATCH}/consumer")
run(${CMAKE_COMMAND} --install "${BUILD}" --prefix "${SCRATCH}/prefix")
run(${CMAKE_COMMAND} -S "${CONSUMER}" -B "${SCRATCH}/consumer" -G "${GENERATOR}"
  -D "CMAKE_PREFIX_PATH=${SCRATCH}/prefix" -D "CMAKE_CXX_COMPILER=${CXX}"
  -D CMAKE_BUILD_TYPE=Release)
run(${CMAKE_COMMAND} --build "${SCRATCH}/consumer")
run("${SCRATCH}/consumer/consumer")
run("${SCRATCH}/consumer/one_frame")
run("${SCRATCH}/prefix/bin/synthoscope" --version)
