# Writes the files of the page into a source file, byte by byte, so that pictures can be among them:
# cmake -D FILES=a;b -D FOLDER=studio/page -D INTO=x.cpp -P this
set(rows "")
foreach(file IN LISTS FILES)
  file(READ "${file}" bytes HEX)
  string(LENGTH "${bytes}" digits)
  math(EXPR size "${digits} / 2")
  string(REGEX REPLACE "(..)" "\\\\x\\1" bytes "${bytes}")
  file(RELATIVE_PATH name "${FOLDER}" "${file}")
  string(APPEND rows "      {\"${name}\", {\"${bytes}\", ${size}}},\n")
endforeach()
file(WRITE "${INTO}" "#include \"studio/server/page_files.hpp\"

std::vector<synthoscope::studio::PageFile> synthoscope::studio::page_files() {
  return {
${rows}  };
}
")
