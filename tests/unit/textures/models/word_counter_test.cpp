// SPDX-License-Identifier: MIT
#include "textures/models/word_counter.hpp"
#include <gtest/gtest.h>
#include "core/stream/memory_stream.hpp"
#include "textures/models/texture_model.hpp"

namespace synthoscope::textures {
namespace {

/// Words 0 ... 4 in a pattern.
Volume<std::uint8_t> word_map(const Extent3& extent) {
  Volume<std::uint8_t> map{extent};
  for (std::size_t i = 0; i < map.voxels.size(); ++i)
    map.voxels[i] = static_cast<std::uint8_t>((i * i / 3 + i) % 5);
  return map;
}

/// Shares of words in a box, one voxel at a time.
std::vector<float> shares_in(const Volume<std::uint8_t>& map, const Box3& box) {
  std::vector<double> counts(5);
  for (std::int64_t z = 0; z < box.size.z; ++z)
    for (std::int64_t y = 0; y < box.size.y; ++y)
      for (std::int64_t x = 0; x < box.size.x; ++x)
        ++counts[map.view()(box.origin.z + z, box.origin.y + y, box.origin.x + x)];
  std::vector<float> shares;
  for (const double count : counts)
    shares.push_back(static_cast<float>(count / static_cast<double>(volume(box.size))));
  return shares;
}

void write_in_boxes(WordCounter& counter, const Volume<std::uint8_t>& map, const Extent3& cut) {
  MemorySource source{ConstVoxelView{map.view()}};
  for (std::int64_t z = 0; z < map.extent.z; z += cut.z)
    for (std::int64_t y = 0; y < map.extent.y; y += cut.y)
      for (std::int64_t x = 0; x < map.extent.x; x += cut.x) {
        const Box3 box = intersection({{z, y, x}, cut}, whole(map.extent));
        Volume<std::uint8_t> part{box.size};
        source.read(box, VoxelView{part.view()});
        counter.write(box, VoxelView{part.view()});
      }
}

TEST(WordCounter, CountsTheSameHoweverBoxesAreCut) {
  const Volume<std::uint8_t> map = word_map({3, 11, 17});
  for (const Extent3& cut : {map.extent, Extent3{1, 4, 17}, Extent3{2, 3, 7}}) {
    MemoryBudget memory{1 << 20};
    WordCounter counter{map.extent, 5, 0, memory};
    write_in_boxes(counter, map, cut);
    EXPECT_EQ(counter.counts().histogram(), shares_in(map, whole(map.extent)));
  }
}

TEST(WordCounter, CountsItsMemory) {
  MemoryBudget memory{1 << 20};
  const WordCounter counter{{1, 64, 64}, 100, 1, memory};
  EXPECT_GE(memory.used(), 100 * 4 * 8);
}

TEST(Patches, AreWholeAndLeaveTheRestOut) {
  const Patches patches{{5, 10, 7}, Extent3{2, 4, 3}};
  EXPECT_EQ(patches.count(), 8);
  EXPECT_EQ(patches[1], (Box3{{0, 0, 3}, {2, 4, 3}}));
  EXPECT_EQ(patches[7], (Box3{{2, 4, 3}, {2, 4, 3}}));
  EXPECT_EQ(Patches({5, 10, 7}, Extent3{0, 4, 3})[3], (Box3{{0, 4, 3}, {5, 4, 3}}));
  const Patches one{{2, 10, 7}, std::nullopt};
  EXPECT_EQ(one.count(), 1);
  EXPECT_EQ(one[0], whole(Extent3{2, 10, 7}));
}

}  // namespace
}  // namespace synthoscope::textures
