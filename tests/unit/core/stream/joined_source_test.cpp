// SPDX-License-Identifier: MIT
// A volume in several sources reads as one.
#include "core/stream/joined_source.hpp"
#include <gtest/gtest.h>
#include "core/stream/memory_stream.hpp"
#include "core/stream/part_source.hpp"

namespace synthoscope {
namespace {

TEST(JoinedSource, ReadsBoxesThatSeveralSourcesHave) {
  const Extent3 e{4, 9, 7};
  Volume<float> volume{e};
  for (std::size_t i = 0; i < volume.voxels.size(); ++i) volume.voxels[i] = static_cast<float>(i);
  MemorySource all{ConstVoxelView{std::as_const(volume).view()}};
  // Sources may have more than their box
  PartSource low{all, {{0, 0, 0}, {4, 6, 7}}}, high{all, {{0, 3, 0}, {4, 6, 7}}};
  JoinedSource joined{
      e, {{&low, {{0, 0, 0}, {4, 4, 7}}, {0, 0, 0}}, {&high, {{0, 4, 0}, {4, 5, 7}}, {0, 3, 0}}}};
  EXPECT_EQ(joined.extent(), e);
  EXPECT_EQ(joined.pixel_type(), PixelType::float32);
  for (const Box3& box : {whole(e), Box3{{1, 2, 3}, {2, 5, 3}}, Box3{{0, 0, 0}, {4, 2, 7}},
                          Box3{{3, 8, 6}, {1, 1, 1}}, Box3{{0, 4, 1}, {3, 3, 5}}}) {
    Volume<float> expected{box.size}, read{box.size};
    all.read(box, VoxelView{expected.view()});
    joined.read(box, VoxelView{read.view()});
    EXPECT_EQ(read.voxels, expected.voxels) << box;
  }
}

}  // namespace
}  // namespace synthoscope
