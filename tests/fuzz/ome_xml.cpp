// SPDX-License-Identifier: MIT
// tests/fuzz/ome_xml.cpp — OME-XML: parsed alone, and as the description of a file of 12 pages.
#include "imageio/tiff/planes/ome_xml.hpp"
#include "tests/fuzz/described_tiff.hpp"
#include "tests/fuzz/fuzz_target.hpp"
#include "tests/fuzz/read_image.hpp"
#include "tests/support/temporary_folder.hpp"

void synthoscope::fuzz::read(std::string_view bytes) {
  static const test::TemporaryFolder folder;
  static_cast<void>(imageio::parse_ome_xml(bytes, "fuzz.ome.tif"));
  read_image(folder.write("image.ome.tif", described_tiff(bytes, 12)));
}
