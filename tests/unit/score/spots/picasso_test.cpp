// SPDX-License-Identifier: MIT
// Picasso's tables: an array of records in an HDF5 file.
#include <gtest/gtest.h>
#include <hdf5.h>
#include <cmath>
#include "core/base/error.hpp"
#include "imageio/hdf5/library.hpp"
#include "score/spots/spot_table.hpp"
#include "tests/support/expect_failure.hpp"
#include "tests/support/temporary_folder.hpp"
#include "tests/support/test_context.hpp"
#include "tests/unit/score/spots/spot_lists.hpp"

namespace synthoscope::score {
namespace {

using imageio::Hdf5Handle;
using test::space_of_frames;

/// A row as Picasso 0.8 writes it.
struct PicassoRow {
  std::uint32_t frame = 0;
  float x = 0, y = 0, photons = 0, z = 0;
};

void write_picasso(const std::filesystem::path& path, const std::vector<PicassoRow>& rows,
                   bool has_z, const char* array = "locs") {
  const imageio::Hdf5Lock lock;
  const Hdf5Handle file{H5Fcreate(path.c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT), H5Fclose};
  const Hdf5Handle type{H5Tcreate(H5T_COMPOUND, sizeof(PicassoRow)), H5Tclose};
  H5Tinsert(type.get(), "frame", HOFFSET(PicassoRow, frame), H5T_NATIVE_UINT32);
  H5Tinsert(type.get(), "x", HOFFSET(PicassoRow, x), H5T_NATIVE_FLOAT);
  H5Tinsert(type.get(), "y", HOFFSET(PicassoRow, y), H5T_NATIVE_FLOAT);
  H5Tinsert(type.get(), "photons", HOFFSET(PicassoRow, photons), H5T_NATIVE_FLOAT);
  if (has_z) H5Tinsert(type.get(), "z", HOFFSET(PicassoRow, z), H5T_NATIVE_FLOAT);
  const hsize_t count = rows.size();
  const Hdf5Handle space{H5Screate_simple(1, &count, nullptr), H5Sclose};
  const Hdf5Handle made{
      H5Dcreate2(file.get(), array, type.get(), space.get(), H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT),
      H5Dclose};
  H5Dwrite(made.get(), type.get(), H5S_ALL, H5S_ALL, H5P_DEFAULT, rows.data());
}

SpotList read_picasso_file(const std::filesystem::path& path, const SpotSpace& space) {
  test::TestContext run;
  SpotList list = read_spots(path, space, {}, run.context);
  list.counted = {};
  return list;
}

TEST(PicassoTable, CountsPixelsFromTheMiddleOfTheFirstAndZInNanometres) {
  const test::TemporaryFolder folder;
  write_picasso(folder / "locs.hdf5", {{1, 20, 10, 300, 875}, {2, 0.5F, -0.5F, 7, 0}}, true);
  const SpotList list = read_picasso_file(folder / "locs.hdf5", space_of_frames(3));
  ASSERT_EQ(list.spots.size(), 2u);
  EXPECT_EQ(list.spots[0].frame, 1);
  EXPECT_EQ(list.spots[0].photons, 300);
  const AlongZyx first{0.875, 1.05, 1.64}, second{0, 0, 0.08};
  for (std::size_t axis = 0; axis < 3; ++axis) {
    EXPECT_NEAR(list.spots[0].at_um[axis], first[axis], 1e-12) << axis;
    EXPECT_NEAR(list.spots[1].at_um[axis], second[axis], 1e-12) << axis;
  }
}

TEST(PicassoTable, OfTwoDimensionsHasNoZ) {
  const test::TemporaryFolder folder;
  write_picasso(folder / "locs.hdf5", {{0, 1, 2, 3, 0}}, false);
  EXPECT_FALSE(read_picasso_file(folder / "locs.hdf5", space_of_frames(1, 1)).has_z);
}

TEST(PicassoTable, OfManyRowsIsReadInBatches) {
  const test::TemporaryFolder folder;
  std::vector<PicassoRow> rows(50000);
  for (std::size_t i = 0; i < rows.size(); ++i) rows[i].x = static_cast<float>(i);
  write_picasso(folder / "locs.hdf5", rows, false);
  const SpotList list = read_picasso_file(folder / "locs.hdf5", space_of_frames(1, 1));
  ASSERT_EQ(list.spots.size(), rows.size());
  EXPECT_NEAR(list.spots[49999].at_um[2], 49999.5 * 0.08, 1e-9);
}

TEST(PicassoTable, NamesTheRowOfABadNumber) {
  const test::TemporaryFolder folder;
  write_picasso(folder / "locs.hdf5", {{0, 1, 2, 3, 0}, {0, std::nanf(""), 2, 3, 0}}, false);
  test::expect_failure<InvalidInput>(
      [&] { read_picasso_file(folder / "locs.hdf5", space_of_frames(1, 1)); },
      {"locs.hdf5", "row 2", "column x"});
}

TEST(PicassoTable, IsNotAnyHdf5File) {
  const test::TemporaryFolder folder;
  write_picasso(folder / "other.h5", {{0, 1, 2, 3, 0}}, false, "points");
  test::expect_failure<InvalidInput>(
      [&] { read_picasso_file(folder / "other.h5", space_of_frames(1, 1)); },
      {"other.h5", "/locs", "Picasso"});
}

}  // namespace
}  // namespace synthoscope::score
