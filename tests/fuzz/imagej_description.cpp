// SPDX-License-Identifier: MIT
// tests/fuzz/imagej_description.cpp — ImageJ's description of a stack of pages, and of a stack
// whose planes follow its one page.
#include <string>
#include "core/base/error.hpp"
#include "tests/fuzz/described_tiff.hpp"
#include "tests/fuzz/fuzz_target.hpp"
#include "tests/fuzz/read_image.hpp"
#include "tests/support/temporary_folder.hpp"

void synthoscope::fuzz::read(std::string_view bytes) {
  static const test::TemporaryFolder folder;
  const std::string description = "ImageJ=1.54f\n" + std::string{bytes};
  try {
    read_image(folder.write("image.tif", described_tiff(description, 1)));
  } catch (const Error&) {
    // More pages may be what it speaks of
  }
  read_image(folder.write("image.tif", described_tiff(description, 12)));
}
