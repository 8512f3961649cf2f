// SPDX-License-Identifier: MIT
// tests/fuzz/hdf5.cpp — HDF5 files: the only data set, or the first and the last by their names.
#include "core/base/error.hpp"
#include "imageio/hdf5/find.hpp"
#include "tests/fuzz/fuzz_target.hpp"
#include "tests/fuzz/hdf5_children.hpp"
#include "tests/fuzz/read_image.hpp"
#include "tests/support/temporary_folder.hpp"

void synthoscope::fuzz::read(std::string_view bytes) {
  static const test::TemporaryFolder folder;
  const auto path = folder.write("image.h5", bytes);
  if (!imageio::is_hdf5(imageio::InputFile{path})) return;  // another target's affair
  const auto names = imageio::data_sets_of(path);
  if (names.size() < 2) return read_image(path);
  for (const auto& name : {names.front(), names.back()}) try {
      read_image(path.string() + ":" + name);
    } catch (const Error&) {
      // The other one may be an image
    }
}
