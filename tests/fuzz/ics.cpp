// SPDX-License-Identifier: MIT
// tests/fuzz/ics.cpp — Image Cytometry Standard: a header with its voxels behind it or, of version
// 1.0, in a file beside it.
#include "tests/fuzz/fuzz_target.hpp"
#include "tests/fuzz/read_image.hpp"
#include "tests/support/temporary_folder.hpp"

void synthoscope::fuzz::read(std::string_view bytes) {
  static const test::TemporaryFolder folder;
  constexpr std::string_view kEnd = "\nend\n";
  const auto end = bytes.find(kEnd);
  const bool is_pair = bytes.substr(0, 64).find("1.0") != std::string_view::npos;
  if (!is_pair || end == std::string_view::npos)
    return read_image(folder.write("image.ics", bytes));
  folder.write("image.ids", bytes.substr(end + kEnd.size()));
  read_image(folder.write("image.ics", bytes.substr(0, end + kEnd.size())));
}
