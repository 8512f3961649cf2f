// SPDX-License-Identifier: MIT
#include "core/stream/scratch_volume.hpp"
#include <gtest/gtest.h>
#include "core/stream/memory_stream.hpp"
#include "tests/support/expect_failure.hpp"
#include "tests/support/full_disk.hpp"
#include "tests/support/temporary_folder.hpp"

namespace synthoscope {
namespace {

constexpr Extent3 kExtent{3, 5, 7};

Volume<float> counting() {
  Volume<float> v{kExtent};
  for (std::size_t i = 0; i < v.voxels.size(); ++i) v.voxels[i] = static_cast<float>(i);
  return v;
}

/// Boxes that cover the volume: parts of rows, rows, a plane, planes.
constexpr Box3 kBoxes[] = {{{0, 0, 0}, {1, 5, 4}},
                           {{0, 0, 4}, {1, 5, 3}},
                           {{1, 0, 0}, {1, 2, 7}},
                           {{1, 2, 0}, {1, 3, 7}},
                           {{2, 0, 0}, {1, 5, 7}}};

Volume<float> cut(const Volume<float>& from, const Box3& box) {
  Volume<float> part{box.size};
  MemorySource{ConstVoxelView{from.view()}}.read(box, VoxelView{part.view()});
  return part;
}

void expect_keeps_boxes(ScratchVolume& scratch) {
  const auto voxels = counting();
  for (const Box3& box : kBoxes) scratch.write(box, ConstVoxelView{cut(voxels, box).view()});
  for (const Box3& box : {whole(kExtent), Box3{{1, 1, 2}, {2, 3, 4}}, Box3{{0, 4, 0}, {3, 1, 7}}}) {
    Volume<float> back{box.size};
    scratch.read(box, VoxelView{back.view()});
    EXPECT_EQ(back.voxels, cut(voxels, box).voxels) << box;
  }
}

TEST(ScratchVolume, GivesBackWhatItWasGivenFromMemory) {
  MemoryBudget memory{1 << 20};
  ScratchVolume scratch{kExtent, PixelType::float32, memory, "a volume"};
  EXPECT_EQ(memory.used(), volume(kExtent) * 4);
  EXPECT_EQ(scratch.file_bytes(), 0);
  expect_keeps_boxes(scratch);
}

TEST(ScratchVolume, GivesBackWhatItWasGivenFromAFileThatNobodySees) {
  const test::TemporaryFolder folder;
  ScratchVolume scratch{kExtent, PixelType::float32, folder.path()};
  EXPECT_EQ(scratch.file_bytes(), volume(kExtent) * 4);
  expect_keeps_boxes(scratch);
  EXPECT_TRUE(folder.names().empty());
}

TEST(ScratchVolume, SaysAtOnceThatTheDiskIsFullOrTheFolderIsMissing) {
  const test::TemporaryFolder folder;
  {
    const test::FullDisk full{100};
    test::expect_failure<IoError>(
        [&] {
          const ScratchVolume none{kExtent, PixelType::float32, folder.path()};
        },
        {"--scratch"});
  }
  test::expect_failure<IoError>(
      [&] {
        const ScratchVolume none{kExtent, PixelType::float32, folder / "missing"};
      },
      {"missing"});
}

}  // namespace
}  // namespace synthoscope
