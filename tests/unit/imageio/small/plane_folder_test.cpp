// SPDX-License-Identifier: MIT
// A folder of single planes is read as one image, in the order of the numbers in their names.
#include "imageio/small/plane_folder.hpp"
#include <gtest/gtest.h>
#include <string>
#include <thread>
#include <vector>
#include "imageio/create.hpp"
#include "imageio/open.hpp"
#include "tests/support/case_name.hpp"
#include "tests/support/expect_failure.hpp"
#include "tests/support/temporary_folder.hpp"
#include "tests/support/voxel_pattern.hpp"

namespace synthoscope::imageio {
namespace {

using test::TemporaryFolder;

constexpr Extent3 kExtent{12, 33, 47};

void write_planes(const std::filesystem::path& file, const Volume<std::uint16_t>& voxels,
                  Compression compression = Compression::none) {
  ImageSpec spec;
  spec.extent = voxels.extent;
  spec.type = PixelType::uint16;
  spec.y_um = 0.2;
  spec.x_um = 0.1;
  spec.compression = compression;
  spec.overwrite = true;
  const auto sink = create_image(file, spec);
  sink->write(whole(voxels.extent), ConstVoxelView{voxels.view()});
  sink->close();
}

void write_plane(const std::filesystem::path& file, const Extent3& extent) {
  write_planes(file, test::pattern<std::uint16_t>(extent));
}

/// The planes of a pattern, of which every third is compressed.
void write_pattern(const TemporaryFolder& folder, const Volume<std::uint16_t>& all) {
  for (std::int64_t z = 0; z < kExtent.z; ++z)
    write_planes(folder / ("plane_" + std::to_string(z) + ".tif"),
                 test::cut(all, plane(kExtent, z)),
                 z % 3 == 0 ? Compression::deflate : Compression::none);
}

TEST(PlaneFolder, IsAStackInTheOrderOfTheNumbersInItsNames) {
  const TemporaryFolder folder;
  const auto all = test::pattern<std::uint16_t>(kExtent);
  write_pattern(folder, all);
  folder.write("notes.txt", "of other extensions, and hidden, are passed over");
  folder.write(".hidden.tif", "");
  const auto image = open_image(folder.path());
  EXPECT_EQ(image.info.extent, kExtent);
  EXPECT_EQ(image.info.axes_text(), "Z=12, Y=33, X=47, z by the names of its files");
  EXPECT_FALSE(image.info.z_um);
  EXPECT_EQ(image.info.x_um, 0.1);
  Volume<std::uint16_t> voxels{kExtent};
  image.source->read(whole(kExtent), VoxelView{voxels.view()});
  EXPECT_EQ(voxels.voxels, all.voxels);
}

TEST(PlaneFolder, HasTheVoxelSizeThatIsGiven) {
  const TemporaryFolder folder;
  write_plane(folder / "a.tif", {1, 8, 9});
  OpenOptions options;
  options.voxel_size = VoxelSize{0.3, 0.2, 0.1};
  EXPECT_EQ(inspect(folder.path(), options).z_um, 0.3);
}

TEST(PlaneFolder, GivesTheSameVoxelsToManyThreadsWithinItsMemory) {
  const TemporaryFolder folder;
  const auto all = test::pattern<std::uint16_t>(kExtent);
  write_pattern(folder, all);
  for (const std::int64_t cache : {std::int64_t{1}, std::int64_t{256} << 20}) {
    OpenOptions options;
    options.cache_bytes = cache;
    const auto image = open_image(folder.path(), options);
    const Box3 box{{0, 3, 5}, {kExtent.z, 20, 31}};
    std::vector<std::thread> threads;
    for (int i = 0; i < 4; ++i)
      threads.emplace_back([&] {
        Volume<std::uint16_t> part{box.size};
        image.source->read(box, VoxelView{part.view()});
        EXPECT_EQ(part.voxels, test::cut(all, box).voxels);
      });
    for (auto& thread : threads) thread.join();
  }
}

TEST(PlaneFolder, HoldsFewerPlanesInLessMemory) {
  const TemporaryFolder folder;
  write_pattern(folder, test::pattern<std::uint16_t>(kExtent));
  const auto held = [&](std::int64_t cache) {
    OpenOptions options;
    options.cache_bytes = cache;
    return open_image(folder.path(), options).buffer_bytes;
  };
  EXPECT_GT(held(1), 0);
  EXPECT_LT(held(1), held(std::int64_t{256} << 20));
}

TEST(PlaneFolder, SortsNumbersByTheirValue) {
  const TemporaryFolder folder;
  const std::vector<std::string> names{"a007.tif",  "a7.tif",     "a8.tif", "a10.tif",
                                       "a10b2.tif", "a10b10.tif", "b.tif"};
  for (std::size_t i = 0; i < names.size(); ++i) {
    const auto value = static_cast<std::uint16_t>(i);
    Volume<std::uint16_t> voxels{{1, 2, 3}};
    voxels.voxels.assign(6, value);
    write_planes(folder / names[i], voxels);
  }
  const auto image = open_image(folder.path());
  ASSERT_EQ(image.info.extent.z, std::ssize(names));
  Volume<std::uint16_t> voxels{image.info.extent};
  image.source->read(whole(image.info.extent), VoxelView{voxels.view()});
  for (std::size_t i = 0; i < names.size(); ++i) EXPECT_EQ(voxels.voxels[6 * i], i) << names[i];
}

TEST(PlaneFolder, NoticesAPlaneThatBecameAnother) {
  const TemporaryFolder folder;
  write_plane(folder / "a.tif", {1, 8, 9});
  const auto image = open_image(folder.path());
  write_plane(folder / "a.tif", {1, 8, 10});
  Volume<std::uint16_t> voxels{{1, 8, 9}};
  test::expect_failure<InputChanged>(
      [&] { image.source->read(whole(voxels.extent), VoxelView{voxels.view()}); },
      {"a.tif", "no longer the file", "run the command again"});
}

struct RefusedFolder {
  const char* name;
  std::vector<std::pair<const char*, Extent3>> files;
  std::vector<const char*> words;
};

const RefusedFolder kRefused[] = {
    {"unequal_sizes",
     {{"a.tif", {1, 8, 9}}, {"b.tif", {1, 8, 10}}},
     {"not planes of one image", "a.tif has 8x9", "b.tif has 8x10"}},
    {"several_planes", {{"a.tif", {3, 8, 9}}}, {"a.tif", "3 planes", "file alone"}},
    {"nothing", {}, {"neither an OME-Zarr image", "folder of TIFF or PNG planes"}},
};

class RefusedPlaneFolder : public testing::TestWithParam<RefusedFolder> {};

TEST_P(RefusedPlaneFolder, SaysWhatWasFound) {
  const TemporaryFolder folder;
  for (const auto& [name, extent] : GetParam().files) write_plane(folder / name, extent);
  try {
    (void)inspect(folder.path());
    ADD_FAILURE() << "nothing was thrown";
  } catch (const InvalidInput& failure) {
    const std::string message = failure.what();
    for (const char* word : GetParam().words)
      EXPECT_NE(message.find(word), std::string::npos) << "'" << word << "' in: " << message;
  }
}

INSTANTIATE_TEST_SUITE_P(Small, RefusedPlaneFolder, testing::ValuesIn(kRefused), test::kCaseName);

TEST(PlaneFolder, IsNeitherADataSetNorAZarr) {
  for (const char* other : {"scene.json", ".zgroup", "zarr.json"}) {
    const TemporaryFolder folder;
    write_plane(folder / "image.tif", {1, 8, 9});
    EXPECT_TRUE(is_plane_folder(folder.path()));
    folder.write(other, "{}");
    EXPECT_FALSE(is_plane_folder(folder.path())) << other;
    EXPECT_THROW((void)inspect(folder.path()), InvalidInput);
  }
}

}  // namespace
}  // namespace synthoscope::imageio
