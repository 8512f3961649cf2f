// SPDX-License-Identifier: MIT
#include "imageio/image/name.hpp"
#include <gtest/gtest.h>
#include "tests/support/case_name.hpp"
#include "tests/support/temporary_folder.hpp"

namespace synthoscope::imageio {
namespace {

struct NameCase {
  const char* name;
  const char* path;
  const char* file;
  const char* data_set;
};

const NameCase kNames[] = {
    {"tiff", "a.tif", "a.tif", ""},
    {"hdf5", "a.h5", "a.h5", ""},
    {"data_set", "a.h5:/b", "a.h5", "/b"},
    {"nested", "x/a.HDF5:/b/c", "x/a.HDF5", "/b/c"},
    {"colon_in_a_folder", "x:/a.h5:/b", "x:/a.h5", "/b"},
    {"colon_in_a_data_set", "a.h5:/b:/c", "a.h5", "/b:/c"},
    {"other_ending", "a.tif:/b", "a.tif:/b", ""},
    {"no_slash", "a.h5:b", "a.h5:b", ""},
};

class Names : public testing::TestWithParam<NameCase> {};

TEST_P(Names, AreSplitBehindHdf5Files) {
  const auto name = image_name(GetParam().path);
  EXPECT_EQ(name.file, GetParam().file);
  EXPECT_EQ(name.data_set, GetParam().data_set);
  EXPECT_EQ(file_of(GetParam().path), GetParam().file);
}

INSTANTIATE_TEST_SUITE_P(ImageName, Names, testing::ValuesIn(kNames), test::kCaseName);

TEST(ImageName, SplitsBehindFilesThatExist) {
  const test::TemporaryFolder folder;
  folder.write("plain", "");
  EXPECT_EQ(image_name(folder / "plain:/b").data_set, "/b");
  EXPECT_EQ(image_name(folder / "other:/b").data_set, "");
}

}  // namespace
}  // namespace synthoscope::imageio
