# Writes the files of examples/ into a source file: cmake -D FILES=a;b -D FOLDER=examples
# -D INTO=x.cpp -P this
set(rows "")
foreach(file IN LISTS FILES)
  file(READ "${file}" text)
  file(RELATIVE_PATH name "${FOLDER}" "${file}")
  string(APPEND rows "      {\"${name}\", R\"example(${text})example\"},\n")
endforeach()
file(WRITE "${INTO}" "#include \"tools/start/examples.hpp\"

std::vector<synthoscope::tools::ExampleFile> synthoscope::tools::example_files() {
  return {
${rows}  };
}
")
