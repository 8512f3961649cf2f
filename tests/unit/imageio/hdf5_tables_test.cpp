// SPDX-License-Identifier: MIT
// Tables in HDF5 files: refusals and full disks. Their content is checked with h5py.
#include "imageio/hdf5_tables.hpp"
#include <gtest/gtest.h>
#include "core/error.hpp"
#include "tests/support/expect_failure.hpp"
#include "tests/support/full_disk.hpp"
#include "tests/support/temporary_folder.hpp"

namespace synthoscope::imageio {
namespace {

std::vector<Hdf5Table> tables_of(std::size_t rows) {
  return {{"/cell",
           static_cast<std::int64_t>(rows),
           {{"place", {3}, std::vector<double>(3 * rows, 0.5)},
            {"id", {}, std::vector<std::int64_t>(rows, -7)}}}};
}

TEST(Hdf5Tables, AppearWholeUnderTheirNameAlone) {
  const test::TemporaryFolder folder;
  write_hdf5_tables(folder / "world.h5", tables_of(1000), "{}", false);
  EXPECT_EQ(folder.names(), std::set<std::string>{"world.h5"});
  EXPECT_GE(std::filesystem::file_size(folder / "world.h5"), 1000u * 4 * 8);
}

TEST(Hdf5Tables, ReplaceAFileOnlyWhenToldTo) {
  const test::TemporaryFolder folder;
  folder.write("world.h5", "older");
  test::expect_failure<InvalidSpec>(
      [&] { write_hdf5_tables(folder / "world.h5", tables_of(2), "{}", false); },
      {"world.h5", "exists"});
  EXPECT_EQ(std::filesystem::file_size(folder / "world.h5"), 5u);
  write_hdf5_tables(folder / "world.h5", tables_of(2), "{}", true);
  EXPECT_GT(std::filesystem::file_size(folder / "world.h5"), 5u);
}

TEST(Hdf5Tables, LeaveNothingOnAFullDisk) {
  const test::TemporaryFolder folder;
  const test::FullDisk full{20'000};
  test::expect_failure<IoError>(
      [&] { write_hdf5_tables(folder / "world.h5", tables_of(1000), "{}", false); },
      {"world.h5", "are free", "make room"});
  EXPECT_TRUE(folder.names().empty());
}

}  // namespace
}  // namespace synthoscope::imageio
