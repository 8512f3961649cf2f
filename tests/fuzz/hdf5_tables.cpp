// SPDX-License-Identifier: MIT
// tests/fuzz/hdf5_tables.cpp — tables in HDF5, as parts of a data set leave them to be joined.
#include <cstddef>
#include "imageio/hdf5/tables.hpp"
#include "tests/fuzz/fuzz_target.hpp"
#include "tests/fuzz/hdf5_children.hpp"
#include "tests/support/temporary_folder.hpp"

void synthoscope::fuzz::read(std::string_view bytes) {
  static const test::TemporaryFolder folder;
  const auto path = folder.write("world.h5", bytes);
  static_cast<void>(imageio::read_hdf5_provenance(path));
  auto tables = imageio::read_hdf5_tables(path, "make it again");
  auto twice = tables;
  imageio::append_rows(twice, std::move(tables));
}
