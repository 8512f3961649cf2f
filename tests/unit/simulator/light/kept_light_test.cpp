// SPDX-License-Identifier: MIT
// Light that is rendered once: the same voxels from every box, in memory and in files.
#include "simulator/light/kept_light.hpp"
#include <gtest/gtest.h>
#include "core/stream/memory_stream.hpp"
#include "tests/support/temporary_folder.hpp"
#include "tests/support/test_context.hpp"

namespace synthoscope::simulator {
namespace {

constexpr Extent3 kExtent{5, 7, 11};

Volume<float> numbered(float first) {
  Volume<float> volume{kExtent};
  for (std::size_t i = 0; i < volume.voxels.size(); ++i)
    volume.voxels[i] = first + static_cast<float>(i);
  return volume;
}

void expect_boxes_of(const Volume<float>& expected, KeptLight& kept) {
  MemorySource source{expected.view()};
  for (const Box3& box : {whole(kExtent), Box3{{0, 3, 0}, {5, 1, 11}}, Box3{{1, 2, 3}, {3, 4, 6}},
                          Box3{{4, 6, 10}, {1, 1, 1}}}) {
    Volume<float> wanted{box.size}, read{box.size};
    source.read(box, VoxelView{wanted.view()});
    kept.read(box, VoxelView{read.view()});
    EXPECT_EQ(read.voxels, wanted.voxels) << box.origin << box.size;
  }
}

TEST(KeptLight, IsWhatWasRenderedLast) {
  test::TestContext test;
  const test::TemporaryFolder folder;
  KeptLight in_memory{kExtent, test.memory}, by_planes{kExtent, folder / "", false},
      by_rows{kExtent, folder / "", true};
  for (KeptLight* const kept : {&in_memory, &by_planes, &by_rows})
    for (const float first : {100.0F, 3.0F}) {
      const Volume<float> light = numbered(first);
      MemorySource source{light.view()};
      kept->render(source, test.context);
      expect_boxes_of(light, *kept);
    }
}

}  // namespace
}  // namespace synthoscope::simulator
