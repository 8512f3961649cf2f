# Writes the manual pages and the completion of PROGRAM below INTO, where shells and man look.
function(write_page file)
  execute_process(COMMAND "${PROGRAM}" ${ARGN} OUTPUT_FILE "${file}" COMMAND_ERROR_IS_FATAL ANY)
endfunction()

file(REMOVE_RECURSE "${INTO}")
set(bash "${INTO}/bash-completion/completions")
set(zsh "${INTO}/zsh/site-functions")
set(fish "${INTO}/fish/vendor_completions.d")
file(MAKE_DIRECTORY "${INTO}/man/man1" "${bash}" "${zsh}" "${fish}")

write_page("${INTO}/man/man1/synthoscope.1" --man)
execute_process(COMMAND "${PROGRAM}" --list-commands OUTPUT_VARIABLE commands
  COMMAND_ERROR_IS_FATAL ANY)
string(REGEX MATCHALL "[^\n]+" commands "${commands}")
foreach(command IN LISTS commands)
  string(REPLACE " " "-" name "${command}")
  string(REPLACE " " ";" words "${command}")
  write_page("${INTO}/man/man1/synthoscope-${name}.1" --man ${words})
endforeach()

write_page("${bash}/synthoscope" --completion bash)
write_page("${zsh}/_synthoscope" --completion zsh)
write_page("${fish}/synthoscope.fish" --completion fish)
