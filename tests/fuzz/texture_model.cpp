// SPDX-License-Identifier: MIT
// tests/fuzz/texture_model.cpp — models of visual words, which are HDF5 files.
#include "tests/fuzz/fuzz_target.hpp"
#include "tests/fuzz/hdf5_children.hpp"
#include "tests/support/temporary_folder.hpp"
#include "tests/support/test_context.hpp"
#include "textures/models/model_file.hpp"

void synthoscope::fuzz::read(std::string_view bytes) {
  static const test::TemporaryFolder folder;
  static test::TestContext context{1};
  static_cast<void>(textures::read_model(folder.write("model.h5", bytes), context.context));
}
