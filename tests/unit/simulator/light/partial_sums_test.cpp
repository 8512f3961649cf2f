// SPDX-License-Identifier: MIT
// partial_sums_test.cpp — volumes are added up box by box, and the last goes on with the sum.
#include "core/stream/partial_sums.hpp"
#include <gtest/gtest.h>
#include "core/stream/memory_stream.hpp"
#include "simulator/light/expected_photons.hpp"
#include "tests/support/temporary_folder.hpp"

namespace synthoscope::simulator {
namespace {

/// Rows longer than what is added up at once.
constexpr Extent3 kExtent{2, 3, 20000};

Volume<float> numbered(float by) {
  Volume<float> volume{kExtent};
  for (std::size_t i = 0; i < volume.voxels.size(); ++i)
    volume.voxels[i] = by * static_cast<float>(i % 977);
  return volume;
}

void write_in_boxes(Sink& sink, const Volume<float>& volume) {
  for (const Box3& box : {Box3{{0, 0, 0}, {2, 3, 500}},
                          Box3{{0, 0, 500}, {2, 2, 19500}},
                          {{0, 2, 500}, {2, 1, 19500}}}) {
    Volume<float> part{box.size};
    MemorySource source{volume.view()};
    source.read(box, VoxelView{part.view()});
    sink.write(box, ConstVoxelView{HostView3<const float>{part.view()}});
  }
}

void expect_sum(ScratchVolume& kept) {
  PartialSums sums{kept};
  for (const bool again : {false, true}) {  // a second image forgets the first
    sums.begin(true);
    write_in_boxes(sums, numbered(again ? 1 : 5));
    sums.begin(false);
    write_in_boxes(sums, numbered(2));
  }
  const Illumination even{{}, kExtent};
  ExpectedPhotons background{3, even};
  SummedEpilogue last{sums, background};
  Volume<float> image{kExtent};
  last.apply(whole(kExtent), HostView3<const float>{numbered(4).view()}, VoxelView{image.view()});
  for (std::size_t i = 0; i < image.voxels.size(); ++i)
    ASSERT_EQ(image.voxels[i], 7 * static_cast<float>(i % 977) + 3);
}

TEST(PartialSums, AreTheSameInMemoryAndInAFile) {
  MemoryBudget memory{1 << 20};
  ScratchVolume in_memory{kExtent, PixelType::float32, memory, "sums"};
  expect_sum(in_memory);
  EXPECT_EQ(memory.peak(), PartialSums::bytes(kExtent));
  const test::TemporaryFolder folder;
  ScratchVolume in_file{kExtent, PixelType::float32, folder / ""};
  expect_sum(in_file);
}

}  // namespace
}  // namespace synthoscope::simulator
