// SPDX-License-Identifier: MIT
// tests/fuzz/tiff.cpp — TIFF files of any flavour: opened, and read in boxes.
#include "tests/fuzz/fuzz_target.hpp"
#include "tests/fuzz/read_image.hpp"
#include "tests/support/temporary_folder.hpp"

void synthoscope::fuzz::read(std::string_view bytes) {
  static const test::TemporaryFolder folder;
  read_image(folder.write("image.tif", bytes));
}
