// SPDX-License-Identifier: MIT
// Chunks as h5py cannot store them.
#include <gtest/gtest.h>
#include <hdf5.h>
#include <array>
#include <vector>
#include "imageio/hdf5/library.hpp"
#include "imageio/open.hpp"
#include "tests/support/case_name.hpp"
#include "tests/support/temporary_folder.hpp"
#include "tests/support/voxel_pattern.hpp"

namespace synthoscope::imageio {
namespace {

struct FilterCase {
  const char* name;
  bool shuffle, deflate;
};

constexpr FilterCase kFilters[] = {
    {"none", false, false},
    {"shuffle", true, false},
    {"deflate", false, true},
    {"shuffle_deflate", true, true},
};

class PartialChunks : public testing::TestWithParam<FilterCase> {};

TEST_P(PartialChunks, AreReadWhereTheyAreNotFiltered) {
  constexpr Extent3 kExtent{5, 37, 29};
  const test::TemporaryFolder folder;
  const auto voxels = test::pattern<std::uint16_t>(kExtent);
  {
    const Hdf5Lock lock;
    const std::array<hsize_t, 3> size{5, 37, 29}, chunk{2, 16, 16};
    const Hdf5Handle access{H5Pcreate(H5P_FILE_ACCESS), H5Pclose};
    H5Pset_libver_bounds(access.get(), H5F_LIBVER_V110, H5F_LIBVER_V110);
    const Hdf5Handle properties{H5Pcreate(H5P_DATASET_CREATE), H5Pclose};
    H5Pset_chunk(properties.get(), 3, chunk.data());
    if (GetParam().shuffle) H5Pset_shuffle(properties.get());
    if (GetParam().deflate) H5Pset_deflate(properties.get(), 4);
    ASSERT_GE(H5Pset_chunk_opts(properties.get(), H5D_CHUNK_DONT_FILTER_PARTIAL_CHUNKS), 0);
    const Hdf5Handle space{H5Screate_simple(3, size.data(), nullptr), H5Sclose};
    const Hdf5Handle file{
        H5Fcreate((folder / "a.h5").c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, access.get()), H5Fclose};
    const Hdf5Handle made{H5Dcreate2(file.get(), "image", H5T_NATIVE_UINT16, space.get(),
                                     H5P_DEFAULT, properties.get(), H5P_DEFAULT),
                          H5Dclose};
    ASSERT_GE(H5Dwrite(made.get(), H5T_NATIVE_UINT16, H5S_ALL, H5S_ALL, H5P_DEFAULT,
                       voxels.voxels.data()),
              0);
  }
  Volume<std::uint16_t> found{kExtent};
  open_image(folder / "a.h5").source->read(whole(kExtent), VoxelView{found.view()});
  EXPECT_TRUE(found.voxels == voxels.voxels);
}

INSTANTIATE_TEST_SUITE_P(Table, PartialChunks, testing::ValuesIn(kFilters), test::kCaseName);

}  // namespace
}  // namespace synthoscope::imageio
