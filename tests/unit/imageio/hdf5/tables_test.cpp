// SPDX-License-Identifier: MIT
// Tables in HDF5 files: refusals and full disks. Their content is checked with h5py.
#include "imageio/hdf5/tables.hpp"
#include <gtest/gtest.h>
#include <hdf5.h>
#include <initializer_list>
#include "core/base/error.hpp"
#include "imageio/hdf5/library.hpp"
#include "tests/support/case_name.hpp"
#include "tests/support/expect_failure.hpp"
#include "tests/support/full_disk.hpp"
#include "tests/support/temporary_folder.hpp"

namespace synthoscope::imageio {
namespace {

constexpr const char* kAdvice = "give another file";

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

  auto joined = read_hdf5_tables(folder / "first.h5", kAdvice);
  append_rows(joined, read_hdf5_tables(folder / "second.h5", kAdvice));
  write_hdf5_tables(folder / "joined.h5", joined, "{}", false);
  EXPECT_EQ(test::content_of(folder / "joined.h5"), test::content_of(folder / "whole.h5"));

  first[0].columns[1].name = "number";
  test::expect_failure<InvalidInput>([&] { append_rows(joined, first); },
                                     {"join tables", "/cell differ"});
}

struct HostileCase {
  const char* name;
  void (*spoil)(hid_t file);
  const char* said;
};

/// A data set that claims a shape and stores nothing.
void claim(hid_t file, const char* name, std::initializer_list<hsize_t> shape,
           hid_t creation = H5P_DEFAULT) {
  const hid_t space = H5Screate_simple(static_cast<int>(shape.size()), shape.begin(), nullptr);
  H5Dclose(H5Dcreate2(file, name, H5T_IEEE_F64LE, space, H5P_DEFAULT, creation, H5P_DEFAULT));
  H5Sclose(space);
}

const HostileCase kHostile[] = {
    {"larger_than_the_file",
     [](hid_t file) {
       claim(file, "/cell/huge", {2, hsize_t{1} << 50});
     },
     "/cell/huge is larger than the file"},
    {"as_large_as_the_file_many_times",
     [](hid_t file) {
       for (int i = 0; i < 20; ++i)
         H5Lcreate_hard(file, "/cell/place", file, ("/cell/same" + std::to_string(i)).c_str(),
                        H5P_DEFAULT, H5P_DEFAULT);
     },
     "is larger than the file"},
    {"other_rows", [](hid_t file) { claim(file, "/cell/zone", {3}); },
     "/cell/zone has 3 rows, but the other columns of /cell have 500"},
    {"scalar",
     [](hid_t file) {
       const hid_t space = H5Screate(H5S_SCALAR);
       H5Dclose(H5Dcreate2(file, "/cell/one", H5T_IEEE_F64LE, space, H5P_DEFAULT, H5P_DEFAULT,
                           H5P_DEFAULT));
       H5Sclose(space);
     },
     "read the shape of a column"},
    {"other_numbers",
     [](hid_t file) {
       const hsize_t rows = 500;
       const hid_t space = H5Screate_simple(1, &rows, nullptr);
       H5Dclose(H5Dcreate2(file, "/cell/one", H5T_IEEE_F32BE, space, H5P_DEFAULT, H5P_DEFAULT,
                           H5P_DEFAULT));
       H5Sclose(space);
     },
     "/cell/one holds other numbers"},
    {"cycle",
     [](hid_t file) {
       H5Lcreate_hard(file, "/cell", file, "/cell/again", H5P_DEFAULT, H5P_DEFAULT);
     },
     "/cell/again exists twice"},
    {"deep",
     [](hid_t file) {
       std::string place = "/cell";
       for (int i = 0; i < 12; ++i)
         H5Gclose(
             H5Gcreate2(file, (place += "/in").c_str(), H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT));
     },
     "more than 8 deep"},
    {"elsewhere",
     [](hid_t file) {
       H5Lcreate_external("other.h5", "/cell", file, "/cell/far", H5P_DEFAULT, H5P_DEFAULT);
     },
     "far leads elsewhere"},
    {"soft",
     [](hid_t file) { H5Lcreate_soft("/cell/id", file, "/cell/soft", H5P_DEFAULT, H5P_DEFAULT); },
     "soft leads elsewhere"},
    {"in_another_file",
     [](hid_t file) {
       const hid_t creation = H5Pcreate(H5P_DATASET_CREATE);
       H5Pset_external(creation, "/etc/passwd", 0, 4000);
       claim(file, "/cell/far", {500}, creation);
       H5Pclose(creation);
     },
     "/cell/far is not stored in one piece of the file"},
    {"in_chunks",
     [](hid_t file) {
       const hsize_t chunk = 100;
       const hid_t creation = H5Pcreate(H5P_DATASET_CREATE);
       H5Pset_chunk(creation, 1, &chunk);
       claim(file, "/cell/chunks", {500}, creation);
       H5Pclose(creation);
     },
     "/cell/chunks is not stored in one piece of the file"},
    {"long_name",
     [](hid_t file) { claim(file, ("/cell/" + std::string(300, 'n')).c_str(), {500}); },
     "a name of 300 characters"},
};

class HostileTables : public testing::TestWithParam<HostileCase> {};

TEST_P(HostileTables, AreRefused) {
  const test::TemporaryFolder folder;
  const auto path = folder / "world.h5";
  write_hdf5_tables(path, tables_of(500), "{}", false);
  EXPECT_EQ(read_hdf5_tables(path, kAdvice).size(), 1u);
  {
    const Hdf5Lock lock;
    const hid_t file = H5Fopen(path.c_str(), H5F_ACC_RDWR, H5P_DEFAULT);
    ASSERT_GE(file, 0);
    GetParam().spoil(file);
    H5Fclose(file);
  }
  test::expect_failure<InvalidInput>([&] { read_hdf5_tables(path, kAdvice); },
                                     {path.string().c_str(), GetParam().said});
}

INSTANTIATE_TEST_SUITE_P(Table, HostileTables, testing::ValuesIn(kHostile), test::kCaseName);

TEST(Hdf5Tables, TheirProvenanceIsReadAtAnyLength) {
  const test::TemporaryFolder folder;
  const std::string long_text(200'000, 'x');
  write_hdf5_tables(folder / "world.h5", tables_of(2), long_text, false);
  EXPECT_EQ(read_hdf5_provenance(folder / "world.h5"), long_text);
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
      {"world.h5", "ulimit -f"});
  EXPECT_TRUE(folder.names().empty());
}

}  // namespace
}  // namespace synthoscope::imageio
