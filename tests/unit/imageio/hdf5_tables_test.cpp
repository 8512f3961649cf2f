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

TEST(Hdf5Tables, OfPartsJoinToThoseOfTheWhole) {
  const test::TemporaryFolder folder;
  const auto rows = [](std::int64_t first, std::int64_t count) {
    std::vector<double> place;
    std::vector<std::uint64_t> id;
    for (std::int64_t i = first; i < first + count; ++i) {
      id.push_back(static_cast<std::uint64_t>(i));
      place.insert(place.end(), {0.5 * static_cast<double>(i), -1});
    }
    return std::vector<Hdf5Table>{{"/cell", count, {{"place", {2}, place}, {"id", {}, id}}}};
  };
  const Hdf5Table inner{"/cell/lobe", 2, {{"cell", {}, std::vector<std::int64_t>{7, -8}}}};
  auto whole = rows(0, 5), first = rows(0, 2), second = rows(2, 3);
  whole.insert(whole.begin(), inner);
  second.push_back(inner);
  write_hdf5_tables(folder / "whole.h5", whole, "{}", false);
  write_hdf5_tables(folder / "first.h5", first, "{}", false);
  write_hdf5_tables(folder / "second.h5", second, "{}", false);

  auto joined = read_hdf5_tables(folder / "first.h5");
  append_rows(joined, read_hdf5_tables(folder / "second.h5"));
  write_hdf5_tables(folder / "joined.h5", joined, "{}", false);
  EXPECT_EQ(test::content_of(folder / "joined.h5"), test::content_of(folder / "whole.h5"));

  first[0].columns[1].name = "number";
  test::expect_failure<InvalidInput>([&] { append_rows(joined, first); },
                                     {"join tables", "/cell differ"});
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
