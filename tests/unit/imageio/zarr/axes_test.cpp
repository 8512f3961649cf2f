// SPDX-License-Identifier: MIT
// Axes of Zarr arrays: the names in dimension_names, in _ARRAY_DIMENSIONS, or none.
#include <gtest/gtest.h>
#include <filesystem>
#include <string>
#include "core/base/error.hpp"
#include "imageio/open.hpp"
#include "tests/support/expect_failure.hpp"
#include "tests/support/temporary_folder.hpp"

namespace synthoscope::imageio {
namespace {

using test::TemporaryFolder;

/// An array of 3x4x5 whose axes have names.
void write_named_array(const TemporaryFolder& folder, const std::string& names) {
  std::filesystem::create_directory(folder / "a.zarr");
  folder.write("a.zarr/zarr.json",
               R"({"zarr_format":3,"node_type":"array","shape":[3,4,5],"data_type":"uint16",)"
               R"("chunk_grid":{"name":"regular","configuration":{"chunk_shape":[3,4,5]}},)"
               R"("chunk_key_encoding":{"name":"default","configuration":{"separator":"/"}},)"
               R"("fill_value":0,"codecs":[{"name":"bytes","configuration":{"endian":"little"}}],)"
               R"("dimension_names":)" +
                   names + "}");
}

TEST(ZarrAxes, ThatHaveNamesAreObeyed) {
  const struct {
    const char* names;
    Extent3 extent;
    std::int64_t channels, frames;
  } cases[] = {{R"(["time","y","x"])", {1, 4, 5}, 1, 3}, {R"(["c","y","x"])", {1, 4, 5}, 3, 1},
               {R"(["z","y","x"])", {3, 4, 5}, 1, 1},    {R"(["y","x","c"])", {1, 3, 4}, 5, 1},
               {R"(["x","y","z"])", {5, 4, 3}, 1, 1},    {R"([null,"y","x"])", {3, 4, 5}, 1, 1}};
  for (const auto& c : cases) {
    const TemporaryFolder folder;
    write_named_array(folder, c.names);
    const ImageInfo info = inspect(folder / "a.zarr");
    EXPECT_EQ(info.extent, c.extent) << c.names;
    EXPECT_EQ(info.channels, c.channels) << c.names;
    EXPECT_EQ(info.frames, c.frames) << c.names;
  }
  const TemporaryFolder folder;
  write_named_array(folder, R"(["position","y","x"])");
  test::expect_failure<InvalidInput>([&] { inspect(folder / "a.zarr"); }, {"position", "--axes"});
  OpenOptions options;
  options.axes = "CYX";
  EXPECT_EQ(inspect(folder / "a.zarr", options).channels, 3);
}

TEST(ZarrAxes, OfXarrayAreObeyed) {
  const TemporaryFolder folder;
  std::filesystem::create_directory(folder / "a.zarr");
  folder.write("a.zarr/.zarray",
               R"({"zarr_format":2,"shape":[3,4,5],"chunks":[3,4,5],"dtype":"<u2",)"
               R"("compressor":null,"fill_value":0,"order":"C","filters":null})");
  EXPECT_EQ(inspect(folder / "a.zarr").extent, (Extent3{3, 4, 5}));
  folder.write("a.zarr/.zattrs", R"({"_ARRAY_DIMENSIONS":["time","y","x"]})");
  EXPECT_EQ(inspect(folder / "a.zarr").frames, 3);
}

}  // namespace
}  // namespace synthoscope::imageio
